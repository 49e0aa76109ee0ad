import { execFile } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { promisify } from "node:util";
import { isKin, ownPids, type TreeSetting } from "./kinship.ts";
import { isTraced, noTraces, type ProcessTraces } from "./process-traces.ts";

/** Name of the environment variable that marks every process of a call. */
export const MARK_VARIABLE = "SPAR_PROCESS_MARK";

/** A live process, as far as the system shows it. */
export interface ProcessEntry {
	readonly pid: number;
	readonly ppid: number;
	readonly group: number;
	/** Null outside of Linux, which does not show sessions. */
	readonly session: number | null;
	/** `SPAR_PROCESS_MARK` in its environment; null when it is not set or cannot be read. */
	readonly mark: string | null;
	/** Start time in clock ticks since boot. With `pid` it identifies the process uniquely. NaN outside of Linux. */
	readonly start: number;
	/** Whether it has a trace of the call (see `ProcessTraces`). */
	readonly traced: boolean;
}

/** The live processes at one moment, without zombies. */
export interface ProcessTable {
	readonly entries: readonly ProcessEntry[];
	/** True when a process ended while the table was read. One of its children may be missing. */
	readonly torn: boolean;
	/** What all processes say, where `entries` are only those that can be a call's. */
	readonly setting?: TreeSetting;
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
 * Parses `/proc/<pid>/stat` (proc_pid_stat(5)); null when it is not valid.
 *
 * The name in parentheses may contain spaces and parentheses, so fields count from the last one.
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

/** The mark in an environment block (`NAME=value`, NUL-terminated); null when there is none. */
export function markIn(environ: Buffer): string | null {
	let at = environ.indexOf(MARK_START);
	// The name must start the entry: `OLD_SPAR_PROCESS_MARK=` is another variable.
	while (at > 0 && environ[at - 1] !== 0) at = environ.indexOf(MARK_START, at + 1);
	if (at < 0) return null;
	const end = environ.indexOf(0, at);
	return environ.toString("utf8", at + MARK_START.length, end < 0 ? environ.length : end);
}

/** Reused buffer, which halves the time of `readFileSync`. `/proc/<pid>/stat` is much shorter. */
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

/** The mark of a process; null when it has none, has ended, or is another user's. */
export function readMark(pid: number): string | null {
	try {
		return markIn(readFileSync(`/proc/${pid}/environ`));
	} catch {
		// Ended meanwhile, or of another user.
		return null;
	}
}

/** Start time of a Linux process in clock ticks since boot; 0 when it is unknown. */
export function startTicksOf(pid: number): number {
	return readStat(pid)?.startTicks ?? 0;
}

/** A live process as its `stat` shows it. */
export interface LiveProcess extends Stat {
	readonly pid: number;
}

/**
 * The live processes of Linux.
 *
 * @param known gives what is known of a process already, so that it is not read again
 */
export function liveProcesses(known: (pid: number) => LiveProcess | undefined = () => undefined): {
	readonly live: readonly LiveProcess[];
	readonly torn: boolean;
} {
	const live: LiveProcess[] = [];
	let torn = false;
	for (const name of readdirSync("/proc")) {
		const pid = Number(name);
		if (!Number.isInteger(pid)) continue;
		const found = known(pid);
		const stat = found ?? readStat(pid);
		if (stat === null) torn = true;
		else if (!stat.ended) live.push(found ?? { ...stat, pid });
	}
	return { live, torn };
}

/** What a call can be told by, besides its mark. */
export interface CallTraces {
	/** Start of the call's first process, in ticks; 0 when it is unknown: any process may be the call's. */
	readonly since: number;
	readonly traces: ProcessTraces;
}

/** The traces of a call. Without a start time, any process that works in its places would count as its own. */
export function callTraces(since: number, traces: ProcessTraces): CallTraces {
	return { since, traces: since === 0 ? noTraces : traces };
}

/** A process without mark and trace, as one that is older than a call. */
export const elderEntry = ({
	pid,
	ppid,
	group,
	session,
	startTicks: start,
}: LiveProcess): ProcessEntry => ({ pid, ppid, group, session, mark: null, start, traced: false });

/**
 * All processes of Linux as they are now, for any call, with the files that they have open. Each is read once.
 *
 * A call's processes are not older than its first one. For older ones the environment and the traces are skipped (mark
 * null, no trace), which take half of the time. So are the traces of Sparring's own descendants, which say nothing.
 */
export function readProcTables(): (call?: CallTraces) => ProcessTable {
	const { live, torn } = liveProcesses();
	const parents = new Map(live.map(({ pid, ppid }) => [pid, ppid]));
	const marks = new Map<number, string | null>();
	const markOf = (pid: number): string | null => {
		const mark = marks.has(pid) ? (marks.get(pid) ?? null) : readMark(pid);
		marks.set(pid, mark);
		return mark;
	};
	return ({ since, traces } = { since: 0, traces: noTraces }) => {
		const entries = live.map((one) => {
			if (one.startTicks < since) return elderEntry(one);
			const isOwn = isKin(one.ppid, parents, ownPids);
			const traced = !isOwn && isTraced(one.pid, one.terminal, traces, "thorough");
			return { ...elderEntry(one), mark: markOf(one.pid), traced };
		});
		return { entries, torn };
	};
}

/** Parses the output of `ps -A -o pid=,ppid=,pgid=,state=`; ignores other lines. */
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

/** The processes of any POSIX system from `ps`, without sessions and marks. */
export async function readPsTable(): Promise<ProcessTable> {
	const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,pgid=,state="], {
		maxBuffer: 64 * 1024 * 1024,
		// `ps` needs no other variables, and is in a system directory.
		env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
	});
	return { entries: parsePs(stdout), torn: false };
}
