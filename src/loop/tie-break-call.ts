import { parseTieBreakReport } from "../agents/tie-break-report.ts";
import type { UpheldFinding } from "../conflict/open-conflicts.ts";
import { ResolutionInterrupted } from "../conflict/resolution-interrupted.ts";
import { tieBreakPrompt } from "../conflict/tie-break-prompt.ts";
import type { TieBreak, TieBreaker } from "../conflict/tie-breaker.ts";
import { findingJson } from "../review/context.ts";
import { taskText } from "../review/task-text.ts";
import { type ArbiterGround, arbiterFor } from "./arbiter.ts";
import { BudgetSpent } from "./budget.ts";
import type { PromptGround } from "./coach-call.ts";
import { judgeCheckout, judgedWork } from "./judge-checkout.ts";
import { callSeat, type SeatAnswer, type SeatGround } from "./seat-call.ts";
import type { SeatRequest } from "./seat-request.ts";
import type { TaskState } from "./state.ts";

type Question = Parameters<TieBreaker["ask"]>[0];

/** Harm that no model may accept is no question for one. */
const CRITICAL = "it is not asked about a critical finding, whose harm only a person may accept";

/**
 * The workflow's tie-breaker, or who stands in for it, as the engine asks it; `asked` names the agent that answered last. Each question is a call of its own with its own context: with the
 * sides swapped nobody knows what was answered before.
 *
 * What is no word of the tie-breaker (Ctrl-C, a lost lease, a spent budget, a full disk) interrupts the resolution.
 */
export function seatTieBreaker(
	context: PromptGround & SeatGround & ArbiterGround,
	state: TaskState,
	finding: UpheldFinding,
): TieBreaker & { readonly asked: () => string | null } {
	let asked: string | null = null;
	return {
		asked: () => asked,
		ask: async (question) => {
			if (finding.severity === "critical") return { kind: "failed", reason: CRITICAL };
			const arbiter = await arbiterFor(context, finding);
			if ("nobody" in arbiter) return { kind: "failed", reason: arbiter.nobody };
			const wanted = { agent: arbiter.name, finding, question };
			const answer = await answerTo(() =>
				callSeat(context, tieBreakRequest(context, state, wanted)),
			);
			asked = answer.call.agent;
			return tieBreakOf(answer);
		},
	};
}

async function answerTo(
	ask: () => Promise<SeatAnswer>,
): Promise<Exclude<SeatAnswer, { kind: "unpaid" }>> {
	const answer = await ask().catch((cause: unknown) =>
		Promise.reject(new ResolutionInterrupted(cause)),
	);
	if (answer.kind !== "unpaid") return answer;
	throw new ResolutionInterrupted(new BudgetSpent(answer.reason));
}

function tieBreakOf({ kind, call }: Exclude<SeatAnswer, { kind: "unpaid" }>): TieBreak {
	if (kind === "failed") {
		return { kind: "failed", reason: `${call.agent}: ${call.outcome}: ${call.message ?? ""}` };
	}
	const parsed = parseTieBreakReport(call.report, call.reportProblem ?? undefined);
	if (!parsed.ok)
		return { kind: "failed", reason: `${call.agent}: its answer cannot be used: ${parsed.reason}` };
	const { verdict, rationale } = parsed.report;
	return { kind: "verdict", verdict, rationale };
}

function tieBreakRequest(
	context: PromptGround,
	state: TaskState,
	{
		agent,
		finding,
		question,
	}: { readonly agent: string; readonly finding: UpheldFinding; readonly question: Question },
): SeatRequest {
	const { event, order } = question;
	const isFirst = order === "developer_first";
	return {
		role: "tie_breaker",
		agent,
		...judgeCheckout(context, state, !isFirst),
		compose: async ({ workDir, handsIn }) => {
			const { told } = await judgedWork(context, state, workDir);
			const { developerOutput, reviewerFeedback } = event;
			return {
				prompt: tieBreakPrompt({
					developerOutput,
					reviewerFeedback,
					order,
					handsIn,
					background: await background(context),
				}),
				context: {
					role: "tie_breaker",
					...told,
					conflict: {
						finding: findingJson(finding),
						developer: developerOutput,
						reviewer: reviewerFeedback,
					},
				},
			};
		},
		nth: isFirst ? 0 : 1,
		recordLater: false,
	};
}

/** What was asked for, and what we ran ourselves: no side's word. */
async function background(context: PromptGround): Promise<string> {
	const evidence = await context.read.evidence(context.log.turn);
	const ran = evidence.map(({ check, kind, status }) => `- ${check} (${kind}): ${status}`);
	return [
		taskText(context.task),
		`## Results of Sparring's own checks on this work\n\n${ran.join("\n")}`,
	].join("\n\n");
}
