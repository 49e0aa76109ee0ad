import { type FileChange, kindOfChange, MISSING, type TreeFile } from "./file-change.ts";

/** What marks a path that is shown and does not name its file (see `pathText`), or might be mistaken for one. */
const SHOWN = "\\x";

/**
 * What two changes in a row come to: the difference between the first state and the last one, as git would tell it.
 *
 * @returns null where a path cannot be told for certain
 */
export function joinedChanges(
	first: readonly FileChange[],
	second: readonly FileChange[],
): FileChange[] | null {
	if ([...first, ...second].some(({ path }) => path.includes(SHOWN))) return null;
	const before = new Map(first.map((change) => [change.path, change]));
	const after = new Set(second.map(({ path }) => path));
	const joined = second.flatMap((change) => joinedChange(before.get(change.path), change));
	return [...first.filter(({ path }) => !after.has(path)), ...joined].sort(byPath);
}

function joinedChange(before: FileChange | undefined, after: FileChange): FileChange[] {
	if (before === undefined) return [after];
	const { path, oldMode, oldOid } = before;
	const { newMode, newOid } = after;
	if (oldMode === newMode && oldOid === newOid) return [];
	return [{ path, kind: kindOfChange(oldMode, newMode), oldMode, newMode, oldOid, newOid }];
}

/** In git's order, which is that of the bytes. */
const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
	Buffer.compare(Buffer.from(one.path), Buffer.from(other.path));

/**
 * The files of a state after a change, in git's order.
 *
 * @returns null where a path cannot be told for certain
 */
export function changedListing(
	files: readonly TreeFile[],
	changes: readonly FileChange[],
): readonly TreeFile[] | null {
	if ([...files, ...changes].some(({ path }) => path.includes(SHOWN))) return null;
	const changed = new Map(changes.map((change) => [change.path, change]));
	const kept = files.filter(({ path }) => !changed.has(path));
	const fresh = changes
		.filter(({ newMode }) => newMode !== MISSING)
		.map(({ path, newMode: mode, newOid: oid }) => ({ path, mode, oid }));
	for (const file of fresh) kept.splice(placeOf(kept, file), 0, file);
	return kept;
}

/** Where a file belongs among others in order. */
function placeOf(files: readonly TreeFile[], file: TreeFile): number {
	let [low, high] = [0, files.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		const there = files[middle];
		if (there !== undefined && byPath(there, file) < 0) low = middle + 1;
		else high = middle;
	}
	return low;
}
