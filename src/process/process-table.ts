import { execFile } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { promisify } from "node:util";

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
 * The processes of Linux.
 *
 * Reading an environment costs as much as all else, so it is left out (mark null) for processes that are older
 * than `sinceTicks`: a call's processes cannot be older than its first one.
 */
export function readProcTable(sinceTicks: number): ProcessTable {
	const entries: ProcessEntry[] = [];
	let torn = false;
	for (const name of readdirSync("/proc")) {
		const pid = Number(name);
		if (!Number.isInteger(pid)) continue;
		const stat = readStat(pid);
		if (stat === null) torn = true;
		if (stat === null || stat.ended) continue;
		const mark = stat.startTicks >= sinceTicks ? readMark(pid) : null;
		entries.push({ pid, ppid: stat.ppid, group: stat.group, session: stat.session, mark });
	}
	return { entries, torn };
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
		}));
}

/** The processes of any POSIX system, by `ps`: without sessions and marks. */
export async function readPsTable(): Promise<ProcessTable> {
	const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,pgid=,state="], {
		maxBuffer: 64 * 1024 * 1024,
	});
	return { entries: parsePs(stdout), torn: false };
}
