import type { JudgeAnswer } from "../../confidence/judge-score.ts";
import { metricValues } from "../../confidence/metric-values.ts";
import { metricsOf } from "../../confidence/metrics-of.ts";
import { scoreOf } from "../../confidence/score-of.ts";
import { metricInputs } from "../../evidence/metric-inputs.ts";
import { type StepKey, stepWrite } from "../../store/records.ts";
import type { ConfidencePolicy } from "../../workflow/workflow.ts";
import type { Evaluation } from "../evaluator-call.ts";
import { halt, type NodeInput, type NodeResult, passed } from "../node.ts";
import { reportRejected, scored } from "../records/turn.ts";
import type { TaskLog } from "../task-log.ts";
import type { TurnScore } from "../turn-score.ts";

type Input = Pick<NodeInput, "facts" | "state" | "read" | "log" | "keep" | "commits" | "seats">;
type Result = NodeResult<"go" | "halt">;

/** `score_confidence`: an advisory number for the turn, from what we ran ourselves; never called when it is off. */
export async function scoreConfidence(input: Input): Promise<Result> {
	const { facts, state, log, commits } = input;
	const policy = facts.task.confidence;
	if (policy === undefined) return passed("confidence_loop is off");
	const heard = await hearEvaluators(input, policy);
	if (heard.kind === "unpaid")
		return { update: halt("budget", { kind: "budget_spent", why: heard.reason }) };
	const tree = await commits.treeOf(state.commit);
	const score = await scoreTurn(input, { policy, tree, judges: heard.answers });
	const agent = facts.task.player;
	return { update: { next: "go" }, writes: scored(log, policy, score, { tree, agent }) };
}

/** What came of an evaluator in a turn, kept so that after a kill its answers are not taken for those of another. */
interface Heard {
	readonly answer: JudgeAnswer;
	/** Answered calls of the role `evaluator` that this took. */
	readonly calls: number;
}

const heardStep = (log: TaskLog, evaluator: string): StepKey<Heard> =>
	log.key(`evaluator/${evaluator}`);

type Answers =
	| { readonly kind: "heard"; readonly answers: ReadonlyMap<string, JudgeAnswer> }
	| Extract<Evaluation, { kind: "unpaid" }>;

/** Asks each evaluator once. One that fails gives no score, which is told; its word is advice and stops nothing. */
async function hearEvaluators(input: Input, policy: ConfidencePolicy): Promise<Answers> {
	const { read, log, keep, seats } = input;
	const answers = new Map<string, JudgeAnswer>();
	const names = policy.metrics.flatMap(({ type, evaluator_agent: name }) =>
		type === "llm_judge" && name !== undefined ? [name] : [],
	);
	let from = 0;
	for (const evaluator of new Set(names)) {
		const key = heardStep(log, evaluator);
		let heard = await read.step(key);
		if (heard === undefined) {
			const said = await seats.evaluator({ evaluator, from });
			if (said.kind === "unpaid") return said;
			heard = { answer: answerOf(said), calls: callsOf(said) };
			const rejected = said.refused.flatMap(({ call, reason }) =>
				reportRejected(log, "evaluator", call, reason),
			);
			await keep([stepWrite(key, heard), ...rejected]);
		}
		from += heard.calls;
		answers.set(evaluator, heard.answer);
	}
	return { kind: "heard", answers };
}

type Said = Exclude<Evaluation, { kind: "unpaid" }>;

function answerOf(said: Said): JudgeAnswer {
	if (said.kind === "failed") return { ok: false, reason: said.reason };
	const { score, rationale } = said.report;
	return { ok: true, agent: said.agent, score, rationale };
}

const callsOf = ({ kind, refused }: Said): number => refused.length + (kind === "scored" ? 1 : 0);

async function scoreTurn(
	{ facts, read, log }: Input,
	given: {
		readonly policy: ConfidencePolicy;
		readonly tree: string;
		readonly judges: ReadonlyMap<string, JudgeAnswer>;
	},
): Promise<TurnScore> {
	const { task, workflow } = facts;
	const { policy, tree } = given;
	const { mode, threshold } = policy;
	const evidence = await read.evidence(log.turn);
	const { claims } = await read.turn(log.turn);
	const metrics = metricsOf(policy.metrics, {
		...metricInputs(evidence),
		tree,
		evidence,
		checks: workflow.checks,
		claims: task.pair === undefined ? null : claims,
		judges: given.judges,
		seats: task.pair === undefined ? [task.player] : [task.player, task.pair.challenger],
	});
	const values = Object.fromEntries(metricValues(metrics));
	return { ...scoreOf(mode, threshold, metrics), threshold, metrics, values };
}
