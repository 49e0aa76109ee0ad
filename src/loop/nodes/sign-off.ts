import type { Site, TaskContext } from "../context.ts";
import { halt } from "../halt.ts";
import type { TaskState } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";

/** `sign_off`: a task with `requires_human` waits for a person before it merges. Without HIL it was warned of at load. */
export async function signOff(
	context: TaskContext,
	state: TaskState,
	_site: Site,
): Promise<NodeResult> {
	if (!context.task.requiresHuman)
		return { update: { next: "go" }, passedThrough: "no sign-off is asked for" };
	if (!context.task.human)
		return { update: { next: "go" }, passedThrough: "requires_human, but HIL is off" };
	return {
		update: halt(
			"requires_human",
			`turn ${state.turn} of ${context.task.id} passed and waits for your word before it merges`,
			"merge",
		),
	};
}
