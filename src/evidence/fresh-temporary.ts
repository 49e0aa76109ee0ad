import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Where tools in a sandbox keep their caches, which later runs of the same check may use. */
const KEPT = "cache";

/**
 * Makes a directory for temporary files, or empties the one that an earlier run left but for its caches: a socket or a
 * lock under a name that comes again would stand in the way of this run.
 */
export async function freshTemporary(directory: string): Promise<void> {
	await mkdir(directory, { recursive: true });
	for (const name of await readdir(directory)) {
		if (name !== KEPT) await rm(join(directory, name), { recursive: true, force: true });
	}
}
