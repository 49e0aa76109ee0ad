import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The top of the work tree that a directory belongs to, found without starting git: the nearest parent with a
 * `.git`. For readers, which must be fast; whatever changes something asks git itself.
 *
 * @returns an absolute path without symbolic links; undefined outside of any work tree
 */
export function findRoot(directory: string): string | undefined {
	if (!existsSync(directory)) return undefined;
	let path = realpathSync(directory);
	for (;;) {
		if (existsSync(join(path, ".git"))) return path;
		const parent = dirname(path);
		if (parent === path) return undefined;
		path = parent;
	}
}
