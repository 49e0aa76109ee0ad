import { setTimeout as delay } from "node:timers/promises";
import {
	type ProcessEntry,
	type ProcessTable,
	readProcTable,
	readPsTable,
	startTicksOf,
} from "./process-table.ts";

/** By what the processes of a call are known. */
export interface TreeQuery {
	/** The direct child while it lives; null once it was reaped, since its number may then be another's. */
	readonly root: number | null;
	/** Process groups and sessions that are the call's own. */
	readonly groups: ReadonlySet<number>;
	readonly isMarked: (mark: string) => boolean;
}

/** Never signalled: our own process, its ancestors, and the first process of the system. */
function protectedPids(entries: readonly ProcessEntry[], self: number): Set<number> {
	const parents = new Map(entries.map(({ pid, ppid }) => [pid, ppid]));
	const found = new Set([0, 1]);
	for (let pid = self; !found.has(pid); pid = parents.get(pid) ?? 0) found.add(pid);
	return found;
}

/** Groups and sessions that hold somebody protected: their other members prove nothing. */
function sharedGroups(entries: readonly ProcessEntry[], safe: ReadonlySet<number>): Set<number> {
	const ours = entries.filter(({ pid }) => safe.has(pid));
	return new Set([0, 1, ...ours.flatMap(({ group, session }) => [group, session ?? 0])]);
}

/** What to end: processes, and the groups that are theirs alone. */
export interface TreeMembers {
	readonly pids: readonly number[];
	readonly groups: ReadonlySet<number>;
}

/**
 * The processes that belong to a call: the root, bearers of the mark, members of the call's groups and
 * sessions, and all descendants and session mates of these. Pure.
 *
 * @param self our own process: it, its ancestors and process 1 are never members
 */
export function treeMembers(
	entries: readonly ProcessEntry[],
	query: TreeQuery,
	self: number,
): TreeMembers {
	const safe = protectedPids(entries, self);
	const shared = sharedGroups(entries, safe);
	const pids = new Set<number>();
	const groups = new Set([...query.groups].filter((group) => !shared.has(group)));
	const belongs = (entry: ProcessEntry): boolean =>
		entry.pid === query.root ||
		pids.has(entry.ppid) ||
		groups.has(entry.group) ||
		(entry.session !== null && groups.has(entry.session)) ||
		(entry.mark !== null && query.isMarked(entry.mark));
	let before = -1;
	while (before < pids.size) {
		before = pids.size;
		for (const entry of entries) {
			if (pids.has(entry.pid) || safe.has(entry.pid) || !belongs(entry)) continue;
			pids.add(entry.pid);
			for (const group of [entry.group, entry.session ?? 0]) {
				if (!shared.has(group)) groups.add(group);
			}
		}
	}
	return { pids: [...pids], groups };
}

/** A process that changed its user cannot be signalled by us: waiting for it would never end. */
function signal(pid: number, name: NodeJS.Signals): "sent" | "refused" {
	try {
		process.kill(pid, name);
	} catch (error) {
		// `process.kill` throws system errors only, since the signal's name is a known one.
		if ((error as NodeJS.ErrnoException).code === "EPERM") return "refused";
	}
	return "sent";
}

/** How long a killed process may take to vanish, in ms. Only one that hangs in the kernel takes so long. */
const VANISH_MS = 10_000;

/** Reads a torn table anew this often: on a busy machine some process ends during every read. */
const TORN_READS = 3;

/** A source of process tables: `/proc` on Linux, `ps` elsewhere. */
export type TableReader = () => Promise<ProcessTable>;

function systemReader(sinceTicks: number): TableReader {
	if (process.platform === "linux") return async () => readProcTable(sinceTicks);
	return readPsTable;
}

/**
 * Everything that one call started, as it changes while it is being ended.
 *
 * What was seen once is remembered: the groups and sessions of members lead to children whose parents are gone.
 * A group is signalled as a whole, which no race of forks inside it escapes.
 */
export class ProcessTree {
	readonly #root: number;
	readonly #isMarked: (mark: string) => boolean;
	readonly #read: TableReader;
	readonly #refused = new Set<number>();
	readonly #ended = new Set<number>();
	#groups: ReadonlySet<number>;
	#rootReaped = false;

	/**
	 * @param root the direct child, leader of its own group; null when only the mark is known
	 * @param read for tests: another source of tables
	 */
	constructor(root: number | null, isMarked: (mark: string) => boolean, read?: TableReader) {
		this.#root = root ?? 0;
		this.#rootReaped = root === null;
		this.#groups = new Set(root === null ? [] : [root]);
		this.#isMarked = isMarked;
		const since = root === null || process.platform !== "linux" ? 0 : startTicksOf(root);
		this.#read = read ?? systemReader(since);
	}

	/** To be called when the direct child was reaped: its number may be given to another process. */
	reaped(): void {
		this.#rootReaped = true;
	}

	/** The live members that we may signal. */
	async members(): Promise<readonly number[]> {
		for (let reads = 1; ; reads += 1) {
			const table = await this.#read();
			const query = {
				root: this.#rootReaped ? null : this.#root,
				groups: this.#groups,
				isMarked: this.#isMarked,
			};
			const found = treeMembers(table.entries, query, process.pid);
			this.#groups = found.groups;
			const pids = found.pids.filter((pid) => !this.#refused.has(pid));
			if (pids.length > 0 || !table.torn || reads === TORN_READS) return pids;
		}
	}

	/** Signals these members and every group that is known to be the call's own. */
	send(name: NodeJS.Signals, pids: readonly number[]): void {
		for (const group of this.#groups) signal(-group, name);
		for (const pid of pids) {
			if (signal(pid, name) === "refused") this.#refused.add(pid);
			else this.#ended.add(pid);
		}
	}

	/**
	 * Kills all members again and again until none is left.
	 *
	 * @returns how many distinct processes were signalled over the life of this tree
	 */
	async kill(): Promise<number> {
		const deadline = performance.now() + VANISH_MS;
		for (let pause = 1; performance.now() < deadline; pause = Math.min(pause * 2, 50)) {
			const pids = await this.members();
			if (pids.length === 0) break;
			this.send("SIGKILL", pids);
			await delay(pause);
		}
		return this.#ended.size;
	}
}

/**
 * Ends every process whose marker starts with the prefix, with its descendants and sessions: what a killed
 * orchestrator left behind. Our own process, its ancestors and process 1 are spared.
 *
 * The prefix should end in a separator: `"r1"` also matches the marker `"r10/limiter"`, `"r1/"` does not.
 * Outside Linux the environment of others is not shown, so nothing is found there.
 *
 * @returns how many processes were ended; 0 when there were none
 */
export async function endMarked(prefix: string): Promise<number> {
	if (prefix === "") throw new Error("an empty prefix would end the processes of every run");
	if (process.platform !== "linux") return 0;
	return new ProcessTree(null, (mark) => mark.startsWith(prefix)).kill();
}
