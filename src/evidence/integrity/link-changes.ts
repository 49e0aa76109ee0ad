import path from "node:path";
import { shown } from "./path-match.ts";
import type { TreePair } from "./tree-pair.ts";

const LINK = "120000";
const GITLINK = "160000";

/** Links that leave the checkout, and repositories inside it. */
export async function linkChanges(pair: TreePair): Promise<string[]> {
	const violations = pair.embedded.map(
		(directory) => `${shown(directory)}: a repository of its own was made here; remove its .git`,
	);
	for (const change of pair.changes) {
		if (change.kind === "deleted") continue;
		if (change.newMode === GITLINK) {
			violations.push(
				`${shown(change.path)}: a submodule was added or moved; restore what was here`,
			);
		}
		if (change.newMode !== LINK) continue;
		const target = (await pair.readHead(change.path)) ?? "";
		if (leaves(change.path, target)) {
			violations.push(
				`${shown(change.path)}: this symbolic link leaves the checkout (${shown(target)}); remove it`,
			);
		}
	}
	return violations;
}

/** A target that cannot be read, is absolute, climbs out, or reaches into `.git`. */
function leaves(link: string, target: string): boolean {
	if (target === "" || path.posix.isAbsolute(target) || path.win32.isAbsolute(target)) return true;
	const [first] = path.posix
		.normalize(path.posix.join(path.posix.dirname(link), target))
		.split("/");
	return first === ".." || first?.toLowerCase() === ".git";
}
