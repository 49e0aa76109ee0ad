import { MUTATION_TIMEOUT_MS } from "./limits.ts";
import type { MutationPolicy, TaskDefinition, Workflow } from "./workflow.ts";

const DEFAULT: MutationPolicy = { when: "auto", timeoutMs: MUTATION_TIMEOUT_MS };

/** The policy of a workflow; a run that was stored without one has the default. */
export function mutationPolicy({ mutation }: Pick<Workflow, "mutation">): MutationPolicy {
	return mutation ?? DEFAULT;
}

/**
 * Tells whether the acceptance checks are to be run on mutants of a task's change. Never without an acceptance check,
 * nor beside a check that writes a mutation report: that one says the same, and only its figures make the score.
 */
export function mutationNeed(
	workflow: Pick<Workflow, "mutation" | "checks">,
	{ confidence }: Pick<TaskDefinition, "confidence">,
): "yes" | "if_verified" | "no" {
	const { when } = mutationPolicy(workflow);
	const hasTests = workflow.checks.some(({ kind }) => kind === "acceptance");
	const hasOwn = workflow.checks.some(({ report }) => report?.format === "mutation");
	if (when === "never" || !hasTests || hasOwn) return "no";
	const isScored = confidence?.metrics.some(({ type }) => type === "mutation_score") === true;
	return when === "always" || isScored ? "yes" : "if_verified";
}
