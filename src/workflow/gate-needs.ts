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

const ADD_OR_WAIVE = "add it, or waive it with a reason (`waive`)";
const NO_TESTS = "there is no acceptance check: add one that runs your tests";
const NO_COACH =
	"`require_coverage` needs a coach, who says which criteria are met: give the task one, or waive requirement_coverage";
const NO_CRITERIA =
	"`require_coverage` needs acceptance criteria, and the task has none: write them, or waive requirement_coverage";
const NO_NAMES =
	"`require_coverage` needs tests by name, and all are judged by their exit code: have one write a report, or waive requirement_coverage";
const NO_PEOPLE =
	"nobody can sign it, since people are off: set `overlays.hil.enabled: true` for the task, or `human.enabled: true`";

/**
 * Reason for which the gate of a task can pass no work at all, known before there is any; null where some can pass.
 *
 * @example `"there is no lint, no security check: add it, or waive it with a reason (\`waive\`)"` at T1 with tests alone
 */
export function impossibleGate(
	{ gate, gatePolicy, human, pair, acceptanceCriteria, subtasks = [] }: TaskDefinition,
	workflow: Pick<Workflow, "checks" | "waive">,
): string | null {
	if (!gate || gatePolicy === undefined) return null;
	const { riskTier, requireCoverage } = gatePolicy;
	const acceptance = workflow.checks.filter(({ kind }) => kind === "acceptance");
	const kinds = lackingKinds(riskTier, workflow);
	const isUnnamed =
		acceptance.length > 0 && acceptance.every(({ report }) => report?.format === "exit");
	const criteria = [acceptanceCriteria, ...subtasks.map((part) => part.acceptanceCriteria)].flat();
	const isCovered = !requireCoverage || Boolean(workflow.waive?.requirement_coverage?.trim());
	const lacks = [
		...(acceptance.length > 0 ? [] : [NO_TESTS]),
		...(kinds.length === 0 ? [] : [`there is no ${kinds.join(", no ")} check: ${ADD_OR_WAIVE}`]),
		...(isCovered || pair !== undefined ? [] : [NO_COACH]),
		...(isCovered || criteria.length > 0 ? [] : [NO_CRITERIA]),
		...(isCovered || !isUnnamed ? [] : [NO_NAMES]),
		...(riskTier !== "T2" || human ? [] : [NO_PEOPLE]),
	];
	return lacks.length === 0 ? null : lacks.join("; ");
}
