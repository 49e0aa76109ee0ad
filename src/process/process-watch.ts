import {
	type CallTraces,
	elderEntry,
	isTraced,
	type ProcessTable,
	readMark,
	readProcesses,
	rememberedLinks,
	type TraceDepth,
} from "./process-table.ts";
import { isKin, settingOf } from "./tree-members.ts";

const FIRST_GLANCE_MS = 20;

// Longer if a glance is costly, so that glances take at most 5 % of a processor.
const GLANCE_MS = 50;
const LONGEST_GLANCE_MS = 1_000;
const GLANCE_SHARE = 20;

// Programs that leave their call do so when they start: while a call is this young, glances may take a fifth.
const YOUNG_MS = 3_000;
const YOUNG_SHARE = 5;

// Time in which other processes computed is no cost of a glance.
const computedMs = (): number => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1_000;
};

/**
 * Reads the processes of Linux as they are now, for any call: those that are not older than its first one. The traces
 * of Sparring's own descendants are skipped, since they say nothing. A quick look ignores open files other than the
 * output, which cost most.
 */
export function readProcTables(depth: TraceDepth): (call: CallTraces) => ProcessTable {
	const { live, torn } = readProcesses();
	const setting = settingOf(live.map(elderEntry), process.pid);
	const leadsTo = rememberedLinks();
	const marks = new Map<number, string | null>();
	const markOf = (pid: number): string | null => {
		const mark = marks.has(pid) ? (marks.get(pid) ?? null) : readMark(pid);
		marks.set(pid, mark);
		return mark;
	};
	return ({ since, traces }) => ({
		torn,
		setting,
		entries: live
			.filter(({ startTicks }) => startTicks >= since)
			.map((stat) => ({
				...elderEntry(stat),
				mark: markOf(stat.pid),
				traced:
					!isKin(stat.ppid, setting.parents, process.pid) &&
					isTraced(stat.pid, stat.terminal, traces, depth, leadsTo),
			})),
	});
}

export interface WatchedCall extends CallTraces {
	// Must not throw.
	see(table: ProcessTable): void;
}

/**
 * One watch for all calls of this process: each process is read once, however many calls run. A call is shown its
 * processes 20 ms from its start, then about every 50 ms. Keeps Node.js not alive.
 */
export class ProcessWatch {
	readonly #calls = new Map<WatchedCall, number>();
	#timer: NodeJS.Timeout | undefined;
	#due = Number.POSITIVE_INFINITY;

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
		this.#show();
		// A call that has begun just before is looked at as soon as one that begins now.
		const newest = Math.max(...this.#calls.values());
		const share = newest + YOUNG_MS > before ? YOUNG_SHARE : GLANCE_SHARE;
		const pause = Math.max(
			share * (computedMs() - computed),
			newest + FIRST_GLANCE_MS > before ? FIRST_GLANCE_MS : GLANCE_MS,
		);
		this.#lookWithin(Math.min(pause, LONGEST_GLANCE_MS));
	}

	#show(): void {
		let tableFor: (call: CallTraces) => ProcessTable;
		try {
			tableFor = readProcTables("quick");
		} catch {
			// No file can be opened at the moment: the next glance may succeed, and the end of a call reads again.
			return;
		}
		for (const call of this.#calls.keys()) call.see(tableFor(call));
	}
}
