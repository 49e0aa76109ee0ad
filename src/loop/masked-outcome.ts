import type { AgentOutcome } from "../agents/agent.ts";
import { maskJsonLines, maskReport } from "../agents/mask-report.ts";
import type { Masker } from "../kernel/masking.ts";
import { maskCaptured } from "../process/capture.ts";

/** What came of a call, without secrets in anything that it says: nothing later needs the rest. */
export function maskedOutcome(masker: Masker, outcome: AgentOutcome): AgentOutcome {
	const output = maskCaptured(maskJsonLines(masker, outcome.output), masker);
	if (outcome.kind === "failed") {
		return { ...outcome, output, message: masker.mask(outcome.message) };
	}
	const { report, reportProblem } = outcome;
	return {
		...outcome,
		output,
		report: report === null ? null : maskReport(masker, report),
		...(reportProblem === undefined ? {} : { reportProblem: masker.mask(reportProblem) }),
	};
}
