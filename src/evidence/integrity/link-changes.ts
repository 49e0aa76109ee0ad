import path from "node:path";
import { shown } from "./path-match.ts";
import type { TreePair } from "./tree-pair.ts";

const LINK = "120000";
const GITLINK = "160000";

/** Links that one target may lead through, as in Linux. */
const MAX_STEPS = 40;

/** Links that leave the checkout, repositories inside it, and what else no commit holds. */
export async function linkChanges(pair: TreePair): Promise<string[]> {
	const violations = [...pair.embedded];
	for (const change of pair.changes) {
		if (change.kind === "deleted") continue;
		if (change.newMode === GITLINK) {
			violations.push(
				`${shown(change.path)}: a submodule was added or moved; restore what was here`,
			);
		}
		if (change.newMode !== LINK) continue;
		const target = (await pair.readHead(change.path)) ?? "";
		if (await leaves(pair, change.path, target)) {
			violations.push(
				`${shown(change.path)}: this symbolic link leaves the checkout (${shown(target)}); remove it`,
			);
		}
	}
	return violations;
}

/**
 * A target that cannot be read, is absolute, climbs out, or reaches into `.git`, also by way of other
 * links. Climbing again after going down (`a/../b`) is refused: `a` may be a link, and nobody needs it.
 */
async function leaves(pair: TreePair, link: string, target: string, depth = 0): Promise<boolean> {
	if (target === "" || path.posix.isAbsolute(target) || path.win32.isAbsolute(target)) return true;
	if (depth > MAX_STEPS || climbsAgain(target)) return true;
	const parts = path.posix
		.normalize(path.posix.join(path.posix.dirname(link), target))
		.split("/")
		.filter((part) => part !== "." && part !== "");
	if (parts[0] === ".." || parts.some((part) => part.toLowerCase() === ".git")) return true;
	for (let length = 1; length < parts.length; length += 1) {
		const step = parts.slice(0, length).join("/");
		// Only a link has a content and something below it.
		const through = await pair.readHead(step);
		if (through === null) continue;
		const rest = parts.slice(length).join("/");
		return leaves(pair, step, `${through.replace(/\/+$/, "")}/${rest}`, depth + 1);
	}
	return false;
}

function climbsAgain(target: string): boolean {
	const parts = target.split("/").filter((part) => part !== "." && part !== "");
	return parts.some((part, index) => part === ".." && index > 0 && parts[index - 1] !== "..");
}
