import type { Evidence } from "../evidence/evidence.ts";
import type { GateCheck, GateReport, RiskTier } from "./gate-report.ts";

/** The tiers that can be evaluated. */
export type GateTier = Extract<RiskTier, "T0">;

/** What the gate is given. */
export interface GateInput {
	readonly runId: string;
	readonly taskId: string;
	readonly riskTier: GateTier;
	/** Tree id that is judged: evidence of another tree says nothing of it. */
	readonly tree: string;
	/** Of each check its last evidence in this turn; evidence of the baseline is left out of account. */
	readonly evidence: readonly Evidence[];
	/** ISO 8601 UTC. */
	readonly evaluatedAt: string;
}

type Area = keyof GateReport["evidence_checks"];

/** One row of the table of what each tier requires. */
interface Row {
	readonly area: Area;
	/** As the rule names it. */
	readonly label: string;
	readonly kinds: readonly Evidence["kind"][];
	/** Kinds of which at least one piece of evidence must be there. */
	readonly needs: readonly Evidence["kind"][];
	readonly tiers: Readonly<Record<GateTier, "required" | "shown">>;
}

const ROWS: readonly Row[] = [
	{
		area: "acceptance_evidence",
		label: "acceptance evidence",
		kinds: ["acceptance", "integrity"],
		needs: ["acceptance", "integrity"],
		tiers: { T0: "required" },
	},
	{
		area: "verification",
		label: "verification",
		kinds: ["lint", "security"],
		needs: ["lint", "security"],
		tiers: { T0: "shown" },
	},
	{
		area: "operational_readiness",
		label: "operational readiness",
		kinds: ["readiness"],
		needs: ["readiness"],
		tiers: { T0: "shown" },
	},
	{
		area: "requirement_coverage",
		label: "requirement coverage",
		kinds: [],
		needs: [],
		tiers: { T0: "shown" },
	},
];

function describe({ check, status, reason }: Evidence): string {
	return reason === null ? `${check}: ${status}` : `${check}: ${status} (${reason})`;
}

/** What the evidence of one row amounts to when it is required. A failure outweighs an absence: it says more. */
function required(row: Row, evidence: readonly Evidence[], tree: string): GateCheck {
	const ofTree = evidence.filter((item) => item.tree === tree);
	const stale = evidence.filter((item) => item.tree !== tree);
	const lacking = row.needs.filter((kind) => !evidence.some((item) => item.kind === kind));
	const details = [
		...ofTree.map(describe),
		...stale.map(({ check }) => `${check}: absent (its evidence is of another tree)`),
		...lacking.map((kind) => `no ${kind} check left evidence`),
	].join("; ");
	if (ofTree.some(({ status }) => status === "fail")) return { status: "FAIL", details };
	const short = ofTree.some(({ status }) => status !== "pass");
	const absent = short || stale.length > 0 || lacking.length > 0;
	return { status: absent ? "ABSENT" : "PASS", details };
}

function judge(row: Row, input: GateInput): GateCheck {
	const evidence = input.evidence.filter(
		({ kind, purpose }) => purpose !== "baseline" && row.kinds.includes(kind),
	);
	if (row.tiers[input.riskTier] === "required") return required(row, evidence, input.tree);
	const note = `not required at ${input.riskTier}`;
	return { status: "SKIPPED", details: [note, ...evidence.map(describe)].join("; ") };
}

/**
 * Policy times evidence gives PASS or FAIL, with the rule that decided.
 *
 * Tier T0: every acceptance check passed on this tree and nothing that defines or weakens the tests was touched
 * (`integrity`). Lint, security and readiness are shown and decide nothing. Missing evidence is `ABSENT`, never
 * `FAIL`, and still the verdict is FAIL. Confidence is no input.
 *
 * @example no acceptance check: `acceptance_evidence` is ABSENT, the verdict FAIL, and the rule
 * `"T0: acceptance evidence is required, and it is absent: no acceptance check left evidence"`
 */
export function evaluateGate(input: GateInput): GateReport {
	const judged = ROWS.map((row) => ({ row, check: judge(row, input) }));
	const refused = judged.filter(
		({ check }) => check.status === "FAIL" || check.status === "ABSENT",
	);
	const rules = (
		refused.length > 0 ? refused : judged.filter(({ check }) => check.status === "PASS")
	).map(({ row, check }) => {
		const needed = `${input.riskTier}: ${row.label} is required`;
		if (check.status === "PASS") return `${needed}, and it passed`;
		return `${needed}, and it ${check.status === "FAIL" ? "failed" : "is absent"}: ${check.details}`;
	});
	// One entry for each of ROWS, which names every area of the report once.
	const checks = Object.fromEntries(
		judged.map(({ row, check }) => [row.area, check]),
	) as GateReport["evidence_checks"];
	return {
		run_id: input.runId,
		task_id: input.taskId,
		risk_tier: input.riskTier,
		verdict: refused.length > 0 ? "FAIL" : "PASS",
		rule: rules.join("; "),
		evidence_checks: checks,
		confidence_score: null,
		confidence_advisory: null,
		metrics: [],
		hil_required: false,
		evaluated_at: input.evaluatedAt,
		tree: input.tree,
	};
}
