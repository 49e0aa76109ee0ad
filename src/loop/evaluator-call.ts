import { type EvaluatorReport, parseEvaluatorReport } from "../agents/report.ts";
import { Fault, type FaultCode } from "../kernel/fault.ts";
import { judgePrompt } from "../review/judge-prompt.ts";
import type { RefusedAnswer, SeatRequest } from "./agent-call.ts";
import { judgeCheckout, judgedWork } from "./coach-call.ts";
import type { Ground } from "./context.ts";
import { callSeat, heardTwice } from "./seat-call.ts";

export type Evaluation =
	| {
			readonly kind: "scored";
			readonly agent: string;
			readonly report: EvaluatorReport;
			readonly refused: readonly RefusedAnswer[];
	  }
	| { readonly kind: "failed"; readonly reason: string; readonly refused: readonly RefusedAnswer[] }
	| { readonly kind: "unpaid"; readonly reason: string };

export interface EvaluatorCall {
	readonly evaluator: string;
	readonly from: number;
	readonly judgesCriteria: boolean;
}

export async function evaluate(
	ground: Ground,
	{ from, ...asked }: EvaluatorCall,
): Promise<Evaluation> {
	const refused: RefusedAnswer[] = [];
	const request = evaluatorRequest(ground, asked);
	try {
		const heard = await heardTwice({
			asked: asked.evaluator,
			ask: (nth, last) => callSeat(ground, { ...request, refused: last, nth: from + nth }),
			parse: parseEvaluatorReport,
			onRefused: (one) => void refused.push(one),
			invalid: (reason) => `${reason} (asked twice)`,
		});
		if (heard.kind === "unpaid") return heard;
		return heard.kind === "report"
			? { kind: "scored", agent: heard.call.agent, report: heard.report, refused }
			: { kind: "failed", reason: heard.reason, refused };
	} catch (error) {
		// Nobody looked for what an evaluator needs before the run started, so what it lacks may show only now.
		if (!(error instanceof Fault && UNUSABLE.has(error.code))) throw error;
		return { kind: "failed", reason: error.message, refused };
	}
}

const UNUSABLE: ReadonlySet<string> = new Set<FaultCode>([
	"program-missing",
	"cassette-invalid",
	"workflow-invalid",
]);

function evaluatorRequest(
	ground: Ground,
	{ evaluator, judgesCriteria }: Omit<EvaluatorCall, "from">,
): Omit<SeatRequest, "nth"> {
	return {
		role: "evaluator",
		agent: evaluator,
		...judgeCheckout(ground),
		compose: async ({ workDir, handsIn }) => {
			const { diff, told } = await judgedWork(ground, workDir);
			const { text, path: diffPath } = diff;
			const { task } = ground;
			return {
				prompt: judgePrompt({ task, diff: text, diffPath, judgesCriteria, handsIn }),
				context: { role: "evaluator", ...told },
			};
		},
		judgesCriteria,
	};
}
