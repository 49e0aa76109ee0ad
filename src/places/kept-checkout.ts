import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../kernel/json.ts";
import { isDelivered } from "../kernel/task-state.ts";
import type { TaskRecord } from "../store/records.ts";
import { knownCheckouts } from "./known-checkouts.ts";
import type { Places } from "./places.ts";

export const PLAYER_CHECKOUT = "player";

const MOST_CHARACTERS = 20;

/**
 * Directory of a checkout: in a folder of its own, under a name that no other one has on this machine. Tools derive names
 * from it, such as Docker Compose of its containers. It keeps it when the repository is renamed or moved.
 *
 * @param work absolute directory of its task, below that of its run
 * @param name of the checkout among those of the task
 */
export function checkoutDirectory({ root }: Places, work: string, name: string): string {
	const folder = join(work, name);
	const ending = `-${sha256([basename(dirname(work)), basename(work), name].join("/")).slice(0, 6)}`;
	const present = existsSync(folder) ? readdirSync(folder) : [];
	const words = basename(root)
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, "-");
	const repository = words.slice(0, MOST_CHARACTERS).replaceAll(/^-+|-+$/g, "") || "repository";
	return join(folder, present.find((each) => each.endsWith(ending)) ?? `${repository}${ending}`);
}

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
	const directory = checkoutDirectory(places, join(checkouts, runId, taskId), PLAYER_CHECKOUT);
	return existsSync(directory) ? directory : null;
}
