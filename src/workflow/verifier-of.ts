import type { TaskDefinition, Workflow } from "./workflow.ts";

/**
 * Name of the agent that writes independent tests for a task: the one that the workflow names, else the pair's
 * challenger. A challenger that is a model by API cannot write files and is none.
 *
 * @returns null where there is none
 */
export function verifierOf(
	{ agents, verification }: Pick<Workflow, "agents" | "verification">,
	{ pair }: Pick<TaskDefinition, "pair">,
): string | null {
	if (verification.agent !== undefined) return verification.agent;
	const challenger = pair?.challenger;
	return challenger === undefined || agents[challenger]?.adapter === "model" ? null : challenger;
}
