import { lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";

/** Links a Linux process to a call even after it left its group, session and parents and lost its mark. */
export interface ProcessTraces {
	readonly places: readonly string[];
	// In `/proc/PID/fd`, such as `socket:[4711]`. Only the call's processes hold it.
	readonly pipes: readonly string[];
}

export const noTraces: ProcessTraces = { places: [], pipes: [] };

export type TraceDepth = "quick" | "thorough";

const OPEN_FOR_WRITING = 0o200;

function attempt<T>(read: () => T, otherwise: T): T {
	try {
		return read();
	} catch {
		// The process has ended or is another user's, or the place is gone.
		return otherwise;
	}
}

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
