import { setTimeout as delay } from "node:timers/promises";
import { GRACE_MS } from "./end-group.ts";
import {
	callTraces,
	type ProcessEntry,
	type ProcessTable,
	readPsTable,
	startTicksOf,
	tracesOf,
	worksIn,
} from "./process-table.ts";
import { ProcessWatch, readProcTables, type WatchedCall } from "./process-watch.ts";
import { treeMembers } from "./tree-members.ts";

// `refused`: the process changed its user, so Sparring cannot signal it and must not wait for it.
function signal(pid: number, name: NodeJS.Signals): "sent" | "refused" {
	try {
		process.kill(pid, name);
	} catch (error) {
		// `process.kill` throws system errors only, since the signal's name is a known one.
		if ((error as NodeJS.ErrnoException).code === "EPERM") return "refused";
	}
	return "sent";
}

// Only a killed process that hangs in the kernel takes so long to disappear.
const VANISH_MS = 10_000;

// On a busy machine some process ends during every read.
const TORN_READS = 3;

/** A source of process tables: `/proc` on Linux, `ps` elsewhere. */
export interface TableSource {
	/** All processes that can be the call's. */
	read(): Promise<ProcessTable>;
	/** Shows the processes over and over, if that is possible, until the returned function is called. */
	watch?(call: Pick<WatchedCall, "see">): () => void;
}

const watch = new ProcessWatch();

function systemSource(root: number | null, places: readonly string[]): TableSource {
	if (process.platform !== "linux") return { read: readPsTable };
	const since = root === null ? 0 : startTicksOf(root);
	const call = callTraces(since, tracesOf(root, places));
	return {
		read: async () => readProcTables("thorough")(call),
		watch: (seen) => watch.add({ ...call, ...seen }),
	};
}

/**
 * All processes that one call started. It remembers members by number and start time, and their groups and sessions, to
 * find children whose parents are gone. It signals groups as a whole, so that a fork at the same time does not escape.
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
	 * @param root the direct child, just started as leader of its own group; null when only the mark is known
	 * @param places absolute directories; processes that use them and started after the root are members (Linux)
	 * @param source injected by tests
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

	/** Call it when the direct child was reaped, since its number may be reused. */
	reaped(): void {
		this.#rootReaped = true;
	}

	/**
	 * Glances at the processes until the returned function is called, to remember those that later leave their session
	 * and parents and lose their mark. Does not keep Node alive. Outside of Linux it does nothing.
	 */
	watch(): () => void {
		return this.#source.watch?.({ see: (table) => this.#see(table) }) ?? (() => undefined);
	}

	/** Records the current members. */
	#see(table: ProcessTable): void {
		const live = this.#note(table);
		// During a long call, the number of an empty group may be reused.
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
		const { members, groups } = treeMembers(table.entries, query, process.pid, table.setting);
		this.#known = new Map(members.map(({ pid, start }) => [pid, start]));
		this.#groups = groups;
		return members;
	}

	/** The live members that can be signalled. */
	async members(): Promise<readonly number[]> {
		for (let reads = 1; ; reads += 1) {
			const table = await this.#source.read();
			const live = this.#note(table).map(({ pid }) => pid);
			const pids = live.filter((pid) => !this.#refused.has(pid));
			if (pids.length > 0 || !table.torn || reads === TORN_READS) return pids;
		}
	}

	/** Signals these members and all groups of the call. */
	send(name: NodeJS.Signals, pids: readonly number[]): void {
		for (const group of this.#groups) signal(-group, name);
		for (const pid of pids) {
			if (signal(pid, name) === "refused") this.#refused.add(pid);
			else this.#ended.add(pid);
		}
	}

	/** Sends SIGTERM to all, and waits until they have ended, at most `graceMs` or until the signal. */
	async ask(graceMs: number, signal?: AbortSignal): Promise<void> {
		const deadline = performance.now() + graceMs;
		let left = await this.members();
		if (left.length === 0) return;
		this.send("SIGTERM", left);
		// A stopped process cannot handle SIGTERM.
		this.send("SIGCONT", await this.members());
		for (let pause = 5; left.length > 0 && performance.now() < deadline; ) {
			if (signal?.aborted === true) return;
			await delay(pause);
			pause = Math.min(pause * 2, 100);
			left = await this.members();
		}
	}

	/**
	 * Kills all members repeatedly until none is left.
	 *
	 * @returns how many distinct processes were signalled in total
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
 * Ends every process whose mark starts with the prefix, with its descendants and sessions: what a killed Sparring left
 * behind. Finds nothing outside of Linux. All get SIGTERM first: a git that is killed at once leaves its lock files in
 * the user's repository, and then every later git command refuses.
 *
 * End the prefix with a separator: `"r1"` also matches the mark `"r10/limiter"`, `"r1/"` does not.
 *
 * @returns how many processes were ended
 */
export async function endMarked(prefix: string): Promise<number> {
	if (prefix === "") throw new Error("an empty prefix would end the processes of every run");
	if (process.platform !== "linux") return 0;
	const tree = new ProcessTree(null, (mark) => mark.startsWith(prefix));
	await tree.ask(GRACE_MS);
	return tree.kill();
}

/**
 * Kills what a call left that nobody watched to its end: every process with its mark, and those that started after
 * `since` and work in its places, with their descendants and sessions. Finds nothing outside of Linux.
 *
 * @param since in clock ticks since boot (`startTicksOf`); 0, where it is unknown, leaves the places out
 */
export async function endCall(
	{ mark, places = [] }: { readonly mark: string; readonly places?: readonly string[] | undefined },
	since: number,
): Promise<void> {
	if (process.platform !== "linux") return;
	const call = callTraces(since, tracesOf(null, places));
	const source: TableSource = { read: async () => readProcTables("thorough")(call) };
	await new ProcessTree(null, (found) => found === mark, [], source).kill();
}

/**
 * Ends the processes that a killed Sparring left in a directory: those that carry any mark and work inside it, with
 * their descendants and sessions. Marked processes elsewhere, and others in the directory, live on. Only on Linux.
 */
export async function endMarkedIn(
	directory: string,
	isLeft: (mark: string) => boolean = () => true,
): Promise<number> {
	if (process.platform !== "linux") return 0;
	const place = tracesOf(null, [directory]);
	const source: TableSource = {
		read: async () => {
			const table = readProcTables("thorough")(callTraces(0, place));
			const entries = table.entries.map((entry) =>
				entry.mark === null || worksIn(entry.pid, place) ? entry : { ...entry, mark: null },
			);
			return { ...table, entries };
		},
	};
	const tree = new ProcessTree(null, isLeft, [], source);
	await tree.ask(GRACE_MS);
	return tree.kill();
}
