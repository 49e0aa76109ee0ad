import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { removeFiles } from "../kernel/remove-files.ts";
import type { Repository } from "./repository.ts";

// Since version 2.39 git leaves these folders when a signal ends it.
const GATHERED = "tmp_objdir-bulk-fsync-";

// Whoever still writes to such a folder, also in another run, has done so within a minute.
const QUIET_MS = 60_000;

/**
 * Removes what ended git commands left in the folder for objects: up to all that a snapshot had written. Their names do not tell
 * whose they are, so one stays until nobody has written to it for a minute.
 *
 * @param now in ms since the epoch
 */
export async function removeUnfinishedObjects(
	{ objectsDir }: Pick<Repository, "objectsDir">,
	now: number = Date.now(),
): Promise<void> {
	const names = await readdir(objectsDir).catch(() => []);
	for (const name of names.filter((each) => each.startsWith(GATHERED))) {
		const folder = join(objectsDir, name);
		// Nothing depends on it: `git gc` removes it in the end.
		if (now - (await lastWrite(folder)) >= QUIET_MS)
			await removeFiles(folder).catch(() => undefined);
	}
}

async function lastWrite(folder: string): Promise<number> {
	const inside = await readdir(folder, { recursive: true }).catch(() => []);
	const paths = [folder, ...inside.map((name) => join(folder, name))];
	const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
	return Math.max(0, ...found.map((stats: Stats | null) => stats?.mtimeMs ?? 0));
}
