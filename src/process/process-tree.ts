import { setTimeout as delay } from "node:timers/promises";
import { GRACE_MS } from "./end-group.ts";
import {
	isTraced,
	type ProcessEntry,
	type ProcessTable,
	type ProcessTraces,
	readTable,
	tracesOf,
	worksIn,
} from "./process-table.ts";

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

/** A process and its ancestors, but for the first process, which adopts every orphan. */
function lineage(pid: number, parents: ReadonlyMap<number, number>): Set<number> {
	const found = new Set<number>();
	for (let at = pid; at > 1 && !found.has(at); at = parents.get(at) ?? 0) found.add(at);
	return found;
}

/** Says by itself that a process belongs to a call. `isKin`: it descends from Sparring, as those of other calls do. */
export type Belongs = (entry: ProcessEntry, isKin: boolean) => boolean;

/**
 * Members of a call: processes that belong to it by themselves, and all descendants of these. Pure.
 *
 * @param self it, its ancestors and process 1 are never members
 */
export function membersOf(
	entries: readonly ProcessEntry[],
	belongs: Belongs,
	self: number,
): readonly ProcessEntry[] {
	const parents = new Map(entries.map(({ pid, ppid }) => [pid, ppid]));
	const safe = lineage(self, parents).add(1);
	const others = entries
		.filter(({ pid }) => !safe.has(pid))
		.map((entry) => ({ entry, line: lineage(entry.pid, parents) }));
	const own = new Set(
		others.flatMap(({ entry, line }) => (belongs(entry, line.has(self)) ? [entry.pid] : [])),
	);
	return others.flatMap(({ entry, line }) =>
		[...line].some((pid) => own.has(pid)) ? [entry] : [],
	);
}

/** The processes of a call, found by one sweep over all of the machine: once the call is over, not while it runs. */
export class ProcessTree {
	readonly #group: number | null;
	readonly #belongs: Belongs;
	readonly #read: () => Promise<ProcessTable>;
	readonly #refused = new Set<number>();
	readonly #ended = new Set<number>();
	// A member stays one when its parents end first.
	readonly #known = new Map<number, number>();

	/**
	 * @param group process group of the call, whose leader was its direct child; null when there is none
	 * @param belongs for processes outside of the group
	 */
	constructor(group: number | null, belongs: Belongs, read: () => Promise<ProcessTable>) {
		this.#group = group;
		this.#belongs = belongs;
		this.#read = read;
	}

	/** The live members that can be signalled. */
	async #members(): Promise<readonly ProcessEntry[]> {
		const belongs: Belongs = (entry, isKin) =>
			entry.group === this.#group ||
			entry.session === this.#group ||
			this.#known.get(entry.pid) === entry.start ||
			this.#belongs(entry, isKin);
		for (let reads = 1; ; reads += 1) {
			const { entries, torn } = await this.#read();
			const live = membersOf(entries, belongs, process.pid);
			for (const { pid, start } of live) this.#known.set(pid, start);
			const left = live.filter(({ pid }) => !this.#refused.has(pid));
			if (left.length > 0 || !torn || reads === TORN_READS) return left;
		}
	}

	#send(name: NodeJS.Signals, members: readonly ProcessEntry[]): void {
		// As a whole, so that a fork at the same time does not escape.
		const isHeld = members.some(({ group }) => group === this.#group);
		if (this.#group !== null && isHeld) signal(-this.#group, name);
		for (const { pid } of members) {
			if (signal(pid, name) === "refused") this.#refused.add(pid);
			else this.#ended.add(pid);
		}
	}

	/** Sends SIGTERM to all, and waits until they have ended, at most `graceMs` or until the signal. */
	async ask(graceMs: number, signal?: AbortSignal): Promise<void> {
		const deadline = performance.now() + graceMs;
		let left = await this.#members();
		if (left.length === 0) return;
		this.#send("SIGTERM", left);
		// A stopped process cannot handle SIGTERM.
		this.#send("SIGCONT", await this.#members());
		for (let pause = 5; left.length > 0 && performance.now() < deadline; ) {
			if (signal?.aborted === true) return;
			await delay(pause);
			pause = Math.min(pause * 2, 100);
			left = await this.#members();
		}
	}

	/**
	 * Kills all members repeatedly until none is left.
	 *
	 * @returns how many distinct processes were signalled in total
	 */
	async kill(): Promise<number> {
		// Before the first look: on a busy machine a chain of forks hides from each of them, and from no signal to its group, whose
		// number was this call's a moment ago.
		if (this.#group !== null) signal(-this.#group, "SIGKILL");
		const deadline = performance.now() + VANISH_MS;
		for (let pause = 1; performance.now() < deadline; pause = Math.min(pause * 2, 50)) {
			const left = await this.#members();
			if (left.length === 0) break;
			this.#send("SIGKILL", left);
			await delay(pause);
		}
		return this.#ended.size;
	}
}

/** The processes of one call: those with its mark, and those that lost it and have a trace of it. */
export function callTree(
	group: number | null,
	mark: string,
	traces: ProcessTraces,
	read: () => Promise<ProcessTable> = readTable,
): ProcessTree {
	const belongs: Belongs = (entry, isKin) => {
		// Nobody is a call's who is older.
		if (entry.start < traces.since) return false;
		const found = entry.mark();
		return found === null ? !isKin && isTraced(entry, traces) : found === mark;
	};
	return new ProcessTree(group, belongs, read);
}

// Asked first: a git that is killed at once leaves its lock files in the user's repository, and then every later git
// command refuses.
async function endAll(belongs: Belongs): Promise<number> {
	const tree = new ProcessTree(null, belongs, readTable);
	await tree.ask(GRACE_MS);
	return tree.kill();
}

/**
 * Ends every process whose mark starts with the prefix, with its descendants: what a killed Sparring left behind.
 *
 * End the prefix with a separator: `"r1"` also matches the mark `"r10/limiter"`, `"r1/"` does not.
 *
 * @returns how many processes were ended
 */
export async function endMarked(prefix: string): Promise<number> {
	if (prefix === "") throw new Error("an empty prefix would end the processes of every run");
	return endAll((entry) => entry.mark()?.startsWith(prefix) ?? false);
}

/**
 * Kills what a call left that nobody watched to its end.
 *
 * @param since in clock ticks since boot (`startTicksOf`); 0, where it is unknown, leaves the places out
 */
export async function endCall({
	mark,
	places,
	since,
}: {
	readonly mark: string;
	readonly places: readonly string[];
	readonly since: number;
}): Promise<void> {
	await callTree(null, mark, tracesOf({ root: null, since }, places)).kill();
}

/**
 * Ends the processes that a killed Sparring left in a directory: those that carry a mark and work inside it, with their
 * descendants. Marked processes elsewhere, and others in the directory, live on. Only on Linux.
 */
export async function endMarkedIn(
	directory: string,
	isLeft: (mark: string) => boolean = () => true,
): Promise<number> {
	const { places } = tracesOf({ root: null, since: 0 }, [directory]);
	return endAll(({ pid, mark }) => {
		const found = mark();
		return found !== null && isLeft(found) && worksIn(pid, places);
	});
}
