import type { WorkflowFile } from "./schema.ts";

type Overlays = NonNullable<WorkflowFile["defaults"]>["overlays"];

/** The challenger of an enabled pair, as a list of one or none. */
function challengersOf(overlays: Overlays | undefined): string[] {
	const pair = overlays?.paired_workflow;
	return pair?.enabled === true && pair.challenger_agent !== undefined
		? [pair.challenger_agent]
		: [];
}

/**
 * Name of the agent that turns requirements into tasks: the one that the file names, else the challenger of the pair in
 * `defaults`, else the one challenger of all tasks, else the only agent.
 *
 * @param file with `defaults` merged into its tasks
 * @returns undefined where several could be meant, or there is none
 */
export function plannerOf({
	planner,
	defaults,
	tasks = {},
	agents = {},
}: Pick<WorkflowFile, "planner" | "defaults" | "tasks" | "agents">): string | undefined {
	if (planner !== undefined) return planner;
	const [usual] = challengersOf(defaults?.overlays);
	if (usual !== undefined) return usual;
	const seated = new Set(Object.values(tasks).flatMap(({ overlays }) => challengersOf(overlays)));
	const candidates = seated.size > 0 ? [...seated] : Object.keys(agents);
	return candidates.length === 1 ? candidates[0] : undefined;
}
