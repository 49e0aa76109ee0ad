import { lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";

/** What ties a process of Linux to a call even after it left its group, its session, its parents and its marker. */
export interface ProcessTraces {
	/** Real paths of directories that are the call's own. */
	readonly places: readonly string[];
	/** The call's output as `/proc/PID/fd` names it, such as `socket:[4711]`: nobody else can hold it. */
	readonly pipes: readonly string[];
}

/** Ties nothing. */
export const noTraces: ProcessTraces = { places: [], pipes: [] };

/** `quick` leaves out open files, of which a process may have thousands. */
export type TraceDepth = "quick" | "thorough";

/** Bit of the mode of a link in `/proc/PID/fd`: the file is open for writing (proc_pid_fd(5)). */
const OPEN_FOR_WRITING = 0o200;

function attempt<T>(read: () => T, otherwise: T): T {
	try {
		return read();
	} catch {
		// The process ended meanwhile or is another user's, the place is gone: nothing to be seen there.
		return otherwise;
	}
}

const target = (link: string): string => attempt(() => readlinkSync(link), "");

/**
 * The traces of a call.
 *
 * @param root the direct child, just started; null when it is not known
 * @param places absolute paths; those that do not exist are left out
 */
export function tracesOf(root: number | null, places: readonly string[]): ProcessTraces {
	const outputs = root === null ? [] : [1, 2].map((fd) => target(`/proc/${root}/fd/${fd}`));
	return {
		// The system names real paths only.
		places: places.flatMap((place) => attempt(() => [realpathSync(place)], [])),
		pipes: outputs.filter((output) => /^(?:socket|pipe):/.test(output)),
	};
}

function lies(path: string, { places }: ProcessTraces): boolean {
	const clean = path.replace(/ \(deleted\)$/, "");
	return places.some((place) => clean === place || clean.startsWith(join(place, sep)));
}

function holdsFile(link: string, traces: ProcessTraces): boolean {
	const path = target(link);
	if (traces.pipes.includes(path)) return true;
	const inside = lies(path, traces);
	return inside && attempt(() => (lstatSync(link).mode & OPEN_FOR_WRITING) !== 0, false);
}

/**
 * Whether a process of Linux holds the call's output, works in one of its places, runs a program that lies there, or
 * (thorough) has a file there open for writing.
 *
 * @param terminal whether it has a controlling terminal. Calls get none: such a process is a person's shell or editor
 * that looks at the checkout, so that places prove nothing
 */
export function isTraced(
	pid: number,
	terminal: boolean,
	traces: ProcessTraces,
	depth: TraceDepth,
): boolean {
	if (traces.pipes.length + traces.places.length === 0) return false;
	const own = terminal ? { ...traces, places: [] } : traces;
	const [cwd, program] = [`/proc/${pid}/cwd`, `/proc/${pid}/exe`];
	if (own.places.length > 0 && (lies(target(cwd), own) || lies(target(program), own))) return true;
	const open = depth === "quick" ? ["1", "2"] : attempt(() => readdirSync(`/proc/${pid}/fd`), []);
	return open.some((fd) => holdsFile(`/proc/${pid}/fd/${fd}`, own));
}
