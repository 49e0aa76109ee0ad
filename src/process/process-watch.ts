import { isKin, ownPids } from "./kinship.ts";
import type { ListedProcess, ProcessRoster } from "./process-roster.ts";
import {
	type CallTraces,
	elderEntry,
	type ProcessEntry,
	type ProcessTable,
} from "./process-table.ts";
import { isTraced, rememberedLinks } from "./process-traces.ts";
import { settingOf } from "./tree-members.ts";

/** Time from the start of a call to the first glance at its processes, in ms. */
const FIRST_GLANCE_MS = 20;

/** Time between two glances, in ms. Longer if a glance is costly, so that glances take at most 5 % of a processor. */
const GLANCE_MS = 50;
const LONGEST_GLANCE_MS = 1_000;
const GLANCE_SHARE = 20;

/** Programs that leave their call do so when they start: while a call is this young, glances may take a fifth. In ms. */
const YOUNG_MS = 3_000;
const YOUNG_SHARE = 5;

/** What this process has computed, in ms. Time in which others did is no cost of a glance. */
const computedMs = (): number => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1_000;
};

/** A call whose processes are watched. */
export interface WatchedCall extends CallTraces {
	/** The processes that it was seen to have. */
	known(): Iterable<number>;
	/** Receives the processes that can be the call's, with all that a glance shows of them. Must not throw. */
	see(table: ProcessTable): void;
}

/** What a glance found, for any call. */
interface Glance {
	readonly torn: boolean;
	/** The table of the processes that are not older than a call, and that it knows or that may have changed. */
	tableFor(call: Omit<WatchedCall, "see">): ProcessTable;
}

/**
 * Glances at the processes of Linux for all calls at once: a process is read once, however many calls run, and not again
 * when it is settled.
 *
 * It is cheaper than `readProcTables`: a settled process of one call is not looked at for the others, and open files
 * other than the output are ignored.
 */
export class ProcessGlances {
	readonly #roster: ProcessRoster;
	#last = Number.NEGATIVE_INFINITY;

	constructor(roster: ProcessRoster) {
		this.#roster = roster;
	}

	/** @param since start of the oldest call, in ticks */
	glance(since: number): Glance {
		const { live, at, torn } = this.#roster.read();
		const setting = settingOf(
			live.map(({ stat }) => elderEntry(stat)),
			ownPids,
		);
		const young = live.filter(({ stat }) => stat.startTicks >= since);
		const strangers = young.filter(({ stat }) => !isKin(stat.ppid, setting.parents, ownPids));
		const changing = young.filter(({ readAt }) => readAt > this.#last);
		this.#last = at;
		const shown = new Set([...changing, ...strangers]);
		const byPid = new Map(young.map((one) => [one.stat.pid, one]));
		const leadsTo = rememberedLinks();
		const tracedBy = ({ since: from, traces }: CallTraces): Set<ListedProcess> =>
			new Set(
				strangers
					.filter(({ stat }) => stat.startTicks >= from)
					.filter(({ stat }) => isTraced(stat.pid, stat.terminal, traces, "quick", leadsTo)),
			);
		return {
			torn,
			tableFor: (call) => {
				const traced = tracedBy(call);
				const known = [...call.known()].flatMap((pid) => byPid.get(pid) ?? []);
				const own = [...new Set([...shown, ...known])].filter(
					({ stat }) => stat.startTicks >= call.since,
				);
				return { entries: own.map((one) => entryOf(one, traced.has(one))), torn, setting };
			},
		};
	}
}

const entryOf = ({ stat, mark }: ListedProcess, traced: boolean): ProcessEntry => ({
	...elderEntry(stat),
	mark,
	traced,
});

/** One watch for all calls of this process. It does not keep Node.js alive. */
export class ProcessWatch {
	/** When each call was added. */
	readonly #calls = new Map<WatchedCall, number>();
	readonly #glances: ProcessGlances;
	#timer: NodeJS.Timeout | undefined;
	#due = Number.POSITIVE_INFINITY;

	constructor(roster: ProcessRoster) {
		this.#glances = new ProcessGlances(roster);
	}

	/** Shows a call its processes until the returned function is called: 20 ms from now, then about every 50 ms. */
	add(call: WatchedCall): () => void {
		this.#calls.set(call, performance.now());
		this.#lookWithin(FIRST_GLANCE_MS);
		return () => {
			this.#calls.delete(call);
			if (this.#calls.size > 0) return;
			clearTimeout(this.#timer);
			this.#due = Number.POSITIVE_INFINITY;
		};
	}

	#lookWithin(ms: number): void {
		const due = performance.now() + ms;
		if (due >= this.#due) return;
		clearTimeout(this.#timer);
		this.#due = due;
		this.#timer = setTimeout(() => this.#look(), ms).unref();
	}

	#look(): void {
		this.#due = Number.POSITIVE_INFINITY;
		const before = performance.now();
		const computed = computedMs();
		const glance = this.#glance();
		if (glance !== null) for (const call of this.#calls.keys()) call.see(glance.tableFor(call));
		// A call that has begun just before is looked at as soon as one that begins now.
		const newest = Math.max(...this.#calls.values());
		const share = newest + YOUNG_MS > before ? YOUNG_SHARE : GLANCE_SHARE;
		const pause = Math.max(
			share * (computedMs() - computed),
			newest + FIRST_GLANCE_MS > before ? FIRST_GLANCE_MS : GLANCE_MS,
		);
		this.#lookWithin(Math.min(pause, LONGEST_GLANCE_MS));
	}

	/** Null where no file can be opened at the moment: the next one may succeed, and the end of a call reads again. */
	#glance(): Glance | null {
		try {
			return this.#glances.glance(Math.min(...[...this.#calls.keys()].map(sinceOf)));
		} catch {
			return null;
		}
	}
}

const sinceOf = ({ since }: WatchedCall): number => since;
