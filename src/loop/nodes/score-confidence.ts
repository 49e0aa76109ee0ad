import type { EvaluatorReport } from "../../agents/report.ts";
import { metricInputs } from "../../checks/metric-inputs.ts";
import type { CriterionClaim } from "../../confidence/metric.ts";
import { type JudgeAnswer, metricsOf } from "../../confidence/metrics-of.ts";
import { metricValues, scoreOf } from "../../confidence/score-of.ts";
import { checklistResults } from "../../evidence/checklist.ts";
import { criteriaStatus } from "../../review/criteria.ts";
import { type StepKey, stepWrite } from "../../store/records.ts";
import type { ConfidencePolicy, TaskDefinition } from "../../workflow/workflow.ts";
import { type NodeResult, passed, unpaid } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import type { Journal } from "../records/task-log.ts";
import type { TurnScore } from "../records/task-steps.ts";
import { reportsRejected, scored } from "../records/turn.ts";
import type { Evaluation } from "../roles.ts";

/** `score_confidence`: an advisory number for the turn, from what we ran ourselves; never called when it is off. */
export async function scoreConfidence(input: NodeInput): Promise<NodeResult<"go" | "halt">> {
	const { facts, state, log, commits } = input;
	const policy = facts.task.confidence;
	if (policy === undefined) return passed("confidence_loop is off");
	const heard = await hearEvaluators(input, policy);
	if (heard.kind === "unpaid") return { update: unpaid(heard.reason) };
	const tree = await commits.treeOf(state.commit);
	const score = await scoreTurn(input, { policy, tree, heard: heard.by });
	const agent = facts.task.player;
	const statements = asksOfCriteria(facts.task, policy)
		? [...heard.by.values()].flatMap((one) => one.statements)
		: null;
	return {
		update: { next: "go" },
		writes: scored(log, policy.mode, score, { tree, agent }, statements),
	};
}

interface HeardEvaluator {
	readonly answer: JudgeAnswer;
	readonly statements: EvaluatorReport["requirements_status"];
	readonly calls: number;
}

const heardStep = (log: Journal, evaluator: string): StepKey<HeardEvaluator> =>
	log.key(`evaluator/${evaluator}`);

type Answers =
	| { readonly kind: "heard"; readonly by: ReadonlyMap<string, HeardEvaluator> }
	| Extract<Evaluation, { kind: "unpaid" }>;

/** Asks each evaluator once. One that fails gives no score, which is told; its word is advice and stops nothing. */
async function hearEvaluators(input: NodeInput, policy: ConfidencePolicy): Promise<Answers> {
	const { facts, read, log, keep, seats } = input;
	const by = new Map<string, HeardEvaluator>();
	const judgesCriteria = asksOfCriteria(facts.task, policy);
	const names = policy.metrics.flatMap(({ type, evaluator_agent: name }) =>
		type === "llm_judge" && name !== undefined ? [name] : [],
	);
	let from = 0;
	for (const evaluator of new Set(names)) {
		const key = heardStep(log, evaluator);
		let heard = await read.step(key);
		if (heard === undefined) {
			const said = await seats.evaluator({ agent: evaluator, nth: from, judgesCriteria });
			if (said.kind === "unpaid") return said;
			heard = heardOf(said);
			await keep([stepWrite(key, heard), ...reportsRejected(log, "evaluator", said.refused)]);
		}
		from += heard.calls;
		by.set(evaluator, heard);
	}
	return { kind: "heard", by };
}

function asksOfCriteria(
	{ pair, checklist }: TaskDefinition,
	{ metrics }: ConfidencePolicy,
): boolean {
	const hasChecklist = (checklist ?? []).length > 0;
	return metrics.some(
		({ type }) =>
			pair === undefined &&
			(type === "requirement_coverage" || (type === "checklist_completion" && !hasChecklist)),
	);
}

function heardOf(said: Exclude<Evaluation, { kind: "unpaid" }>): HeardEvaluator {
	const calls = said.refused.length;
	if (said.kind === "failed")
		return { answer: { ok: false, reason: said.reason }, statements: [], calls };
	const { score, rationale, requirements_status: statements } = said.report;
	return {
		answer: { ok: true, agent: said.call.agent, score, rationale },
		statements,
		calls: calls + 1,
	};
}

function claimsOf(
	{ acceptanceCriteria, player }: TaskDefinition,
	heard: Iterable<HeardEvaluator>,
): CriterionClaim[] | null {
	const said = [...heard].flatMap(({ answer, statements }) =>
		answer.ok && answer.agent !== player ? statements : [],
	);
	return said.length === 0
		? null
		: criteriaStatus(acceptanceCriteria, { requirements_status: said });
}

async function scoreTurn(
	{ facts, read, log }: NodeInput,
	given: {
		readonly policy: ConfidencePolicy;
		readonly tree: string;
		readonly heard: ReadonlyMap<string, HeardEvaluator>;
	},
): Promise<TurnScore> {
	const { task, workflow } = facts;
	const { policy, tree, heard } = given;
	const { mode, threshold } = policy;
	const evidence = await read.evidence(log.turn);
	const { claims } = await read.turn(log.turn);
	const metrics = metricsOf(policy.metrics, {
		...metricInputs(evidence),
		tree,
		evidence,
		checks: workflow.checks,
		checklist: checklistResults(task.checklist?.length ?? 0, evidence, tree),
		claims: task.pair === undefined ? claimsOf(task, heard.values()) : claims,
		judges: new Map([...heard].map(([name, { answer }]) => [name, answer])),
		seats: task.pair === undefined ? [task.player] : [task.player, task.pair.challenger],
	});
	const values = Object.fromEntries(metricValues(metrics));
	return { ...scoreOf(mode, threshold, metrics), threshold, metrics, values };
}
