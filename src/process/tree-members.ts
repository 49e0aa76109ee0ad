import type { Parents, ProcessEntry, TreeSetting } from "./process-table.ts";

export interface TreeQuery {
	// Null after it was reaped, since its number may be reused.
	readonly root: number | null;
	readonly known: ReadonlyMap<number, number>;
	readonly groups: ReadonlySet<number>;
	readonly isMarked: (mark: string) => boolean;
}

/**
 * Tells whether a process descends from Sparring: it belongs to a call, or to Sparring itself. As process 1 of a
 * container Sparring adopts every orphan, so this does not count there.
 */
export function isKin(ppid: number, parents: Parents, self: number): boolean {
	const seen = new Set([0, 1]);
	for (let pid = ppid; !seen.has(pid); pid = parents.get(pid) ?? 0) {
		if (pid === self) return true;
		seen.add(pid);
	}
	return false;
}

function protectedPids(parents: Parents, self: number): Set<number> {
	const found = new Set([0, 1]);
	for (let pid = self; !found.has(pid); pid = parents.get(pid) ?? 0) found.add(pid);
	return found;
}

function sharedGroups(entries: readonly ProcessEntry[], safe: ReadonlySet<number>): Set<number> {
	const ours = entries.filter(({ pid }) => safe.has(pid));
	return new Set([0, 1, ...ours.flatMap(({ group, session }) => [group, session ?? 0])]);
}

export function settingOf(entries: readonly ProcessEntry[], self: number): TreeSetting {
	const parents = new Map(entries.map(({ pid, ppid }) => [pid, ppid]));
	const safe = protectedPids(parents, self);
	return { parents, safe, shared: sharedGroups(entries, safe) };
}

/**
 * The processes of a call, and the groups that only they are in: the root, earlier members, processes with the mark,
 * members of the call's groups and sessions, processes with a trace that do not descend from Sparring, and all
 * descendants of these and members of their groups and sessions. Pure.
 *
 * @param self it, its ancestors and process 1 are never members
 */
export function treeMembers(
	entries: readonly ProcessEntry[],
	query: TreeQuery,
	self: number,
	{ parents, safe, shared }: TreeSetting = settingOf(entries, self),
): { readonly members: readonly ProcessEntry[]; readonly groups: ReadonlySet<number> } {
	const found = new Map<number, ProcessEntry>();
	const starts = new Map(entries.map(({ pid, start }) => [pid, start]));
	/** Whether an earlier member founded this group or session, since it was seen: nobody else can have. */
	const isFounded = (id: number): boolean => {
		const start = query.known.get(id);
		return start !== undefined && !shared.has(id) && (starts.get(id) ?? start) === start;
	};
	const groups = new Set([...query.groups].filter((group) => !shared.has(group)));
	const belongs = (entry: ProcessEntry): boolean =>
		entry.pid === query.root ||
		query.known.get(entry.pid) === entry.start ||
		found.has(entry.ppid) ||
		groups.has(entry.group) ||
		(entry.session !== null && groups.has(entry.session)) ||
		isFounded(entry.group) ||
		(entry.session !== null && isFounded(entry.session)) ||
		(entry.mark !== null && query.isMarked(entry.mark)) ||
		(entry.traced && !isKin(entry.ppid, parents, self));
	let before = -1;
	while (before < found.size) {
		before = found.size;
		for (const entry of entries) {
			if (found.has(entry.pid) || safe.has(entry.pid) || !belongs(entry)) continue;
			found.set(entry.pid, entry);
			for (const group of [entry.group, entry.session ?? 0]) {
				if (!shared.has(group)) groups.add(group);
			}
		}
	}
	return { members: [...found.values()], groups };
}
