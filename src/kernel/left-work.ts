import { counted } from "./counted.ts";

/** Work that a player left in the repository of its checkout and not in its files. */
export interface LeftWork {
	readonly kind: "branch" | "stash" | "commit";
	/** Of a branch its short name; else its commit's first line, as the agent wrote it. */
	readonly name: string;
	/** The commit, which a ref of the run keeps; null where its objects are damaged, missing or too large. */
	readonly commit: string | null;
}

/** One line for each, such as `"branch fix: 1f2e3d4c5b"`. */
export function leftWorkLines(work: readonly LeftWork[]): string[] {
	return work.map(({ kind, name, commit }) => {
		const kept =
			commit === null ? "lost: its objects are damaged or too large" : commit.slice(0, 10);
		return `${kind} ${name}: ${kept}`;
	});
}

const SHOWN = 5;

/**
 * New files that only the user's own ignore rules keep out of a commit, as one sentence; null for none. A directory
 * ends with `/`.
 */
export function ignoredFilesText(paths: readonly string[]): string | null {
	if (paths.length === 0) return null;
	const more = paths.length - SHOWN;
	const names = `${paths.slice(0, SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
	const are = paths.length === 1 ? "is" : "are";
	return `${counted(paths.length, "new file")} ${are} not committed, since the user's own ignore rules (core.excludesFile, info/exclude) exclude ${paths.length === 1 ? "it" : "them"}: ${names}`;
}
