import type { Site, TaskContext } from "../context.ts";
import { halt } from "../halt.ts";
import type { TaskState } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";

/** `sign_off`: tier T2, and a task with `requires_human`, wait for a person before it merges. Without HIL it was warned of at load. */
export async function signOff(
	context: TaskContext,
	state: TaskState,
	_site: Site,
): Promise<NodeResult> {
	const { task } = context;
	if (task.gate && task.gatePolicy?.riskTier === "T2") {
		return {
			update: halt(
				"sign_off",
				`the T2 gate of ${task.id} passed at turn ${state.turn} and needs a signature before the merge`,
				"merge",
			),
		};
	}
	if (!task.requiresHuman)
		return { update: { next: "go" }, passedThrough: "no sign-off is asked for" };
	if (!task.human)
		return { update: { next: "go" }, passedThrough: "requires_human, but HIL is off" };
	return {
		update: halt(
			"requires_human",
			`turn ${state.turn} of ${task.id} is done and waits for your word before it merges`,
			"merge",
		),
	};
}
