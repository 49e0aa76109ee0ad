import { requirementCoverage } from "../confidence/requirement-coverage.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { evaluatePolicy } from "../gate/evaluate-policy.ts";
import type { GateReport } from "../gate/gate-report.ts";
import type { TurnRecord, Write } from "../store/records.ts";
import type { GatePolicy } from "../workflow/workflow.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "./context.ts";
import { gateReportKey, type TurnScore } from "./turn-score.ts";

/** What the gate of a task without a policy of its own asks for. */
const DEFAULT_POLICY: GatePolicy = {
	riskTier: "T0",
	requireCoverage: false,
	coverageThreshold: 1,
};

/** What the gate is asked about. */
export interface GateQuestion {
	/** Tree id of the turn's commit. */
	readonly tree: string;
	/** Of each check the last evidence of this turn. */
	readonly evidence: readonly Evidence[];
	readonly turn: TurnRecord;
	/** null when nothing is scored. */
	readonly score: TurnScore | null;
}

/** The gate's report on a turn; null where no gate applies. */
export function turnGate(context: TaskContext, question: GateQuestion): GateReport | null {
	const { task, workflow, run, clock } = context;
	if (!task.gate) return null;
	const policy = task.gatePolicy ?? DEFAULT_POLICY;
	const { tree, evidence, turn, score } = question;
	const claims = task.pair === undefined ? null : turn.claims;
	return evaluatePolicy({
		runId: run.runId,
		taskId: task.id,
		riskTier: policy.riskTier,
		tree,
		evidence,
		checks: workflow.checks,
		waive: workflow.waive ?? {},
		verification: { required: false, verdict: null, reason: null },
		requirements: {
			required: policy.requireCoverage,
			threshold: policy.coverageThreshold,
			...(policy.requireCoverage
				? requirementCoverage({ claims, tree, evidence })
				: { score: null, reason: "not asked for" }),
		},
		confidence:
			score === null
				? null
				: { score: score.score, advisory: score.advisory, metrics: score.metrics },
		evaluatedAt: new Date(clock.now()).toISOString(),
	});
}

/** The records of a gate's report. */
export function gateWrites(context: TaskContext, site: Site, report: GateReport | null): Write[] {
	if (report === null) return [];
	const { run, task } = context;
	const { verdict, rule, risk_tier } = report;
	return [
		{ kind: "step", key: gateReportKey(context, site.turn), result: report },
		taskWrite(context, { gate: { riskTier: risk_tier, verdict } }),
		eventWrite(context, site, "gate-evaluated", { verdict, rule, risk_tier }),
		{
			kind: "score-outcome",
			...{ runId: run.runId, taskId: task.id, turn: site.turn },
			patch: { gate: verdict },
		},
	];
}
