import type { CheckDefinition, GatePolicy, TaskDefinition, Workflow } from "./workflow.ts";

/** Kinds of checks that a tier of the gate requires beside tests, unless they are waived. */
export const KINDS_OF_TIER: Readonly<
	Record<GatePolicy["riskTier"], readonly ("lint" | "security" | "readiness")[]>
> = {
	T0: [],
	T1: ["lint", "security"],
	T2: ["lint", "security", "readiness"],
};

/** Kinds that a tier requires and that are neither there nor waived. */
export function lackingKinds(
	tier: GatePolicy["riskTier"],
	{
		checks,
		waive = {},
	}: { readonly checks: readonly Pick<CheckDefinition, "kind">[] } & Pick<Workflow, "waive">,
): readonly string[] {
	return KINDS_OF_TIER[tier].filter(
		(name) => !waive[name]?.trim() && !checks.some(({ kind }) => kind === name),
	);
}

/**
 * Reason for which the gate of a task can pass no work at all, known before there is any; null where some can pass.
 *
 * @example `"there is no lint, no security check"` at T1 with tests alone
 */
export function impossibleGate(
	{ gate, gatePolicy, human, pair, acceptanceCriteria, subtasks = [] }: TaskDefinition,
	workflow: Pick<Workflow, "checks" | "waive">,
): string | null {
	if (!gate || gatePolicy === undefined) return null;
	const { riskTier, requireCoverage } = gatePolicy;
	const kinds = [
		...(workflow.checks.some(({ kind }) => kind === "acceptance") ? [] : ["acceptance"]),
		...lackingKinds(riskTier, workflow),
	];
	const criteria = [acceptanceCriteria, ...subtasks.map((part) => part.acceptanceCriteria)].flat();
	const isCovered = !requireCoverage || Boolean(workflow.waive?.requirement_coverage?.trim());
	const lacks = [
		...(kinds.length === 0 ? [] : [`there is no ${kinds.join(", no ")} check`]),
		...(isCovered || pair !== undefined ? [] : ["nobody says which criteria are met"]),
		...(isCovered || criteria.length > 0 ? [] : ["the task has no acceptance criteria"]),
		...(riskTier !== "T2" || human ? [] : ["nobody can sign it, since people are off"]),
	];
	return lacks.length === 0 ? null : lacks.join("; ");
}
