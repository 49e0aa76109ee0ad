import { execFile } from "node:child_process";
import {
	closeSync,
	lstatSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	readSync,
	realpathSync,
} from "node:fs";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { attempt } from "../kernel/attempt.ts";

/** Links a Linux process to a call even after it left its group, session and parents and lost its mark. */
export interface ProcessTraces {
	readonly places: readonly string[];
	// In `/proc/PID/fd`, such as `socket:[4711]`. Only the call's processes hold it.
	readonly pipes: readonly string[];
}

export const noTraces: ProcessTraces = { places: [], pipes: [] };

export type TraceDepth = "quick" | "thorough";

const OPEN_FOR_WRITING = 0o200;

export type ReadLink = (link: string) => string;

const target: ReadLink = (link) => attempt(() => readlinkSync(link), "");

// Each link is read once: for one look at the processes for many calls.
export function rememberedLinks(): ReadLink {
	const known = new Map<string, string>();
	return (link) => {
		const found = known.get(link) ?? target(link);
		known.set(link, found);
		return found;
	};
}

export function tracesOf(root: number | null, places: readonly string[]): ProcessTraces {
	const outputs = root === null ? [] : [1, 2].map((fd) => target(`/proc/${root}/fd/${fd}`));
	return {
		// The system shows only real paths.
		places: places.flatMap((place) => attempt(() => [realpathSync(place)], [])),
		pipes: outputs.filter((output) => /^(?:socket|pipe):/.test(output)),
	};
}

function lies(path: string, { places }: ProcessTraces): boolean {
	const clean = path.replace(/ \(deleted\)$/, "");
	return places.some((place) => clean === place || clean.startsWith(join(place, sep)));
}

function holdsFile(link: string, traces: ProcessTraces, leadsTo: ReadLink): boolean {
	const path = leadsTo(link);
	if (traces.pipes.includes(path)) return true;
	const inside = lies(path, traces);
	return inside && attempt(() => (lstatSync(link).mode & OPEN_FOR_WRITING) !== 0, false);
}

export const worksIn = (pid: number, traces: ProcessTraces): boolean =>
	lies(target(`/proc/${pid}/cwd`), traces);

/**
 * Tells whether a Linux process holds the call's output, has its working directory or program in one of the call's
 * places, or (thorough) has a file there open for writing. One with a terminal is a person's shell or editor, for which
 * places do not count: calls have none.
 */
export function isTraced(
	pid: number,
	terminal: boolean,
	traces: ProcessTraces,
	depth: TraceDepth,
	leadsTo: ReadLink = target,
): boolean {
	if (traces.pipes.length + traces.places.length === 0) return false;
	const own = terminal ? { ...traces, places: [] } : traces;
	const [cwd, program] = [`/proc/${pid}/cwd`, `/proc/${pid}/exe`];
	if (own.places.length > 0 && (lies(leadsTo(cwd), own) || lies(leadsTo(program), own)))
		return true;
	const open = depth === "quick" ? ["1", "2"] : attempt(() => readdirSync(`/proc/${pid}/fd`), []);
	return open.some((fd) => holdsFile(`/proc/${pid}/fd/${fd}`, own, leadsTo));
}

/** Name of the environment variable that marks every process of a call. */
export const MARK_VARIABLE = "SPAR_PROCESS_MARK";

export interface ProcessEntry {
	readonly pid: number;
	readonly ppid: number;
	readonly group: number;
	readonly session: number | null;
	// `SPAR_PROCESS_MARK` in its environment. Mark and session are null where they are not shown.
	readonly mark: string | null;
	// In clock ticks since boot. With `pid` it identifies the process uniquely. NaN outside of Linux.
	readonly start: number;
	// See `ProcessTraces`.
	readonly traced: boolean;
}

export type Parents = ReadonlyMap<number, number>;

// Facts of one moment that hold for every call: computed once where many calls are looked at. Safe are this process,
// its ancestors and process 1.
export interface TreeSetting {
	readonly parents: Parents;
	readonly safe: ReadonlySet<number>;
	readonly shared: ReadonlySet<number>;
}

/** The live processes at one moment, without zombies. */
export interface ProcessTable {
	readonly entries: readonly ProcessEntry[];
	// A process ended while the table was read: one of its children may be missing.
	readonly torn: boolean;
	// Of all processes, where `entries` are only those that can be a call's.
	readonly setting?: TreeSetting;
}

export interface Stat {
	readonly ppid: number;
	readonly group: number;
	readonly session: number;
	readonly terminal: boolean;
	readonly ended: boolean;
	readonly startTicks: number;
}

// `/proc/<pid>/stat` (proc_pid_stat(5)). The name in parentheses may contain spaces and parentheses, so fields count
// from the last one.
export function parseStat(text: string): Stat | null {
	const end = text.lastIndexOf(")");
	const fields = text.slice(end + 2).split(" ");
	if (end < 0 || fields.length < 20) return null;
	return {
		ppid: Number(fields[1]),
		group: Number(fields[2]),
		session: Number(fields[3]),
		terminal: fields[4] !== "0",
		// One whose first thread has ended is shown as a zombie while the others go on.
		ended: fields[0] === "X" || (fields[0] === "Z" && Number(fields[17]) <= 1),
		startTicks: Number(fields[19]),
	};
}

const MARK_START = Buffer.from(`${MARK_VARIABLE}=`);

export function markIn(environ: Buffer): string | null {
	let at = environ.indexOf(MARK_START);
	// The name must start the entry: `OLD_SPAR_PROCESS_MARK=` is another variable.
	while (at > 0 && environ[at - 1] !== 0) at = environ.indexOf(MARK_START, at + 1);
	if (at < 0) return null;
	const end = environ.indexOf(0, at);
	return environ.toString("utf8", at + MARK_START.length, end < 0 ? environ.length : end);
}

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

// Null also for one that has ended, and for another user's.
export const readMark = (pid: number): string | null =>
	attempt(() => markIn(readFileSync(`/proc/${pid}/environ`)), null);

/** Start time of a Linux process in clock ticks since boot; 0 when it is unknown. */
export function startTicksOf(pid: number): number {
	return readStat(pid)?.startTicks ?? 0;
}

export interface LiveProcess extends Stat {
	readonly pid: number;
}

// `torn`: one ended while they were read, and one of its children may be missing.
export function readProcesses(): {
	readonly live: readonly LiveProcess[];
	readonly torn: boolean;
} {
	let torn = false;
	const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
	const live = pids.flatMap((pid) => {
		const stat = readStat(pid);
		torn ||= stat === null;
		return stat === null || stat.ended ? [] : [{ ...stat, pid }];
	});
	return { live, torn };
}

export interface CallTraces {
	// In ticks; 0 when it is unknown: every process may be the call's.
	readonly since: number;
	readonly traces: ProcessTraces;
}

// Without a start time, any process that works in its places would count as its own.
export function callTraces(since: number, traces: ProcessTraces): CallTraces {
	return { since, traces: since === 0 ? noTraces : traces };
}

export const elderEntry = ({
	pid,
	ppid,
	group,
	session,
	startTicks: start,
}: LiveProcess): ProcessEntry => ({ pid, ppid, group, session, mark: null, start, traced: false });

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

export async function readPsTable(): Promise<ProcessTable> {
	const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,pgid=,state="], {
		maxBuffer: 64 * 1024 * 1024,
		// `ps` needs no other variables, and is in a system directory.
		env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
	});
	return { entries: parsePs(stdout), torn: false };
}
