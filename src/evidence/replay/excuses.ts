import path from "node:path";
import type { FileChange } from "../../git/changes.ts";
import type { Allowance, AllowedKind } from "../../workflow/workflow.ts";
import { pathMatcher } from "../integrity/path-match.ts";

/** The changes that stand behind a kind of difference: any of these lets the player's file count in a replay. */
const KINDS: Readonly<Record<FileChange["kind"], readonly AllowedKind[]>> = {
	added: ["edit", "rename"],
	modified: ["weaken", "skip", "edit"],
	deleted: ["delete", "rename"],
	"type-changed": [],
};

/** Whether the task allows what was done to a file, so that a replay takes the player's version of it. */
export function allowedChange(
	allow: readonly Allowance[],
): (change: Pick<FileChange, "path" | "kind">) => boolean {
	const rules = allow.map(({ path: glob, change }) => ({ matches: pathMatcher([glob]), change }));
	return ({ path: file, kind }) =>
		rules.some(({ matches, change }) => KINDS[kind].includes(change) && matches(file));
}

/**
 * Whether a test case comes from a file: its id contains the file or its module, or the file's text contains its name.
 *
 * @param text of the file at the base
 * @example the case `test/a.test.js > adds` comes from `test/a.test.js`
 */
export function isCaseOf(id: string, file: string, text: string): boolean {
	const module = file.replace(/\.\w+$/, "").replaceAll("/", ".");
	if (id.includes(file) || id.includes(module)) return true;
	const name = (id.split(" > ").at(-1) ?? id).replace(/ #\d+$/, "").replace(/\[.*\]$/, "");
	return name.length > 1 && text.includes(name) && !path.posix.isAbsolute(name);
}
