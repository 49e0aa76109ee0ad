import type { JudgeAnswer } from "../../confidence/judge-score.ts";
import { metricValues } from "../../confidence/metric-values.ts";
import { metricsOf } from "../../confidence/metrics-of.ts";
import { type Score, scoreOf } from "../../confidence/score-of.ts";
import { metricInputs } from "../../evidence/metric-inputs.ts";
import { treeOf } from "../../git/changes.ts";
import type { Write } from "../../store/records.ts";
import type { ConfidencePolicy } from "../../workflow/workflow.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "../context.ts";
import { evaluate } from "../evaluator-call.ts";
import { halt } from "../halt.ts";
import { endOfEpisode } from "../seat-call.ts";
import type { TaskState } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";
import { turnEvidence } from "../turn-evidence.ts";
import { turnRecord } from "../turn-record.ts";
import { scoreKey, type TurnScore } from "../turn-score.ts";

/** `score_confidence`: an advisory number for the turn, from what we ran ourselves; never called when it is off. */
export async function scoreConfidence(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	const policy = context.task.confidence;
	if (policy === undefined)
		return { update: { next: "go" }, passedThrough: "confidence_loop is off" };
	const judged = await judges(context, state, site, policy);
	if (judged.kind === "stopped") return judged.result;
	const score = await scored(context, state, site, { policy, judges: judged.answers });
	return { update: { next: "go" }, writes: scoreWrites(context, site, policy, score) };
}

type Judged =
	| { readonly kind: "answered"; readonly answers: ReadonlyMap<string, JudgeAnswer> }
	| { readonly kind: "stopped"; readonly result: NodeResult };

/** Asks each evaluator once. One that fails is its role's error, like a coach's. */
async function judges(
	context: TaskContext,
	state: TaskState,
	site: Site,
	policy: ConfidencePolicy,
): Promise<Judged> {
	const answers = new Map<string, JudgeAnswer>();
	const names = policy.metrics.flatMap(({ type, evaluator_agent: name }) =>
		type === "llm_judge" && name !== undefined ? [name] : [],
	);
	let from = 0;
	for (const evaluator of new Set(names)) {
		const said = await evaluate(context, state, site, { evaluator, from });
		if (said.kind === "unpaid") {
			return {
				kind: "stopped",
				result: { update: halt("budget", said.reason, "score_confidence") },
			};
		}
		if (said.kind === "failed") {
			const reason = `the evaluator ${evaluator} gave no score: ${said.reason}`;
			return {
				kind: "stopped",
				result: {
					update: halt("role_error", reason, "score_confidence"),
					writes: [await endOfEpisode(context, site, "evaluator")],
				},
			};
		}
		from += said.calls;
		const { score, rationale } = said.report;
		answers.set(evaluator, { ok: true, agent: said.agent, score, rationale });
	}
	return { kind: "answered", answers };
}

interface Scored extends Score, Pick<TurnScore, "metrics" | "values"> {
	readonly tree: string;
}

async function scored(
	context: TaskContext,
	state: TaskState,
	site: Site,
	{
		policy,
		judges: answers,
	}: { readonly policy: ConfidencePolicy; readonly judges: ReadonlyMap<string, JudgeAnswer> },
): Promise<Scored> {
	const { task, workflow } = context;
	const tree = await treeOf(context.vault, state.commit);
	const evidence = await turnEvidence(context, site.turn);
	const { claims } = await turnRecord(context, site.turn);
	const metrics = metricsOf(policy.metrics, {
		...metricInputs(evidence),
		tree,
		evidence,
		checks: workflow.checks,
		claims: task.pair === undefined ? null : claims,
		judges: answers,
		seats: [task.player, ...(task.pair === undefined ? [] : [task.pair.challenger])],
	});
	const values = Object.fromEntries(metricValues(metrics));
	return { ...scoreOf(policy.mode, policy.threshold, metrics), metrics, values, tree };
}

function scoreWrites(
	context: TaskContext,
	site: Site,
	policy: ConfidencePolicy,
	{ tree, ...score }: Scored,
): Write[] {
	const { run, task, clock } = context;
	const { score: value, advisory, metrics, values } = score;
	const kept: TurnScore = { score: value, advisory, metrics, values };
	return [
		{ kind: "step", key: scoreKey(context, site.turn), result: kept },
		taskWrite(context, { confidenceScore: score.score }),
		eventWrite(context, site, "confidence-scored", {
			mode: policy.mode,
			score: score.score,
			threshold: policy.threshold,
			advisory: score.advisory,
			metrics: score.metrics.map((metric) => ({ ...metric })),
		}),
		{
			kind: "score",
			score: {
				runId: run.runId,
				taskId: task.id,
				turn: site.turn,
				tree,
				agent: task.player,
				score: value,
				metrics,
				createdAt: new Date(clock.now()).toISOString(),
			},
		},
	];
}
