import { execFile } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { promisify } from "node:util";
import { isTraced, noTraces, type ProcessTraces, type TraceDepth } from "./process-traces.ts";

/** Name of the environment variable that marks every process of a call. */
export const MARK_VARIABLE = "SPAR_PROCESS_MARK";

/** One live process, as far as the system shows it to us. */
export interface ProcessEntry {
	readonly pid: number;
	readonly ppid: number;
	readonly group: number;
	/** null where the system does not show sessions (outside Linux). */
	readonly session: number | null;
	/** Value of `SPAR_PROCESS_MARK` in its environment; null without one, or when it cannot be read. */
	readonly mark: string | null;
	/** With the number it names one process for ever: clock ticks since boot. NaN where the system shows none. */
	readonly start: number;
	/** Whether it bears a trace of the call (see `ProcessTraces`). */
	readonly traced: boolean;
}

/** The live processes at one moment. Those that ended and only wait to be reaped are left out. */
export interface ProcessTable {
	readonly entries: readonly ProcessEntry[];
	/** True when a process ended while the table was read: a child that it left may be missing. */
	readonly torn: boolean;
}

interface Stat {
	readonly ppid: number;
	readonly group: number;
	readonly session: number;
	/** Whether it has a controlling terminal. */
	readonly terminal: boolean;
	readonly ended: boolean;
	/** Clock ticks since boot. */
	readonly startTicks: number;
}

/**
 * Reads `/proc/<pid>/stat` (proc_pid_stat(5)); null when it is none.
 *
 * The name in parentheses may itself hold spaces and parentheses, so fields count from the last one.
 */
export function parseStat(text: string): Stat | null {
	const end = text.lastIndexOf(")");
	const fields = text.slice(end + 2).split(" ");
	if (end < 0 || fields.length < 20) return null;
	return {
		ppid: Number(fields[1]),
		group: Number(fields[2]),
		session: Number(fields[3]),
		terminal: fields[4] !== "0",
		ended: fields[0] === "Z" || fields[0] === "X",
		startTicks: Number(fields[19]),
	};
}

const MARK_START = Buffer.from(`${MARK_VARIABLE}=`);

/** The mark in an environment block (`NAME=value` parts, each ended by a zero byte); null without one. */
export function markIn(environ: Buffer): string | null {
	let at = environ.indexOf(MARK_START);
	// Only the start of an entry is its name: `OLD_SPAR_PROCESS_MARK=` is another variable.
	while (at > 0 && environ[at - 1] !== 0) at = environ.indexOf(MARK_START, at + 1);
	if (at < 0) return null;
	const end = environ.indexOf(0, at);
	return environ.toString("utf8", at + MARK_START.length, end < 0 ? environ.length : end);
}

/** A line of `/proc/<pid>/stat` is far shorter; read in place, which takes half the time of `readFileSync`. */
const statBuffer = Buffer.alloc(4_096);

function readStat(pid: number): Stat | null {
	try {
		const file = openSync(`/proc/${pid}/stat`, "r");
		try {
			return parseStat(statBuffer.toString("latin1", 0, readSync(file, statBuffer)));
		} finally {
			closeSync(file);
		}
	} catch {
		// Ended meanwhile.
		return null;
	}
}

function readMark(pid: number): string | null {
	try {
		return markIn(readFileSync(`/proc/${pid}/environ`));
	} catch {
		// Ended meanwhile, or of another user.
		return null;
	}
}

/** When a process of Linux started, in clock ticks since boot; 0 when it cannot be told. */
export function startTicksOf(pid: number): number {
	return readStat(pid)?.startTicks ?? 0;
}

/**
 * Reads the processes of Linux, for one call.
 *
 * A call's processes cannot be older than its first one. For older ones the environment and the traces, which cost as
 * much as all else, are left out (mark null, no trace).
 */
export class ProcReader {
	readonly #since: number;
	readonly #traces: ProcessTraces;
	#elders: ReadonlyMap<number, ProcessEntry> = new Map();

	/** @param sinceTicks start of the call's first process; 0 when it is not known: all may then be the call's */
	constructor(sinceTicks: number, traces: ProcessTraces = noTraces) {
		this.#since = sinceTicks;
		// Without a start of the call everybody who works in its places would be taken for its process.
		this.#traces = sinceTicks === 0 ? noTraces : traces;
	}

	/** All processes as they are now. */
	read(): ProcessTable {
		return this.#scan(new Map(), "thorough");
	}

	/**
	 * The same at a fraction of the cost, to be called again and again: what is older than the call is as it was at
	 * the last glance, and open files are not looked at.
	 */
	glance(): ProcessTable {
		return this.#scan(this.#elders, "quick");
	}

	#scan(elders: ReadonlyMap<number, ProcessEntry>, depth: TraceDepth): ProcessTable {
		const entries: ProcessEntry[] = [];
		const old = new Map<number, ProcessEntry>();
		let torn = false;
		for (const name of readdirSync("/proc")) {
			const pid = Number(name);
			if (!Number.isInteger(pid)) continue;
			const entry = elders.get(pid) ?? this.#entry(pid, depth);
			if (entry === "ended") continue;
			if (entry === null) {
				torn = true;
				continue;
			}
			entries.push(entry);
			if (entry.start < this.#since) old.set(pid, entry);
		}
		// One that is gone at this glance is forgotten: its number may be given to a process of the call.
		this.#elders = old;
		return { entries, torn };
	}

	#entry(pid: number, depth: TraceDepth): ProcessEntry | "ended" | null {
		const stat = readStat(pid);
		if (stat === null || stat.ended) return stat === null ? null : "ended";
		const { ppid, group, session, startTicks: start, terminal } = stat;
		const young = start >= this.#since;
		const mark = young ? readMark(pid) : null;
		const traced = young && isTraced(pid, terminal, this.#traces, depth);
		return { pid, ppid, group, session, mark, start, traced };
	}
}

/** Reads the output of `ps -A -o pid=,ppid=,pgid=,state=`; lines of another shape are left out. */
export function parsePs(text: string): ProcessEntry[] {
	return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s*$/gm)]
		.filter((match) => !/^[ZX]/.test(match[4] ?? ""))
		.map((match) => ({
			pid: Number(match[1]),
			ppid: Number(match[2]),
			group: Number(match[3]),
			session: null,
			mark: null,
			start: Number.NaN,
			traced: false,
		}));
}

/** The processes of any POSIX system, by `ps`: without sessions and marks. */
export async function readPsTable(): Promise<ProcessTable> {
	const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,pgid=,state="], {
		maxBuffer: 64 * 1024 * 1024,
		// Nothing of ours is its business; `ps` lies where the system put it.
		env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
	});
	return { entries: parsePs(stdout), torn: false };
}
