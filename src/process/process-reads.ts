import { isKin, ownPids } from "./kinship.ts";
import type { ProcessRoster } from "./process-roster.ts";
import { type CallTraces, elderEntry, type ProcessTable } from "./process-table.ts";
import { isTraced } from "./process-traces.ts";

/** Whether the one who asks knows a process already: whether that one still lives is read, not remembered. */
type IsKnown = (pid: number) => boolean;

interface Asked {
	readonly call: CallTraces;
	readonly isKnown: IsKnown;
	readonly resolve: (table: ProcessTable) => void;
	readonly reject: (error: unknown) => void;
}

/**
 * All processes of Linux as they are now, for any call, with the files that they have open.
 *
 * A call's processes are not older than its first one. For older ones the environment and the traces are skipped (mark
 * null, no trace), which take half of the time. So are the traces of Sparring's own descendants, which say nothing.
 */
export function readProcTables(
	roster: ProcessRoster,
	isWanted: IsKnown = () => false,
): (call: CallTraces) => ProcessTable {
	const { live, torn } = roster.read(isWanted);
	const parents = new Map(live.map(({ stat: { pid, ppid } }) => [pid, ppid]));
	return ({ since, traces }) => {
		const entries = live.map((one) => {
			const { stat } = one;
			if (stat.startTicks < since) return elderEntry(stat);
			const isOwn = isKin(stat.ppid, parents, ownPids);
			const traced = !isOwn && isTraced(stat.pid, stat.terminal, traces, "thorough");
			return { ...elderEntry(stat), mark: one.mark, traced };
		});
		return { entries, torn };
	};
}

/**
 * Reads the processes of Linux for calls that end: once for all that ask at the same time, and after each of them has asked.
 * A hundred calls that end together would otherwise stop everything else for as many readings.
 */
export class ProcessReads {
	readonly #read: (isWanted: IsKnown) => (call: CallTraces) => ProcessTable;
	#asked: Asked[] = [];

	constructor(read: (isWanted: IsKnown) => (call: CallTraces) => ProcessTable) {
		this.#read = read;
	}

	/** The processes as they are after this moment, for one call. */
	table(call: CallTraces, isKnown: IsKnown): Promise<ProcessTable> {
		return new Promise((resolve, reject) => {
			this.#asked.push({ call, isKnown, resolve, reject });
			if (this.#asked.length === 1) setImmediate(() => this.#answer());
		});
	}

	#answer(): void {
		const asked = this.#asked;
		this.#asked = [];
		try {
			const tableFor = this.#read((pid) => asked.some(({ isKnown }) => isKnown(pid)));
			for (const { call, resolve } of asked) resolve(tableFor(call));
		} catch (error) {
			for (const { reject } of asked) reject(error);
		}
	}
}
