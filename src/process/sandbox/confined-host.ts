import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { buildCaches, showCache } from "../build-caches.ts";
import { notStarted } from "../ended-result.ts";
import { startProblem } from "../find-program.ts";
import { isIn } from "../hidden-places.ts";
import type { OpenProcess, ProcessHost, ProcessRequest, ProcessResult } from "../process.ts";
import { openProcess, runProcess } from "../run-process.ts";
import { hardenCommand } from "./harden-command.ts";
import { launchScript, quote } from "./launch-script.ts";
import { closing, type FileWishes, fileRules, realPlaces } from "./real-places.ts";
import type { FileRules } from "./runtime-client.ts";

const PATHS = /\/[^\s"'`;|&<>()$=:,]+/g;

/**
 * Places that a process needs in order to start: its program, the folders of its search path, and the files that the
 * user named. Of a package or an environment all of it, since its programs load the rest.
 */
export function programPlaces({
	command: [program],
	env,
	named = [],
}: Pick<ProcessRequest, "command" | "env" | "named">): readonly string[] {
	const folders = (env["PATH"] ?? "").split(delimiter);
	const files = named.flatMap((text) => [text, ...(text.match(PATHS) ?? [])]);
	return [program, ...folders, ...files].flatMap((path) => [path, ...surroundings(path)]);
}

const MODULES = "/node_modules/";

function surroundings(path: string): string[] {
	const at = path.indexOf(MODULES);
	if (at >= 0) return [path.slice(0, at + MODULES.length - 1)];
	return [path, dirname(path)]
		.filter((folder) => basename(folder) === "bin")
		.map((folder) => dirname(folder))
		.filter((place) => ["pyvenv.cfg", "conda-meta"].some((name) => existsSync(join(place, name))));
}

// Tools fail when they cannot write these. Not all of `XDG_CACHE_HOME`, so that files that are only read there, such as
// browsers for tests, are still found.
const CACHES: Readonly<Record<string, string>> = {
	npm_config_cache: "npm",
	YARN_CACHE_FOLDER: "yarn",
	PNPM_HOME: "pnpm",
	BUN_INSTALL_CACHE_DIR: "bun",
	PIP_CACHE_DIR: "pip",
	UV_CACHE_DIR: "uv",
	POETRY_CACHE_DIR: "poetry",
	GOCACHE: "go-build",
	CCACHE_DIR: "ccache",
};

// The sandbox's loopback needs no proxy.
const DIRECT = "localhost,127.0.0.1,::1";

/**
 * Additional variables that a program needs in the sandbox. Caches are in the call's temporary directory, unless the
 * request names a writable one: in a shared cache an agent could plant files that a check then runs.
 */
export function confinedEnvironment(
	env: Readonly<Record<string, string>>,
	tmp: string,
	isWritable: (path: string) => boolean,
): Record<string, string> {
	const caches = Object.entries(CACHES).flatMap(([name, folder]) => {
		const given = env[name];
		const kept = given !== undefined && isWritable(given);
		return kept ? [] : [[name, join(tmp, "cache", folder)] as const];
	});
	return {
		...Object.fromEntries(caches),
		TMPDIR: tmp,
		NO_PROXY: DIRECT,
		no_proxy: DIRECT,
		// Without it Node's `fetch` resolves the host itself, and the sandbox has no DNS.
		NODE_USE_ENV_PROXY: "1",
	};
}

// In those that the call writes to, the user's are seen.
function showCaches({ env, cwd }: ProcessRequest, own: Readonly<Record<string, string>>): void {
	for (const cache of buildCaches(env, cwd)) {
		const to = own[cache.variable];
		if (to !== undefined) showCache(cache, to);
	}
}

export interface Confinement {
	readonly directory: string;
	readonly scratch: string;
	readonly never: readonly string[];
	readonly hidden: readonly string[];
	// Of these a call sees its own places only, and the `shared` ones.
	readonly closed: readonly string[];
	readonly shared: readonly string[];
	readonly guards: readonly string[] | null;
	// With them there is no wrapper between the runtime's relays and the program.
	readonly unixSockets: boolean;
	readonly ports: readonly number[];
	// They surround the program and report its signal as an exit code; `env` can restore an ignored signal.
	readonly wrappers: { readonly exist: boolean; readonly restoreSignal: boolean };
	wrap(command: string, rules: FileRules): Promise<string>;
}

const RUNTIME_PLACES = ["/tmp/claude", "/private/tmp/claude"];

const CALL_FILES = "call-files";

interface ConfinedRequest {
	readonly request: ProcessRequest;
	release(): Promise<void>;
}

interface CallPlaces {
	readonly rules: Required<FileRules>;
	readonly tmp: string;
	readonly script: string;
	readonly own: readonly string[];
}

const freed = async (paths: readonly string[]): Promise<void> => {
	for (const path of paths) {
		// Files that a program made undeletable stay until the system cleans its temporary directory.
		await rm(path, { recursive: true, force: true }).catch(() => undefined);
	}
};

// The request's directory for temporary files, if it is writable, else a new one.
async function placesOf(request: ProcessRequest, confinement: Confinement): Promise<CallPlaces> {
	const { directory, scratch, never, hidden, closed, shared } = confinement;
	const wishes: FileWishes = {
		writable: request.writable ?? [request.cwd],
		readable: request.readable ?? [],
		never: [...never, directory, ...RUNTIME_PLACES],
		hidden,
	};
	const scripts = join(directory, CALL_FILES);
	await mkdir(scripts, { recursive: true });
	const calls = await mkdtemp(join(scripts, "call-"));
	const script = join(calls, "launch.sh");
	const { cwd, places = [], readable = [], apart = false } = request;
	const view = {
		// Of the sandbox itself, what it has for other calls.
		closed: [...closed, scripts, scratch],
		own: [
			directory,
			calls,
			...(apart ? [] : shared),
			cwd,
			...places,
			...readable,
			...programPlaces(request),
		],
	};
	const given = fileRules(wishes);
	const [named] = realPlaces([request.env["TMPDIR"] ?? ""]);
	if (named !== undefined && given.writable.some((place) => isIn(named, place))) {
		return { rules: closing(given, view), tmp: named, script, own: [calls] };
	}
	const tmp = await mkdtemp(join(scratch, "call-"));
	const rules = fileRules({ ...wishes, writable: [...wishes.writable, tmp] });
	return { rules: closing(rules, view), tmp, script, own: [calls, tmp] };
}

async function prepare(
	request: ProcessRequest,
	confinement: Confinement,
): Promise<ConfinedRequest | string> {
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
		showCaches(request, env);
		const text = launchScript({ command: request.command, env, ports, restoreSignal });
		await writeFile(script, text, { mode: 0o600, flag: "wx" });
		const source = `. ${quote(script)}`;
		// In a subshell, so that the runtime's relays are not children of the program.
		const runtime = await confinement.wrap(confinement.unixSockets ? `(${source})` : source, rules);
		const { guards } = confinement;
		const wrapped =
			guards === null ? runtime : hardenCommand(runtime, { closed: rules.closed, guards });
		// At the timeout the wrappers get SIGTERM too. If they ended, the program would have no time to end.
		const patient = restoreSignal ? "trap '' TERM; " : "";
		return {
			request: { ...request, command: ["/bin/sh", "-c", `${patient}exec ${wrapped}`] },
			release: () => freed(own),
		};
	} catch (error) {
		await freed(own);
		// The file system and `wrap` throw errors only.
		return `sandbox: ${(error as Error).message}`;
	}
}

async function released(
	ended: Promise<ProcessResult>,
	prepared: ConfinedRequest,
): Promise<ProcessResult> {
	try {
		return await ended;
	} finally {
		await prepared.release();
	}
}

/**
 * A host whose processes can write only to their `writable` paths and reach only the allowed hosts. On Linux they run
 * in a process namespace, so everything that they started ends with them.
 *
 * A program that cannot be confined is not started; `startError` then starts with `sandbox: `.
 */
export function confinedHost(confinement: Confinement): ProcessHost {
	const unwrap = (result: ProcessResult): ProcessResult =>
		confinement.wrappers.exist ? unwrapExit(result) : result;

	const prepared = async (
		request: ProcessRequest,
		signal: AbortSignal,
	): Promise<ConfinedRequest | ProcessResult> => {
		signal.throwIfAborted();
		const startedAt = Date.now();
		const ready = await prepare(request, confinement);
		return typeof ready === "string" ? notStarted(ready, startedAt) : ready;
	};

	const run = async (request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult> => {
		const ready = await prepared(request, signal);
		if (!("release" in ready)) return ready;
		return released(runProcess(ready.request, signal), ready).then(unwrap);
	};

	const open = async (
		request: ProcessRequest,
		signal: AbortSignal,
	): Promise<OpenProcess | ProcessResult> => {
		const ready = await prepared(request, signal);
		if (!("release" in ready)) return ready;
		const opening = openProcess(ready.request, signal);
		const ended = released(
			opening.then((opened) => ("ended" in opened ? opened.ended : opened)),
			ready,
		).then(unwrap);
		// The caller may await `ended` later, so the rejection must not count as unhandled.
		ended.catch(() => undefined);
		const opened = await opening.catch(() => ended);
		return "ended" in opened ? { ...opened, ended } : ended;
	};

	return { confines: true, run, open };
}

// Codes for other signals, such as SIGCHLD, are a program's own exit codes.
const FATAL: readonly NodeJS.Signals[] = [
	...(["SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS"] as const),
	...(["SIGFPE", "SIGKILL", "SIGSEGV", "SIGPIPE", "SIGALRM", "SIGTERM"] as const),
	...(["SIGXCPU", "SIGXFSZ", "SIGSYS"] as const),
];

const BY_EXIT_CODE: ReadonlyMap<number, string> = new Map(
	FATAL.map((name) => [128 + constants.signals[name], name]),
);

/**
 * Restores the signal that ended a program: shells and the process namespace report it as exit code 128 plus its
 * number. A program that exits with such a code by itself is treated as ended by the signal.
 */
export function unwrapExit(result: ProcessResult): ProcessResult {
	if (result.exitCode === null) return result;
	const signal = BY_EXIT_CODE.get(result.exitCode);
	return signal === undefined ? result : { ...result, exitCode: null, signal };
}
