import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { removeTree } from "../../git/file-tree.ts";
import { allocatedBytes } from "../disk-size.ts";
import { knownCheckouts } from "../known-checkouts.ts";
import type { Places } from "../places.ts";

/** Folders in which the newest run's files stand for other tools, each file naming its run. */
const SHARED_FOLDERS = [
	"traces",
	"state/pair-sessions",
	"state/gate-reports",
	"state/verification",
];

/** Whether files of a run are still there: its outputs, transcripts or checkouts. */
export function hasRunFiles(places: Places, runId: string): boolean {
	return ownPaths(places, runId).some((path) => existsSync(path));
}

/** Whose files go. */
export interface PrunedFiles {
	readonly runId: string;
	/** The newest run of the repository, this one perhaps. */
	readonly newest: string;
}

/**
 * Removes the files of a run: outputs of checks, traces, transcripts, checkouts, and what stands for other tools of it.
 * Its records and refs stay.
 *
 * @param seen files with several links that were counted before
 * @returns how many bytes that freed on the disk
 */
export async function removeRunFiles(
	places: Places,
	pruned: PrunedFiles,
	seen: Set<string>,
): Promise<number> {
	let freed = 0;
	// First those that are told by the run's own.
	for (const path of [...(await sharedPaths(places, pruned)), ...ownPaths(places, pruned.runId)]) {
		freed += await allocatedBytes(path, seen);
		await removeTree(path);
	}
	return freed;
}

function ownPaths(places: Places, runId: string): string[] {
	const { stateDir } = places;
	const checkouts = knownCheckouts(places);
	return [
		join(stateDir, "runs", runId),
		join(stateDir, "transcripts", runId),
		join(stateDir, "worktrees", runId),
		...(checkouts === null ? [] : [join(checkouts, runId)]),
	];
}

/**
 * Files in the shared folders that are of this run. A pair session names no run: it is this one's when it says the same
 * as the run's own, and no newer run has one of that name.
 */
async function sharedPaths(
	{ stateDir }: Places,
	{ runId, newest }: PrunedFiles,
): Promise<string[]> {
	const paths: string[] = [];
	for (const folder of SHARED_FOLDERS) {
		for (const name of await readdir(join(stateDir, folder)).catch(() => [])) {
			const path = join(stateDir, folder, name);
			const named = runNamedIn(path);
			const own = join(stateDir, "runs", runId, basename(folder), name);
			const newer = join(stateDir, "runs", newest, basename(folder), name);
			const isSame = (newest === runId || !existsSync(newer)) && isEqual(path, own);
			if (named === undefined ? isSame : named === runId) paths.push(path);
		}
	}
	return paths;
}

function isEqual(one: string, other: string): boolean {
	try {
		return readFileSync(one).equals(readFileSync(other));
	} catch {
		return false;
	}
}

/** The `run_id` in a file that Sparring wrote; undefined if there is none. */
function runNamedIn(path: string): unknown {
	try {
		const value: unknown = JSON.parse(readFileSync(path, "utf8"));
		return Reflect.get(Object(value), "run_id");
	} catch {
		return undefined;
	}
}
