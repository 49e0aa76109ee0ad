import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenProcess, ProcessHost, ProcessRequest, ProcessResult } from "../process.ts";
import { notStarted, openProcess, runProcess } from "../run-process.ts";
import { confinedEnvironment } from "./confined-environment.ts";
import { unwrapExit } from "./exit-status.ts";
import { startProblem } from "./find-executable.ts";
import { launchScript } from "./launch-script.ts";
import { type FileWishes, fileRules, isIn, realPlaces } from "./real-places.ts";
import type { FileRules } from "./runtime-messages.ts";

/** What a confined host needs of the sandbox. */
export interface Confinement {
	/** A directory of the sandbox alone, which no call may write. */
	readonly directory: string;
	/** A directory for the temporary files of calls that bring no place for them. */
	readonly scratch: string;
	readonly never: readonly string[];
	readonly hidden: readonly string[];
	/** Whether Unix sockets are allowed: then no wrapper stands between the runtime's relays and the program. */
	readonly unixSockets: boolean;
	/** Ports of the loopback to relay into the sandbox. */
	readonly ports: readonly number[];
	/**
	 * Whether wrappers stand around the program, whose exit codes tell its signal, and `env` can undo an ignored signal.
	 */
	readonly wrappers: { readonly exist: boolean; readonly restoreSignal: boolean };
	/** Makes a confined command of one for `sh -c`; may throw an `Error`. */
	wrap(command: string, rules: FileRules): Promise<string>;
	/** To be called once for each command that `wrap` gave, when it has ended. */
	done(): void;
}

/** Writable by every call of the runtime when they exist; nothing of ours is there. */
const RUNTIME_PLACES = ["/tmp/claude", "/private/tmp/claude"];

interface Prepared {
	readonly request: ProcessRequest;
	/** To be called once, when the process has ended. It does not throw. */
	release(): Promise<void>;
}

/** Directories of one call, and what they hold. */
interface CallPlaces {
	readonly rules: FileRules;
	readonly tmp: string;
	readonly script: string;
	readonly own: readonly string[];
}

const freed = async (paths: readonly string[]): Promise<void> => {
	for (const path of paths) {
		// What a program made unreadable stays until the system clears its temporary files.
		await rm(path, { recursive: true, force: true }).catch(() => undefined);
	}
};

/** The directory for temporary files that the request names, when it may be written; else a new one. */
async function placesOf(request: ProcessRequest, confinement: Confinement): Promise<CallPlaces> {
	const { directory, scratch, never, hidden } = confinement;
	const wishes: FileWishes = {
		writable: request.writable ?? [request.cwd],
		readable: request.readable ?? [],
		never: [...never, directory, ...RUNTIME_PLACES],
		hidden,
	};
	const calls = await mkdtemp(join(directory, "call-"));
	const script = join(calls, "launch.sh");
	const given = fileRules(wishes);
	const [named] = realPlaces([request.env["TMPDIR"] ?? ""]);
	if (named !== undefined && given.writable.some((place) => isIn(named, place))) {
		return { rules: given, tmp: named, script, own: [calls] };
	}
	const tmp = await mkdtemp(join(scratch, "call-"));
	const rules = fileRules({ ...wishes, writable: [...wishes.writable, tmp] });
	return { rules, tmp, script, own: [calls, tmp] };
}

async function prepare(
	request: ProcessRequest,
	confinement: Confinement,
): Promise<Prepared | string> {
	const problem = startProblem(request.command, request.cwd, request.env["PATH"] ?? "");
	if (problem !== null) return problem;
	const own: string[] = [];
	try {
		const { ports, wrappers } = confinement;
		const { restoreSignal } = wrappers;
		const places = await placesOf(request, confinement);
		own.push(...places.own);
		const { rules, tmp, script } = places;
		const isWritable = (path: string): boolean => rules.writable.some((place) => isIn(path, place));
		const env = confinedEnvironment(request.env, tmp, isWritable);
		const text = launchScript({ command: request.command, env, ports, restoreSignal });
		await writeFile(script, text, { mode: 0o600, flag: "wx" });
		const source = `. '${script.replaceAll("'", "'\\''")}'`;
		// A subshell, or the relays of the runtime would be children of the program.
		const wrapped = await confinement.wrap(confinement.unixSockets ? `(${source})` : source, rules);
		// At the timeout the wrappers get SIGTERM as well, and would take the program's time to end from it.
		const patient = restoreSignal ? "trap '' TERM; " : "";
		return {
			request: { ...request, command: ["/bin/sh", "-c", `${patient}exec ${wrapped}`] },
			release: async () => {
				confinement.done();
				await freed(own);
			},
		};
	} catch (error) {
		await freed(own);
		// The file system and `wrap` throw errors only.
		return `sandbox: ${(error as Error).message}`;
	}
}

async function released(ended: Promise<ProcessResult>, prepared: Prepared): Promise<ProcessResult> {
	try {
		return await ended;
	} finally {
		await prepared.release();
	}
}

/**
 * A host whose processes write only to the `writable` paths of their requests, reach only the allowed hosts, and on
 * Linux live in a process namespace, with which everything ends that they started.
 *
 * A program that cannot be confined is not started: `startError` then begins with `sandbox: `.
 */
export function confinedHost(confinement: Confinement): ProcessHost {
	const unwrap = (result: ProcessResult): ProcessResult =>
		confinement.wrappers.exist ? unwrapExit(result) : result;

	const run = async (request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult> => {
		signal.throwIfAborted();
		const startedAt = Date.now();
		const prepared = await prepare(request, confinement);
		if (typeof prepared === "string") return notStarted(prepared, startedAt);
		return unwrap(await released(runProcess(prepared.request, signal), prepared));
	};

	const open = async (
		request: ProcessRequest,
		signal: AbortSignal,
	): Promise<OpenProcess | ProcessResult> => {
		signal.throwIfAborted();
		const startedAt = Date.now();
		const prepared = await prepare(request, confinement);
		if (typeof prepared === "string") return notStarted(prepared, startedAt);
		let opened: OpenProcess | ProcessResult;
		try {
			opened = await openProcess(prepared.request, signal);
		} catch (error) {
			await prepared.release();
			throw error;
		}
		if (!("ended" in opened)) {
			await prepared.release();
			return opened;
		}
		const ended = released(opened.ended, prepared).then(unwrap);
		// A caller that still speaks to the process looks at `ended` later.
		ended.catch(() => undefined);
		return { ...opened, ended };
	};

	return { confines: true, run, open };
}
