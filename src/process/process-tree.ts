import { setTimeout as delay } from "node:timers/promises";
import {
	type ProcessEntry,
	type ProcessTable,
	ProcReader,
	readPsTable,
	startTicksOf,
} from "./process-table.ts";
import { tracesOf } from "./process-traces.ts";
import { treeMembers } from "./tree-members.ts";

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

/** The first glance at a call's processes comes this long after its start, in ms. */
const FIRST_GLANCE_MS = 20;

/** Between two glances, in ms; longer where a glance takes long, so that it costs a twentieth of the time at most. */
const GLANCE_MS = 50;
const LONGEST_GLANCE_MS = 1_000;
const GLANCE_SHARE = 20;

/** A source of process tables: `/proc` on Linux, `ps` elsewhere. */
export interface TableSource {
	/** All processes. */
	read(): Promise<ProcessTable>;
	/** Something cheaper to watch a call by; missing where there is nothing cheap. May throw. */
	glance?(): ProcessTable;
}

function systemSource(root: number | null, places: readonly string[]): TableSource {
	if (process.platform !== "linux") return { read: readPsTable };
	const since = root === null ? 0 : startTicksOf(root);
	const reader = new ProcReader(since, tracesOf(root, places));
	return { read: async () => reader.read(), glance: () => reader.glance() };
}

/**
 * Everything that one call started, as it changes while it runs and while it is being ended.
 *
 * What was seen once is remembered: members by number and start, wherever they go; their groups and sessions, which
 * lead to children whose parents are gone. A group is signalled as a whole, which no race of forks inside it escapes.
 */
export class ProcessTree {
	readonly #root: number;
	readonly #isMarked: (mark: string) => boolean;
	readonly #source: TableSource;
	readonly #refused = new Set<number>();
	readonly #ended = new Set<number>();
	#known: ReadonlyMap<number, number> = new Map();
	#groups: ReadonlySet<number>;
	#rootReaped = false;

	/**
	 * @param root the direct child, leader of its own group, just started; null when only the mark is known
	 * @param places absolute directories whose users are members, when they started after the root (Linux)
	 * @param source for tests: other tables
	 */
	constructor(
		root: number | null,
		isMarked: (mark: string) => boolean,
		places: readonly string[] = [],
		source: TableSource = systemSource(root, places),
	) {
		this.#root = root ?? 0;
		this.#rootReaped = root === null;
		this.#groups = new Set(root === null ? [] : [root]);
		this.#isMarked = isMarked;
		this.#source = source;
	}

	/** To be called when the direct child was reaped: its number may be given to another process. */
	reaped(): void {
		this.#rootReaped = true;
	}

	/**
	 * Glances at the processes until the returned function is called, so that one that leaves its session, its parents
	 * and its mark later on stays known. It keeps no program alive. Outside Linux it does nothing.
	 */
	watch(): () => void {
		if (this.#source.glance === undefined) return () => undefined;
		let timer: NodeJS.Timeout;
		const look = (): void => {
			const before = performance.now();
			this.glance();
			const pause = GLANCE_SHARE * (performance.now() - before);
			timer = setTimeout(look, Math.min(Math.max(pause, GLANCE_MS), LONGEST_GLANCE_MS)).unref();
		};
		timer = setTimeout(look, FIRST_GLANCE_MS).unref();
		return () => clearTimeout(timer);
	}

	/** Notes who belongs to the call at this moment. */
	glance(): void {
		let table: ProcessTable | undefined;
		try {
			table = this.#source.glance?.();
		} catch {
			// No file can be opened at this moment; the next glance may succeed, and the end of the call reads anew.
		}
		if (table === undefined) return;
		const live = this.#note(table);
		// Over a long call the number of an empty group may be given to somebody else's.
		const held = new Set(live.flatMap(({ group, session }) => [group, session]));
		if (!table.torn) this.#groups = new Set([...this.#groups].filter((group) => held.has(group)));
	}

	#note(table: ProcessTable): readonly ProcessEntry[] {
		const query = {
			root: this.#rootReaped ? null : this.#root,
			known: this.#known,
			groups: this.#groups,
			isMarked: this.#isMarked,
		};
		const { members, groups } = treeMembers(table.entries, query, process.pid);
		this.#known = new Map(members.map(({ pid, start }) => [pid, start]));
		this.#groups = groups;
		return members;
	}

	/** The live members that we may signal. */
	async members(): Promise<readonly number[]> {
		for (let reads = 1; ; reads += 1) {
			const table = await this.#source.read();
			const live = this.#note(table).map(({ pid }) => pid);
			const pids = live.filter((pid) => !this.#refused.has(pid));
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
