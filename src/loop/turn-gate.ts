import type { Measure } from "../confidence/metric.ts";
import { requirementCoverage } from "../confidence/requirement-coverage.ts";
import { checklistResults } from "../evidence/checklist.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { evaluatePolicy, type PolicyInput } from "../gate/evaluate-policy.ts";
import type { GateFacts } from "../gate/gate-facts.ts";
import type { GateReport } from "../gate/gate-report.ts";
import { questionText } from "../judge/judge.ts";
import { requiredOf } from "../review/effective-verdict.ts";
import { type JudgedSuspicion, shownSuspicion, unsettled } from "../review/suspicion-answers.ts";
import type { TurnRecord } from "../store/records.ts";
import { verificationReasonText } from "../verification/verification-text.ts";
import type { GatePolicy } from "../workflow/workflow.ts";
import type { TaskFacts } from "./context.ts";
import { isUntested } from "./present-task.ts";
import type { TurnScore } from "./records/task-steps.ts";
import type { TurnVerification } from "./records/turn-verification.ts";

const DEFAULT_POLICY: GatePolicy = {
	riskTier: "T0",
	requireCoverage: false,
	coverageThreshold: 1,
};

export interface GateQuestion {
	readonly tree: string;
	readonly evidence: readonly Evidence[];
	readonly baseline?: ReadonlyMap<string, Evidence> | undefined;
	readonly turn: Pick<TurnRecord, "claims">;
	readonly verification: TurnVerification | null;
	readonly score: TurnScore | null;
	readonly now: string;
	readonly allowed: GateReport["allowed"];
	readonly suspicions: readonly JudgedSuspicion[];
}

/** Facts of a turn for the gate. Its evidence is asked for where a gate is on, or where there is a check to give some. */
function gateFacts({ task, workflow }: TaskFacts, question: GateQuestion): TierFacts {
	const { tree, evidence, turn, verification, baseline } = question;
	const policy = task.gatePolicy ?? DEFAULT_POLICY;
	const coverage = policy.requireCoverage
		? coverageByCoach({ task }, { tree, evidence, turn })
		: { score: null, reason: "not asked for" };
	return {
		riskTier: policy.riskTier,
		...(isUntested({ task, workflow }) ? { scope: "trees" as const } : {}),
		tree,
		evidence,
		baseline,
		checks: workflow.checks,
		waive: workflow.waive ?? {},
		verification: {
			required: verification?.required ?? false,
			verdict: verification?.verdict ?? null,
			reason: verification?.reasons.map(verificationReasonText).join("; ") ?? null,
		},
		requirements: {
			required: policy.requireCoverage,
			threshold: policy.coverageThreshold,
			...coverage,
		},
		questions: unsettled(question.suspicions).map(({ suspicion }) => questionText(suspicion)),
	};
}

type TierFacts = GateFacts & Pick<PolicyInput, "riskTier">;

/** The gate on a turn, whether or not its task has one that reports; null for a formal review without one. */
export function turnGate(facts: TaskFacts, question: GateQuestion): GateReport | null {
	const { task, run } = facts;
	if (!task.gate && task.formalReview === true) return null;
	const { tree, evidence, score, now, allowed } = question;
	return evaluatePolicy({
		...gateFacts(facts, question),
		runId: run.runId,
		taskId: task.id,
		checklist: checklistResults(task.checklist?.length ?? 0, evidence, tree),
		confidence: score,
		evaluatedAt: now,
		allowed,
		suspicions: question.suspicions.map(shownSuspicion),
	});
}

function coverageByCoach(
	{ task }: Pick<TaskFacts, "task">,
	{ tree, evidence, turn: { claims } }: Pick<GateQuestion, "tree" | "evidence" | "turn">,
): Measure {
	return task.pair === undefined
		? { score: null, reason: "no coach judged the criteria in this turn" }
		: requirementCoverage({ claims, tree, evidence });
}

export function shortOfTurn(
	facts: TaskFacts,
	question: Omit<GateQuestion, "score" | "allowed" | "suspicions">,
): string[] {
	const { short } = requiredOf(question.evidence, facts.workflow.checks);
	if (short.length > 0) return [...short];
	const report = turnGate(facts, { ...question, score: null, allowed: [], suspicions: [] });
	if (report === null || !facts.task.gate) return [];
	const { verification, operational_readiness: readiness } = report.evidence_checks;
	const areas = [
		{ name: "verification", check: verification },
		{ name: "operational readiness", check: readiness },
	];
	return areas.flatMap(({ name, check: { status, details } }) =>
		status === "FAIL" || status === "ABSENT" ? [`${name} (${details})`] : [],
	);
}
