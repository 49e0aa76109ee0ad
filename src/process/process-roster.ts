import { readdirSync, readFileSync } from "node:fs";
import { type LiveProcess, readMark, readStat, type Stat } from "./process-table.ts";

/** A process that is this long there has become the program that it was started for. In ms. */
const SETTLED_MS = 250;

/** What was read longer ago is read again: in that time, the numbers of processes could be used up. In ms. */
const STALE_MS = 1_000;

/** What Linux shows of its processes. */
export interface ProcFiles {
	/** The numbers of all, also of those that have ended and wait for their parent. */
	pids(): readonly number[];
	/** The number that was given last; the next one is higher, or starts over. Null where that is not told. */
	lastPid(): number | null;
	/** Null when it has ended. */
	stat(pid: number): Stat | null;
	/** Its `SPAR_PROCESS_MARK`; null when it has none, has ended, or is another user's. */
	mark(pid: number): string | null;
}

const procFiles: ProcFiles = {
	pids: () => readdirSync("/proc").map(Number).filter(Number.isInteger),
	lastPid: () => lastPidFrom("/proc/loadavg"),
	stat: readStat,
	mark: readMark,
};

/** Null where there is no such file: a service may be shown the processes and nothing else of `/proc`. */
export function lastPidFrom(path: string): number | null {
	try {
		return lastPidIn(readFileSync(path, "latin1"));
	} catch {
		return null;
	}
}

/** The last field of `/proc/loadavg` (proc_loadavg(5)); null where a system only pretends to have it. */
export function lastPidIn(text: string): number | null {
	const last = Number(/\s(\d+)\s*$/.exec(text)?.[1]);
	return last > 0 ? last : null;
}

/** A process of the roster, as it was at `readAt`. */
export class ListedProcess {
	readonly stat: LiveProcess;
	/** When it was first seen and when it was last read, by `performance.now()`. */
	readonly firstSeen: number;
	readonly readAt: number;
	readonly #readMark: () => string | null;
	#mark: string | null = null;

	constructor(
		stat: LiveProcess,
		times: { readonly firstSeen: number; readonly readAt: number },
		readMarkOf: () => string | null,
	) {
		this.stat = stat;
		this.firstSeen = times.firstSeen;
		this.readAt = times.readAt;
		this.#readMark = readMarkOf;
	}

	/**
	 * Read when first asked for: that of most processes is of no interest. That there is none is not kept: it may have failed
	 * to be read, and a program that takes a call's mark later belongs to the call.
	 */
	get mark(): string | null {
		this.#mark ??= this.#readMark();
		return this.#mark;
	}
}

/** The live processes at one moment. */
export interface Roll {
	readonly live: readonly ListedProcess[];
	/** When it was taken, by `performance.now()`. */
	readonly at: number;
	/** True when a process ended while it was read. One of its children may be missing. */
	readonly torn: boolean;
}

/**
 * The processes of Linux, each read as seldom as possible: a machine on which a hundred agents wait has some hundred
 * processes in which nothing changes.
 *
 * A process that was read when it was settled is not read again while it is listed. Its number stands for the same process
 * unless the system has given that number again since then, which the number given last shows. What a roster does not notice of
 * a settled process: that it has ended but its parent has not noticed, and that it changed its group, session or parents.
 * Who has to know names the process as wanted.
 */
export class ProcessRoster {
	readonly #files: ProcFiles;
	#processes: ReadonlyMap<number, ListedProcess> = new Map();
	#listed: ReadonlySet<number> = new Set();
	/** The number given last before the last reading; null: nothing is known. */
	#lastPid: number | null = null;
	#readAt = 0;

	/** @param files for tests */
	constructor(files: ProcFiles = procFiles) {
		this.#files = files;
	}

	/** @param isWanted the processes that are read in any case */
	read(isWanted: (pid: number) => boolean = () => false): Roll {
		const at = performance.now();
		const before = this.#files.lastPid();
		const pids = this.#files.pids();
		const isSame = this.#sameProcesses(pids, at);
		const processes = new Map<number, ListedProcess>();
		let torn = false;
		for (const pid of pids) {
			const old = isSame(pid) ? this.#processes.get(pid) : undefined;
			const keeps = old !== undefined && isSettled(old) && !isWanted(pid);
			const now = keeps ? old : this.#readOne(pid, old, at);
			if (now === "gone") torn = true;
			else if (now !== "ended") processes.set(pid, now);
		}
		this.#processes = processes;
		this.#listed = new Set(pids);
		this.#lastPid = before;
		this.#readAt = at;
		return { live: [...processes.values()], at, torn };
	}

	#readOne(
		pid: number,
		old: ListedProcess | undefined,
		readAt: number,
	): ListedProcess | "gone" | "ended" {
		const stat = this.#files.stat(pid);
		if (stat === null) return "gone";
		if (stat.ended) return "ended";
		const firstSeen = old?.stat.startTicks === stat.startTicks ? old.firstSeen : readAt;
		return new ListedProcess({ ...stat, pid }, { firstSeen, readAt }, () => this.#files.mark(pid));
	}

	/** Tells which numbers still stand for the process that they stood for when it was read. */
	#sameProcesses(pids: readonly number[], at: number): (pid: number) => boolean {
		const from = this.#lastPid;
		const to = this.#files.lastPid();
		if (from === null || to === null || at - this.#readAt > STALE_MS) return () => false;
		const isNew = (pid: number): boolean =>
			from <= to ? pid > from && pid <= to : pid > from || pid <= to;
		// One that appeared without a new number: what the system tells of numbers does not hold here.
		if (pids.some((pid) => !this.#listed.has(pid) && !isNew(pid))) return () => false;
		return (pid) => !isNew(pid);
	}
}

const isSettled = ({ firstSeen, readAt }: ListedProcess): boolean =>
	readAt - firstSeen >= SETTLED_MS;
