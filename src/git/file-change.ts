/** A file that differs between two commits. A rename is a deletion and an addition. */
export interface FileChange {
	/** Relative to the top, with `/`; bytes that are not UTF-8 as `\xHH`. */
	readonly path: string;
	/** `type-changed`: one of file, symbolic link and submodule became another. */
	readonly kind: "added" | "modified" | "deleted" | "type-changed";
	/** Such as `"100644"`, `"100755"`, `"120000"` (link) or `"160000"` (submodule); `"000000"` when the file is missing. */
	readonly oldMode: string;
	readonly newMode: string;
	/** Object id; all zeros when the file is missing. */
	readonly oldOid: string;
	readonly newOid: string;
}

const MISSING = "000000";

// The first three digits of a mode say whether it is a file, a link or a submodule.
export function kindOfChange(oldMode: string, newMode: string): FileChange["kind"] {
	if (oldMode === MISSING) return "added";
	if (newMode === MISSING) return "deleted";
	return oldMode.slice(0, 3) === newMode.slice(0, 3) ? "modified" : "type-changed";
}

/** A file of a commit. */
export interface TreeFile {
	readonly path: string;
	readonly mode: string;
	readonly oid: string;
}
