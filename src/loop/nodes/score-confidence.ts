import type { JudgeAnswer } from "../../confidence/judge-score.ts";
import { metricValues } from "../../confidence/metric-values.ts";
import { metricsOf } from "../../confidence/metrics-of.ts";
import { type Score, scoreOf } from "../../confidence/score-of.ts";
import { metricInputs } from "../../evidence/metric-inputs.ts";
import type { ConfidencePolicy } from "../../workflow/workflow.ts";
import { halt, type NodeInput, type NodeResult, passed } from "../node.ts";
import { scored } from "../records/turn.ts";
import type { TurnScore } from "../turn-score.ts";

type Input = Pick<NodeInput, "facts" | "state" | "read" | "log" | "commits" | "seats">;
type Result = NodeResult<"go" | "halt">;

/** `score_confidence`: an advisory number for the turn, from what we ran ourselves; never called when it is off. */
export async function scoreConfidence(input: Input): Promise<Result> {
	const { facts, state, log, commits } = input;
	const policy = facts.task.confidence;
	if (policy === undefined) return passed("confidence_loop is off");
	const judged = await judges(input, policy);
	if (judged.kind === "stopped") return judged.result;
	const tree = await commits.treeOf(state.commit);
	const score = await scoreTurn(input, { policy, tree, judges: judged.answers });
	const agent = facts.task.player;
	return { update: { next: "go" }, writes: scored(log, policy, score, { tree, agent }) };
}

type Judged =
	| { readonly kind: "answered"; readonly answers: ReadonlyMap<string, JudgeAnswer> }
	| { readonly kind: "stopped"; readonly result: Result };

/** Asks each evaluator once. One that fails is its role's error, like a coach's. */
async function judges({ seats }: Input, policy: ConfidencePolicy): Promise<Judged> {
	const answers = new Map<string, JudgeAnswer>();
	const names = policy.metrics.flatMap(({ type, evaluator_agent: name }) =>
		type === "llm_judge" && name !== undefined ? [name] : [],
	);
	let from = 0;
	for (const evaluator of new Set(names)) {
		const said = await seats.evaluator({ evaluator, from });
		if (said.kind === "unpaid") {
			const update = halt("budget", { kind: "budget_spent", why: said.reason });
			return { kind: "stopped", result: { update } };
		}
		if (said.kind === "failed") {
			const by = { role: "evaluator", agent: evaluator, why: said.reason } as const;
			const update = halt("role_error", { kind: "role_failed", ...by });
			const writes = [await seats.endEpisode("evaluator")];
			return { kind: "stopped", result: { update, writes } };
		}
		from += said.calls;
		const { score, rationale } = said.report;
		answers.set(evaluator, { ok: true, agent: said.agent, score, rationale });
	}
	return { kind: "answered", answers };
}

async function scoreTurn(
	{ facts, read, log }: Input,
	given: {
		readonly policy: ConfidencePolicy;
		readonly tree: string;
		readonly judges: ReadonlyMap<string, JudgeAnswer>;
	},
): Promise<Score & Pick<TurnScore, "metrics" | "values">> {
	const { task, workflow } = facts;
	const { policy, tree } = given;
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
	return { ...scoreOf(policy.mode, policy.threshold, metrics), metrics, values };
}
