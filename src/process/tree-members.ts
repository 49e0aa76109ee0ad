import type { ProcessEntry } from "./process-table.ts";

/** By what the processes of a call are known. */
export interface TreeQuery {
	/** The direct child while it lives; null once it was reaped, since its number may then be another's. */
	readonly root: number | null;
	/** Members that were seen before, by number, with their start: a number alone may be another's by now. */
	readonly known: ReadonlyMap<number, number>;
	/** Process groups and sessions that are the call's own. */
	readonly groups: ReadonlySet<number>;
	readonly isMarked: (mark: string) => boolean;
}

type Parents = ReadonlyMap<number, number>;

/** Never signalled: our own process, its ancestors, and the first process of the system. */
function protectedPids(parents: Parents, self: number): Set<number> {
	const found = new Set([0, 1]);
	for (let pid = self; !found.has(pid); pid = parents.get(pid) ?? 0) found.add(pid);
	return found;
}

/** Groups and sessions that hold somebody protected: their other members prove nothing. */
function sharedGroups(entries: readonly ProcessEntry[], safe: ReadonlySet<number>): Set<number> {
	const ours = entries.filter(({ pid }) => safe.has(pid));
	return new Set([0, 1, ...ours.flatMap(({ group, session }) => [group, session ?? 0])]);
}

/**
 * Whether a process descends from us: it is then of another call, or one that we run ourselves.
 * As the first process of a container we adopt every orphan, so that it proves nothing there.
 */
function isKin(entry: ProcessEntry, parents: Parents, self: number): boolean {
	const seen = new Set([0, 1]);
	for (let pid = entry.ppid; !seen.has(pid); pid = parents.get(pid) ?? 0) {
		if (pid === self) return true;
		seen.add(pid);
	}
	return false;
}

/** What to end: processes, and the groups that are theirs alone. */
export interface TreeMembers {
	readonly members: readonly ProcessEntry[];
	readonly groups: ReadonlySet<number>;
}

/**
 * The processes that belong to a call: the root, those known from before, bearers of the mark, members of the call's
 * groups and sessions, those with a trace of the call that are no kin of ours, and all descendants and session mates
 * of these. Pure.
 *
 * @param self our own process: it, its ancestors and process 1 are never members
 */
export function treeMembers(
	entries: readonly ProcessEntry[],
	query: TreeQuery,
	self: number,
): TreeMembers {
	const parents = new Map(entries.map(({ pid, ppid }) => [pid, ppid]));
	const safe = protectedPids(parents, self);
	const shared = sharedGroups(entries, safe);
	const found = new Map<number, ProcessEntry>();
	const groups = new Set([...query.groups].filter((group) => !shared.has(group)));
	const belongs = (entry: ProcessEntry): boolean =>
		entry.pid === query.root ||
		query.known.get(entry.pid) === entry.start ||
		found.has(entry.ppid) ||
		groups.has(entry.group) ||
		(entry.session !== null && groups.has(entry.session)) ||
		(entry.mark !== null && query.isMarked(entry.mark)) ||
		(entry.traced && !isKin(entry, parents, self));
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
