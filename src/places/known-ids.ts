import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findRoot } from "./find-root.ts";
import { placesOf } from "./places.ts";

/** Ids that a person can type in a repository; what a shell offers when they press Tab. */
export interface KnownIds {
	/** Newest first. */
	readonly runs: readonly string[];
	/** Tasks of the newest run. */
	readonly tasks: readonly string[];
	/** Tasks of `sparring.yaml`. */
	readonly workflowTasks: readonly string[];
	/** Questions that wait. */
	readonly items: readonly string[];
}

const MOST_RUNS = 50;

// A larger workflow file is not read for a key press.
const MOST_BYTES = 1024 * 1024;

const isSafe = (id: string): boolean => /^[\w][\w.-]*$/.test(id);

async function tasksIn(file: string): Promise<readonly string[]> {
	if ((statSync(file, { throwIfNoEntry: false })?.size ?? MOST_BYTES) >= MOST_BYTES) return [];
	const { isMap, isScalar, parseDocument } = await import("yaml");
	const tasks = parseDocument(readFileSync(file, "utf8")).get("tasks");
	const keys = isMap(tasks)
		? tasks.items.map(({ key }) => (isScalar(key) ? String(key.value) : ""))
		: [];
	return keys.filter(isSafe);
}

/** Names that a shell can complete; the database is only read, and none is made. */
export async function knownIds({
	directory,
	env,
}: {
	readonly directory: string;
	readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<KnownIds> {
	const root = findRoot(directory);
	if (root === undefined) return { runs: [], tasks: [], workflowTasks: [], items: [] };
	const workflowTasks = await tasksIn(join(root, "sparring.yaml")).catch(() => []);
	const places = placesOf(root, env);
	if (!existsSync(places.database)) return { runs: [], tasks: [], workflowTasks, items: [] };
	const { openStore } = await import("./store.ts");
	await using store = await openStore(places, { readOnly: true });
	const { records } = store;
	const runs = (await records.runs()).map(({ runId }) => runId).slice(0, MOST_RUNS);
	const [newest] = runs;
	const tasks = newest === undefined ? [] : await records.tasks(newest);
	const items = await records.items();
	return {
		runs,
		tasks: tasks.map(({ taskId }) => taskId).filter(isSafe),
		workflowTasks,
		items: items.filter(({ answer }) => answer === null).map(({ id }) => id),
	};
}
