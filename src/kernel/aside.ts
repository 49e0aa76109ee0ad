import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { randomId } from "./ids.ts";
import { removeFiles } from "./remove-files.ts";

/**
 * A name beside a path for what is not finished yet, or lasts only while something is done. It names this process, so that
 * `removeUnfinished` tells what a killed one left.
 *
 * @returns such as `"a.json.77-k3x9ab.tmp"` for `"a.json"`
 */
export function asideOf(path: string): string {
	return `${path}.${process.pid}-${randomId(6)}.tmp`;
}

/** A name that `asideOf` gives, and the process that it names; what is inside a folder of that name goes with it. */
const UNFINISHED = /\.(\d+)-[0-9a-z]{6}\.tmp$/;

/**
 * Removes what killed processes left unfinished below directories, files and folders; what a live process writes stays.
 *
 * @param isAlive whether a process runs on this machine
 */
export async function removeUnfinished(
	directories: readonly string[],
	isAlive: (pid: number) => boolean,
): Promise<void> {
	for (const directory of directories) {
		const names = await readdir(directory, { recursive: true }).catch(() => []);
		for (const name of names) {
			const pid = UNFINISHED.exec(name)?.[1];
			if (pid === undefined || isAlive(Number(pid))) continue;
			await removeFiles(join(directory, name));
		}
	}
}
