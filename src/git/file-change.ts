import type { RawChange, TreeEntry } from "./parsing.ts";

/** A file that differs between two commits. A rename is a deletion and an addition. */
export interface FileChange extends Omit<RawChange, "path"> {
	/** Relative to the top, with `/`; bytes that are not UTF-8 as `\xHH`. */
	readonly path: string;
	/** `type-changed`: one of file, symbolic link and submodule became another. */
	readonly kind: "added" | "modified" | "deleted" | "type-changed";
}

const MISSING = "000000";

// The first three digits of a mode say whether it is a file, a link or a submodule.
export function kindOfChange(oldMode: string, newMode: string): FileChange["kind"] {
	if (oldMode === MISSING) return "added";
	if (newMode === MISSING) return "deleted";
	return oldMode.slice(0, 3) === newMode.slice(0, 3) ? "modified" : "type-changed";
}

/** A file of a commit. */
export interface TreeFile extends Omit<TreeEntry, "path"> {
	readonly path: string;
}
