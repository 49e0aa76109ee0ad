import { Fault } from "../kernel/fault.ts";
import { MISSING } from "./file-change.ts";
import type { RawChange } from "./parsing.ts";

/** Reads the contents of trees, in the order of their ids. */
export type ReadTrees = (oids: readonly string[]) => Promise<readonly Buffer[]>;

/** An entry of a tree object. */
interface Entry {
	readonly mode: string;
	readonly name: Buffer;
	readonly oid: string;
}

/** A directory that differs: its tree on each side, and undefined where it is none. */
interface Pair {
	/** Path of the directory with a slash at its end; empty for the top. */
	readonly folder: Buffer;
	readonly old: string | undefined;
	readonly fresh: string | undefined;
}

const TREE = "040000";

/**
 * The files that differ between two trees, sorted by the bytes of their paths; what `git diff-tree -r --raw --no-renames`
 * says. Only directories that differ are read, all of one depth at once.
 *
 * @param from id of a tree
 * @param to id of a tree
 */
export async function compareTrees(
	read: ReadTrees,
	from: string,
	to: string,
): Promise<RawChange[]> {
	const changes: RawChange[] = [];
	let pairs: Pair[] = from === to ? [] : [{ folder: Buffer.of(), old: from, fresh: to }];
	while (pairs.length > 0) {
		const ids = [...new Set(pairs.flatMap(({ old, fresh }) => [old ?? [], fresh ?? []].flat()))];
		const contents = await read(ids);
		const trees = new Map(
			ids.map((id, nth) => [id, entriesOf(contents[nth] ?? Buffer.of(), from.length)]),
		);
		const next: Pair[] = [];
		for (const { folder, old, fresh } of pairs) {
			const sides = [old, fresh].map((id) => (id === undefined ? [] : (trees.get(id) ?? [])));
			compareEntries(folder, sides, { changes, next });
		}
		pairs = next;
	}
	return changes.sort((one, other) => Buffer.compare(one.path, other.path));
}

/**
 * @param idLength of an id in hexadecimal digits
 * @example the bytes of `100644 a\0` and 20 bytes are one entry
 */
function entriesOf(tree: Buffer, idLength: number): Entry[] {
	const entries: Entry[] = [];
	for (let at = 0; at < tree.length; ) {
		const space = tree.indexOf(0x20, at);
		const start = tree.indexOf(0, space) + 1;
		const end = start + idLength / 2;
		if (space < at || start <= space || end > tree.length) throw damaged();
		entries.push({
			mode: modeOf(tree.toString("latin1", at, space)),
			name: tree.subarray(space + 1, start - 1),
			oid: tree.toString("hex", start, end),
		});
		at = end;
	}
	return entries;
}

function damaged(): Fault {
	return new Fault("git's database has a tree that cannot be read", {
		code: "git-failed",
		hint: "`git fsck` in the repository names it.",
	});
}

/** As git reads it: old versions wrote other permissions, such as `100664`. */
function modeOf(written: string): string {
	const mode = written.padStart(6, "0");
	if (!mode.startsWith("100")) return mode;
	return (Number.parseInt(mode, 8) & 0o100) === 0 ? "100644" : "100755";
}

function compareEntries(
	folder: Buffer,
	sides: readonly (readonly Entry[])[],
	found: { readonly changes: RawChange[]; readonly next: Pair[] },
): void {
	const [before, after] = sides.map(
		(entries) => new Map(entries.map((entry) => [entry.name.toString("latin1"), entry])),
	);
	for (const name of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
		const [old, fresh] = [before?.get(name), after?.get(name)];
		if (old?.mode === fresh?.mode && old?.oid === fresh?.oid) continue;
		const path = Buffer.concat([folder, Buffer.from(name, "latin1")]);
		const [oldTree, freshTree] = [treeIn(old), treeIn(fresh)];
		if (oldTree !== undefined || freshTree !== undefined) {
			const inside = Buffer.concat([path, Buffer.from("/")]);
			found.next.push({ folder: inside, old: oldTree, fresh: freshTree });
		}
		const [oldFile, freshFile] = [fileIn(old), fileIn(fresh)];
		if (oldFile !== undefined || freshFile !== undefined) {
			found.changes.push(changeOf(path, oldFile, freshFile));
		}
	}
}

const treeIn = (entry: Entry | undefined): string | undefined =>
	entry?.mode === TREE ? entry.oid : undefined;

const fileIn = (entry: Entry | undefined): Entry | undefined =>
	entry?.mode === TREE ? undefined : entry;

function changeOf(path: Buffer, old: Entry | undefined, fresh: Entry | undefined): RawChange {
	const none = "0".repeat((old ?? fresh)?.oid.length ?? 0);
	return {
		oldMode: old?.mode ?? MISSING,
		newMode: fresh?.mode ?? MISSING,
		oldOid: old?.oid ?? none,
		newOid: fresh?.oid ?? none,
		path,
	};
}
