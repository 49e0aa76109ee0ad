import type { FileChange, TreeFile } from "./file-change.ts";
import { foldersOf } from "./parsing.ts";

/** A file as a change leaves it; null where it is gone. */
export const fileAfter = ({ path, kind, newMode, newOid }: FileChange): TreeFile | null =>
	kind === "deleted" ? null : { path, mode: newMode, oid: newOid };

/** A byte of a path that is no text, as `pathText` writes it. */
export const NO_TEXT = /\\x[0-9a-f]{2}/;

/**
 * The files of a commit with some paths changed, in the order of git; undefined where a name may be no text, which has
 * another order.
 *
 * @param edited null: there is no such file any more
 */
export function editedFiles(
	files: readonly TreeFile[],
	edited: ReadonlyMap<string, TreeFile | null>,
): readonly TreeFile[] | undefined {
	const made = [...edited.values()].flatMap((file) => file ?? []);
	// A file takes the place of a folder, and a folder that of a file.
	const above = new Set(made.flatMap(({ path }) => foldersOf(path)));
	const isKept = ({ path }: TreeFile): boolean =>
		!edited.has(path) && !above.has(path) && !foldersOf(path).some((folder) => edited.has(folder));
	const left = [...files.filter(isKept), ...made];
	const isText = [...files, ...made].every(({ path }) => !NO_TEXT.test(path));
	return isText ? left.toSorted(byBytes) : undefined;
}

/** In the order of git: by the bytes of the paths. */
const byBytes = (one: TreeFile, other: TreeFile): number =>
	Buffer.compare(Buffer.from(one.path), Buffer.from(other.path));
