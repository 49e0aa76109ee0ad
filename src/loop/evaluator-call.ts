import { type EvaluatorReport, parseEvaluatorReport } from "../agents/evaluator-report.ts";
import { Fault, type FaultCode } from "../kernel/fault.ts";
import { judgePrompt } from "../review/judge-prompt.ts";
import { repairPrompt } from "../review/report-format.ts";
import type { CallRecord } from "../store/records.ts";
import type { SeatRequest } from "./agent-call.ts";
import { judgeCheckout, judgedWork } from "./coach-call.ts";
import type { Ground } from "./context.ts";
import { callSeat, type SeatAnswer } from "./seat-call.ts";
import type { TaskState } from "./state.ts";

interface Refused {
	readonly call: CallRecord;
	readonly reason: string;
}

export type Evaluation =
	| {
			readonly kind: "scored";
			readonly agent: string;
			readonly report: EvaluatorReport;
			readonly refused: readonly Refused[];
	  }
	| { readonly kind: "failed"; readonly reason: string; readonly refused: readonly Refused[] }
	| { readonly kind: "unpaid"; readonly reason: string };

export interface EvaluatorCall {
	readonly evaluator: string;
	readonly from: number;
	readonly judgesCriteria: boolean;
}

/**
 * Asks an evaluator for a score of a turn's work, and once more with the error when its report is invalid.
 */
export async function evaluate(
	context: Ground,
	state: TaskState,
	{ from, ...asked }: EvaluatorCall,
): Promise<Evaluation> {
	const refused: Refused[] = [];
	for (const repeat of [0, 1]) {
		const last = refused.at(-1) ?? null;
		const request = evaluatorRequest(context, state, { ...asked, refused: last });
		const answer = await askEvaluator(context, { ...request, nth: from + repeat });
		if (answer.kind === "unpaid") return answer;
		if (answer.kind === "failed") return { ...answer, refused };
		const { call } = answer;
		const parsed = parseEvaluatorReport(call.report, call.reportProblem ?? undefined);
		if (parsed.ok) return { kind: "scored", agent: call.agent, report: parsed.report, refused };
		refused.push({ call, reason: parsed.reason });
	}
	const reason = `${refused.at(-1)?.reason ?? ""} (asked twice)`;
	return { kind: "failed", reason, refused };
}

const UNUSABLE: ReadonlySet<string> = new Set<FaultCode>([
	"program-missing",
	"cassette-invalid",
	"workflow-invalid",
]);

type EvaluatorAnswer =
	| Exclude<SeatAnswer, { kind: "failed" }>
	| { readonly kind: "failed"; readonly reason: string };

async function askEvaluator(context: Ground, request: SeatRequest): Promise<EvaluatorAnswer> {
	try {
		const answer = await callSeat(context, request);
		if (answer.kind !== "failed") return answer;
		const { agent, outcome, message } = answer.call;
		const who = agent === request.agent ? "" : `its fallback ${agent}: `;
		return { kind: "failed", reason: `${who}${outcome}: ${message ?? ""}` };
	} catch (error) {
		if (!(error instanceof Fault && UNUSABLE.has(error.code))) throw error;
		return { kind: "failed", reason: error.message };
	}
}

function evaluatorRequest(
	context: Ground,
	state: TaskState,
	{
		evaluator,
		judgesCriteria,
		refused,
	}: Omit<EvaluatorCall, "from"> & { readonly refused: Refused | null },
): Omit<SeatRequest, "nth"> {
	return {
		role: "evaluator",
		agent: evaluator,
		...judgeCheckout(context, state),
		compose: async ({ workDir, handsIn }) => {
			const { diff, told } = await judgedWork(context, state, workDir);
			const original = judgePrompt({
				task: context.task,
				diff: diff.text,
				diffPath: diff.path,
				judgesCriteria,
				handsIn,
			});
			const prompt =
				refused === null
					? original
					: repairPrompt({
							role: "evaluator",
							original,
							error: refused.reason,
							rejected: refused.call.report,
							handsIn,
							judgesCriteria,
						});
			return { prompt, context: { role: "evaluator", ...told } };
		},
		recordLater: false,
	};
}
