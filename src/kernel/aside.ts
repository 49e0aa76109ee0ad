import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { randomId } from "./ids.ts";
import { OWN_START } from "./process-start.ts";
import { removeFiles } from "./remove-files.ts";

/**
 * A name beside a path for what is not finished yet, such as `"a.json.77-123456-k3x9ab.tmp"`. It names this process
 * and when it began, so that `removeUnfinished` tells what a killed one left.
 */
export function asideOf(path: string): string {
	return `${path}.${process.pid}-${OWN_START}-${randomId(6)}.tmp`;
}

const UNFINISHED = /\.(\d+)-(\d+)-[0-9a-z]{6}\.tmp$/;

/**
 * Removes what killed processes left unfinished; what a live process writes stays. A folder that cannot be read is
 * passed over.
 */
export async function removeUnfinished(
	places: readonly {
		readonly directory: string;
		/** Looks through the folders in it, too, at any depth. */
		readonly below?: boolean;
		/** Removes folders of such a name as well. Default: no, as somebody else may have called one so. */
		readonly folders?: boolean;
	}[],
	isAlive: (pid: number) => boolean,
): Promise<void> {
	const isLeft = ({ name }: Dirent): boolean => {
		const [, pid, start] = UNFINISHED.exec(name) ?? [];
		if (pid === undefined) return false;
		// The first process of each container has the same number.
		return Number(pid) === process.pid ? start !== OWN_START : !isAlive(Number(pid));
	};
	for (const { directory, below = false, folders = false } of places) {
		for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
			const path = join(directory, entry.name);
			if (isLeft(entry) && (!entry.isDirectory() || folders)) await removeFiles(path);
			else if (entry.isDirectory() && below)
				await removeUnfinished([{ directory: path, below, folders }], isAlive);
		}
	}
}
