/** The parent of each process. */
export type Parents = ReadonlyMap<number, number>;

/** What the processes of one moment say for every call: computed once where many calls are looked at. */
export interface TreeSetting {
	readonly parents: Parents;
	/** Never signalled: this process, its ancestors and process 1. */
	readonly safe: ReadonlySet<number>;
	/** Groups and sessions with such a process, which say nothing about their other members. */
	readonly shared: ReadonlySet<number>;
}

/** The processes that are Sparring itself: this one, and in one that starts children for another also that one. */
export type OwnPids = ReadonlySet<number>;

const own = new Set([process.pid]);

/** Those of this process. */
export const ownPids: OwnPids = own;

/** For a process that works for another one: what descends from that one is no stranger. */
export function servePid(pid: number): void {
	own.add(pid);
}

/**
 * Whether a process descends from Sparring: it belongs to a call, or to Sparring itself. As process 1 of a container
 * Sparring adopts every orphan, so this does not count there.
 *
 * @param ppid the parent of the process
 */
export function isKin(ppid: number, parents: Parents, self: OwnPids): boolean {
	const seen = new Set([0, 1]);
	for (let pid = ppid; !seen.has(pid); pid = parents.get(pid) ?? 0) {
		if (self.has(pid)) return true;
		seen.add(pid);
	}
	return false;
}
