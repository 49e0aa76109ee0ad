import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDelivered } from "../kernel/task-state.ts";
import type { TaskRecord } from "../store/records.ts";
import { knownCheckouts } from "./known-checkouts.ts";
import type { Places } from "./places.ts";

/** Directory of a task's player below the directory of its checkouts. */
export const PLAYER_CHECKOUT = "player";

/**
 * Absolute path of a task's player's checkout: where its work is looked at and, after a failure, kept.
 *
 * @returns null where there is none: before the task began, for a formal review, once its work has merged, and after it
 * was removed
 */
export function keptCheckout(
	places: Places,
	{ runId, taskId, ...task }: Pick<TaskRecord, "runId" | "taskId" | "status" | "merged" | "flags">,
): string | null {
	const checkouts = knownCheckouts(places);
	// Of merged work it is about to be removed, where it is still there.
	if (checkouts === null || (task.status === "completed" && isDelivered(task))) return null;
	const directory = join(checkouts, runId, taskId, PLAYER_CHECKOUT);
	return existsSync(directory) ? directory : null;
}
