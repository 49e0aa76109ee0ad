import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { promisify } from "node:util";
import { attempt } from "../kernel/attempt.ts";
import { isIn } from "./hidden-places.ts";

/** Name of the environment variable that marks every process of a call. */
export const MARK_VARIABLE = "SPAR_PROCESS_MARK";

export interface ProcessEntry {
	readonly pid: number;
	readonly ppid: number;
	readonly group: number;
	// 0 where it is not shown.
	readonly session: number;
	readonly terminal: boolean;
	// In clock ticks since boot. With `pid` it identifies the process uniquely. NaN outside of Linux.
	readonly start: number;
	// `SPAR_PROCESS_MARK` in the environment that it was started with; null also for another user's. Read when asked for.
	readonly mark: () => string | null;
}

/** The live processes at one moment, without zombies. */
export interface ProcessTable {
	readonly entries: readonly ProcessEntry[];
	// A process ended while the table was read: one of its children may be missing.
	readonly torn: boolean;
}

// `/proc/<pid>/stat` (proc_pid_stat(5)). The name in parentheses may contain spaces and parentheses, so fields count
// from the last one.
const statFields = (text: string): string[] => text.slice(text.lastIndexOf(")") + 2).split(" ");

// Null also for one that has ended.
export function parseStat(text: string): Omit<ProcessEntry, "pid" | "mark"> | "ended" | null {
	const fields = statFields(text);
	if (!text.includes(")") || fields.length < 20) return null;
	// One whose first thread has ended is shown as a zombie while the others go on.
	if (fields[0] === "X" || (fields[0] === "Z" && Number(fields[17]) <= 1)) return "ended";
	return {
		ppid: Number(fields[1]),
		group: Number(fields[2]),
		session: Number(fields[3]),
		terminal: fields[4] !== "0",
		start: Number(fields[19]),
	};
}

export function markIn(environ: string): string | null {
	// The name must start the entry: `OLD_SPAR_PROCESS_MARK=` is another variable.
	const found = environ.split("\0").find((entry) => entry.startsWith(`${MARK_VARIABLE}=`));
	return found?.slice(MARK_VARIABLE.length + 1) ?? null;
}

const statOf = (pid: number): string =>
	attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"), "");

const readMark = (pid: number): string | null =>
	attempt(() => markIn(readFileSync(`/proc/${pid}/environ`, "utf8")), null);

/**
 * Start time of a Linux process in clock ticks since boot; 0 when it is unknown. A child that has ended has one until its
 * end is noticed: on a busy machine a short command ends before its parent goes on.
 */
export function startTicksOf(pid: number): number {
	return Number(statFields(statOf(pid))[19] ?? 0);
}

export function readProcTable(): ProcessTable {
	let torn = false;
	const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
	const entries = pids.flatMap((pid) => {
		const stat = parseStat(statOf(pid));
		torn ||= stat === null;
		return stat === null || stat === "ended" ? [] : [{ ...stat, pid, mark: () => readMark(pid) }];
	});
	return { entries, torn };
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+([^\sZX]\S*)(?:\s.*)?$/gm;

const PS_MARK = new RegExp(`\\s${MARK_VARIABLE}=(\\S+)`);

export function parsePs(text: string): ProcessEntry[] {
	return [...text.matchAll(PS_LINE)].map((match) => ({
		pid: Number(match[1]),
		ppid: Number(match[2]),
		group: Number(match[3]),
		session: 0,
		terminal: false,
		start: Number.NaN,
		mark: () => PS_MARK.exec(match[0])?.[1] ?? null,
	}));
}

export async function readPsTable(): Promise<ProcessTable> {
	// macOS shows the environments of the user's own programs, but not of the system's.
	const environments = process.platform === "darwin" ? ["-E"] : [];
	const columns = ["-ww", "-o", "pid=,ppid=,pgid=,state=,command="];
	const { stdout } = await promisify(execFile)("ps", ["-A", ...environments, ...columns], {
		maxBuffer: 64 * 1024 * 1024,
		// `ps` needs no other variables, and is in a system directory.
		env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
	});
	return { entries: parsePs(stdout), torn: false };
}

/** Reads the processes of this machine: from `/proc` on Linux, by `ps` elsewhere. */
export const readTable = async (): Promise<ProcessTable> =>
	process.platform === "linux" ? readProcTable() : readPsTable();

/** Links a Linux process to a call although it lost its mark, as servers do that write their title over it. */
export interface ProcessTraces {
	// Start of the call in ticks. 0 when it is unknown: then nobody is traced, for each that works there would be.
	readonly since: number;
	// Real paths.
	readonly places: readonly string[];
	// In `/proc/PID/fd`, such as `socket:[4711]`. Only the call's processes hold it.
	readonly outputs: readonly string[];
}

const target = (link: string): string => attempt(() => readlinkSync(link), "");

export function tracesOf(
	{ root, since }: { readonly root: number | null; readonly since: number },
	places: readonly string[],
): ProcessTraces {
	const outputs = root === null ? [] : [1, 2].map((fd) => target(`/proc/${root}/fd/${fd}`));
	return {
		since,
		places: places.flatMap((place) => attempt(() => [realpathSync(place)], [])),
		outputs: outputs.filter((output) => /^(?:socket|pipe):/.test(output)),
	};
}

// ` (deleted)` follows a path that was removed.
const lies = (link: string, places: readonly string[]): boolean =>
	places.some((place) => isIn(target(link).replace(/ \(deleted\)$/, ""), place));

export const worksIn = (pid: number, places: readonly string[]): boolean =>
	lies(`/proc/${pid}/cwd`, places);

/**
 * Tells that a Linux process holds the call's output, or has its working directory, program or output in one of the
 * call's places. One with a terminal is a person's shell or editor: calls have none.
 */
export function isTraced(entry: ProcessEntry, { since, places, outputs }: ProcessTraces): boolean {
	if (entry.terminal || since === 0 || !(entry.start >= since)) return false;
	const open = [1, 2].map((fd) => `/proc/${entry.pid}/fd/${fd}`);
	return (
		open.some((link) => outputs.includes(target(link))) ||
		[`/proc/${entry.pid}/cwd`, `/proc/${entry.pid}/exe`, ...open].some((link) => lies(link, places))
	);
}
