import { existsSync, statfsSync } from "node:fs";
import { attempt } from "../kernel/attempt.ts";
import { Fault } from "../kernel/fault.ts";
import type { Person } from "../kernel/person.ts";
import { type BoundedEnd, runBoundedChild } from "../process/bounded-child.ts";
import { MARK_VARIABLE } from "../process/process-table.ts";
import { filterFault } from "./filter-failure.ts";
import type { KeptAnswer, KeptChild, KeptChildren, KeptRequest } from "./kept-children.ts";
import type { GitHost } from "./standard-host.ts";

/**
 * Place of a command. `sealed` ignores the configuration, filters and attribute files of system and user; `users`
 * reads them, since line endings and filters in the user's own work tree depend on them. Hooks are off in both.
 */
export interface GitPlace {
	readonly host: GitHost;
	readonly configuration: "sealed" | "users";
	readonly cwd: string;
	/** Undefined: git searches from `cwd` upward. */
	readonly gitDir?: string;
	readonly workTree?: string;
	readonly indexFile?: string;
	readonly objectsDir?: string;
	/** Store to which Git LFS writes; left out: where the configuration says. */
	readonly lfsStorage?: string | undefined;
	readonly stores?: readonly string[];
	readonly signal?: AbortSignal | undefined;
	readonly timeoutMs?: number;
	/** Marks the command's processes, so that they can be ended later (`endMarked`). Undefined: they run to their end. */
	readonly mark?: string | undefined;
	readonly kept?: KeptChildren | undefined;
}

const GIT_TIMEOUT_MS = 600_000;

export interface GitAnswer {
	readonly exitCode: number;
	readonly stdout: Buffer;
	readonly stderr: string;
	readonly truncated: boolean;
}

/** A git command as a value: its arguments and the parser for its output. Starts no process. */
export interface GitQuery<T> {
	readonly args: readonly string[];
	readonly stdin?: string | Buffer;
	/** Exit codes that are answers; any other is a fault. Default: only 0. */
	readonly exitCodes?: readonly number[];
	/** Maximum bytes of standard output; the command is ended there. Default: no limit. */
	readonly maxStdout?: number;
	/** True: standard output is discarded. */
	readonly ignoresStdout?: boolean;
	/** Author and committer time in milliseconds since the epoch, for reproducible commit ids. */
	readonly at?: number;
	/** Author and committer of what it writes. Default: `IDENTITY`. */
	readonly by?: Person | undefined;
	/** Further variables; they win, and `undefined` takes one away. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** True for a command that may rewrite the index. */
	readonly mayLock?: boolean;
	/** True for a command that runs the user's own hooks; only where their configuration applies. */
	readonly runsHooks?: boolean;
	/** True for a command that does not support literal paths, which are the default. */
	readonly notLiteral?: boolean;
	parse(answer: GitAnswer): T;
}

export interface KeptQuery<T> extends Pick<GitQuery<T>, "args" | "mayLock">, KeptRequest<T> {}

const NO_HOOKS = "core.hooksPath=/dev/null";

// They override all files.
const COMMON_SETTINGS = [
	"core.fsmonitor=false",
	"core.quotePath=false",
	"protocol.ext.allow=never",
	"gc.auto=0",
	"maintenance.auto=false",
	"commit.gpgSign=false",
	"advice.addEmbeddedRepo=false",
	// A database row may only name objects that are on disk. By default git does not sync loose objects.
	"core.fsync=loose-object,pack,pack-metadata,reference",
	"core.fsyncMethod=batch",
];

/** For `git add`: new files without conversions come into one pack, which is ten times as fast as a file for each. */
export const IN_ONE_PACK = ["-c", "core.bigFileThreshold=1"];

const SEALED_SETTINGS = [
	"core.attributesFile=/dev/null",
	"core.excludesFile=/dev/null",
	"core.autocrlf=false",
	"core.symlinks=true",
	"core.safecrlf=false",
	"core.trustctime=true",
	"core.checkStat=default",
	"core.untrackedCache=false",
	"core.sparseCheckout=false",
];

/** Author and committer of Sparring's own commits. */
export const IDENTITY: Person = { name: "Sparring", email: "sparring@localhost" };

type Command = Omit<GitQuery<unknown>, "parse">;

function environmentOf(place: GitPlace, query: Command): Record<string, string> {
	const { host, gitDir, workTree, indexFile, objectsDir, stores = [] } = place;
	const { name, email } = query.by ?? IDENTITY;
	const date = query.at === undefined ? undefined : `@${Math.floor(query.at / 1_000)} +0000`;
	const optional: Record<string, string | undefined> = {
		GIT_AUTHOR_NAME: name,
		GIT_AUTHOR_EMAIL: email,
		GIT_COMMITTER_NAME: name,
		GIT_COMMITTER_EMAIL: email,
		GIT_DIR: gitDir,
		GIT_WORK_TREE: workTree,
		GIT_INDEX_FILE: indexFile,
		GIT_OBJECT_DIRECTORY: objectsDir,
		GIT_ALTERNATE_OBJECT_DIRECTORIES: stores.length === 0 ? undefined : pathList(stores),
		GIT_AUTHOR_DATE: date,
		GIT_COMMITTER_DATE: date,
		XDG_CONFIG_HOME: host.configHome,
		[MARK_VARIABLE]: place.mark,
		GIT_LITERAL_PATHSPECS: query.notLiteral === true ? undefined : "1",
		GIT_OPTIONAL_LOCKS: query.mayLock === true ? undefined : "0",
		...(place.configuration === "sealed"
			? { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_ATTR_NOSYSTEM: "1" }
			: {}),
		...query.env,
	};
	const set = Object.entries(optional).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, value] as const],
	);
	return {
		PATH: host.path,
		HOME: host.home,
		LC_ALL: "C",
		GIT_TERMINAL_PROMPT: "0",
		GIT_NO_REPLACE_OBJECTS: "1",
		GIT_MERGE_AUTOEDIT: "no",
		...Object.fromEntries(set),
	};
}

function pathList(paths: readonly string[]): string {
	return paths.map((path) => `"${path.replaceAll(/["\\]/g, "\\$&")}"`).join(":");
}

function argumentsOf(place: GitPlace, query: Command): string[] {
	const isSealed = place.configuration === "sealed";
	const settings = [
		...(query.runsHooks === true && !isSealed ? [] : [NO_HOOKS]),
		...COMMON_SETTINGS,
		...(isSealed ? SEALED_SETTINGS : []),
		...(place.lfsStorage === undefined ? [] : [`lfs.storage=${place.lfsStorage}`]),
	];
	return ["--no-pager", ...settings.flatMap((setting) => ["-c", setting]), ...query.args];
}

/**
 * Runs a command and returns the result for any exit code. When it settles, the command's whole process group has ended.
 *
 * @throws Fault `program-missing` when git cannot be started, `git-failed` at the timeout and where a signal ended it; the
 * reason of the place's
 * signal when it was aborted
 */
export async function askGit(place: GitPlace, query: GitQuery<unknown>): Promise<GitAnswer> {
	const end = await orNotStarted(place, () =>
		runBoundedChild({
			...commandOf(place, query),
			stdin: query.stdin ?? "",
			maxStdout: query.maxStdout ?? Number.POSITIVE_INFINITY,
			ignoresStdout: query.ignoresStdout === true,
		}),
	);
	return answerOf(place, query, end);
}

/**
 * Asks a command that the place keeps, or else one for this request alone. `ended`: with any exit code, or since the
 * answer was too long.
 */
export async function askKept<T>(
	place: GitPlace,
	query: KeptQuery<T>,
): Promise<{ readonly answer: T } | { readonly ended: GitAnswer }> {
	const child = commandOf(place, query);
	const told = await orNotStarted(place, () =>
		place.kept === undefined ? askOnce(child, query) : place.kept.ask(child, query),
	);
	return "answer" in told ? told : { ended: answerOf(place, query, told.end) };
}

export async function runKept<T>(place: GitPlace, query: KeptQuery<T>): Promise<T> {
	const told = await askKept(place, query);
	if ("ended" in told) throw failure(place, query, told.ended);
	return told.answer;
}

async function askOnce<T>(child: KeptChild, request: KeptRequest<T>): Promise<KeptAnswer<T>> {
	const { input, maxBytes = Number.POSITIVE_INFINITY } = request;
	const end = await runBoundedChild({ ...child, stdin: input, maxStdout: maxBytes });
	const unanswered = { end, bytesHeard: end.stdout.length };
	if (end.exitCode !== 0 || end.truncated || end.timedOut) return unanswered;
	const reading = request.read(end.stdout);
	return "answer" in reading ? reading : unanswered;
}

function commandOf(place: GitPlace, query: Command): KeptChild {
	return {
		program: "git",
		args: argumentsOf(place, query),
		cwd: place.cwd,
		env: environmentOf(place, query),
		timeoutMs: timeoutOf(place),
		signal: place.signal,
	};
}

const timeoutOf = (place: GitPlace): number => place.timeoutMs ?? GIT_TIMEOUT_MS;

async function orNotStarted<T>(place: GitPlace, start: () => Promise<T>): Promise<T> {
	try {
		return await start();
	} catch (error) {
		const isSystems = error instanceof Error && "code" in error && !(error instanceof Fault);
		if (place.signal?.aborted === true || !isSystems) throw error;
		throw notStarted(place, error);
	}
}

function answerOf(place: GitPlace, query: Command, end: BoundedEnd): GitAnswer {
	if (end.timedOut) throw tooLong(place, query, timeoutOf(place));
	const { exitCode, stdout, stderr, truncated } = end;
	// It says nothing of the repository.
	if (exitCode === -1 && !truncated) throw endedBySignal(place, query);
	return { exitCode, stdout, stderr, truncated };
}

function tooLong(place: GitPlace, query: Command, timeoutMs: number): Fault {
	const where = place.workTree ?? place.gitDir ?? place.cwd;
	const limit = timeoutMs >= 60_000 ? `${timeoutMs / 60_000} minutes` : `${timeoutMs} ms`;
	return new Fault(`git ${verbOf(query.args)} timed out after ${limit} in ${where}`, {
		code: "git-failed",
		hint: "Check for very large files or a slow disk, then try again.",
	});
}

function endedBySignal(place: GitPlace, query: Command): Fault {
	const where = place.workTree ?? place.gitDir ?? place.cwd;
	return new Fault(`git ${verbOf(query.args)} was ended from outside in ${where}`, {
		code: "git-failed",
		hint: "Somebody killed it, the machine ran out of memory, or it did not answer when it was to stop. Try again.",
		retryable: true,
	});
}

/**
 * Runs a command and parses its output.
 *
 * @throws Fault `git-failed` with git's message when the exit code is not in `exitCodes`, `disk-full`, and what `askGit`
 * throws
 */
export async function runGit<T>(place: GitPlace, query: GitQuery<T>): Promise<T> {
	const answer = await askGit(place, query);
	if (!(query.exitCodes ?? [0]).includes(answer.exitCode)) throw failure(place, query, answer);
	return query.parse(answer);
}

function notStarted(place: GitPlace, cause: Error): Fault {
	// The system says the same of a program that is missing and of a directory that is.
	if (!existsSync(place.cwd)) {
		return new Fault(`git cannot be started in ${place.cwd}: the directory is gone`, {
			code: "git-failed",
			hint: "If it is yours, restore it. Then try again: missing checkouts are made again.",
			cause,
		});
	}
	return new Fault(`git cannot be started in ${place.cwd}: ${cause.message}`, {
		code: "program-missing",
		hint: "Install git 2.38 or newer and make sure that it is on the PATH.",
		cause,
	});
}

function verbOf(args: readonly string[]): string {
	return args.find((argument, at) => !argument.startsWith("-") && args[at - 1] !== "-c") ?? "";
}

export const LOCKED_HINT =
	"Another git process is running there, or was killed. If none is running, remove the lock file.";

export function failure(
	place: GitPlace,
	query: Pick<GitQuery<unknown>, "args">,
	answer: GitAnswer,
): Fault {
	const words = answer.stderr.slice(0, 2_000) || "no message";
	const name = verbOf(query.args);
	const where = place.workTree ?? place.gitDir ?? place.cwd;
	const message = `git ${name} failed with exit code ${answer.exitCode} in ${where}: ${words}`;
	if (isFull(answer.stderr, place.cwd)) {
		return new Fault(message, { code: "disk-full", hint: "Free some space, then try again." });
	}
	const byFilter = filterFault(answer.stderr, where);
	if (byFilter !== null) return byFilter;
	if (/\.lock': File exists/.test(words)) {
		return new Fault(message, {
			code: "git-failed",
			retryable: true,
			hint: LOCKED_HINT,
		});
	}
	const isDamage = MENDABLE.test(words);
	const hint = isDamage
		? "See git's message above. `git fsck` in the repository shows damage."
		: "See git's message above.";
	return new Fault(message, { code: "git-failed", hint, retryable: isDamage });
}

/** With less space in bytes, what cannot be written finds none: 64 MiB. */
const SCARCE = 64 * 1_048_576;

// Of some files git does not say why they cannot be written.
function isFull(words: string, directory: string): boolean {
	if (/No space left on device|Disk quota exceeded|Out of diskspace/.test(words)) return true;
	if (!words.includes("unable to write file")) return false;
	const { bavail, bsize } = attempt(() => statfsSync(directory), { bavail: SCARCE, bsize: 1 });
	return bavail * bsize < SCARCE;
}

// Objects that were there a moment before: beside a `git gc --prune=now` they vanish while a command writes; when it
// is repeated, they are there. Or an object is damaged: who tries again moves it away first, so that it is made again.
const MENDABLE =
	/object file .* is empty|is corrupt\b|unable to (?:write|create|open|read) .*(?:No such file|[0-9a-f]{40})|(?:not a valid|invalid|nonexistent|bad|missing) object|error building trees|failed to unpack tree object|not something we can merge|could not read [0-9a-f]{40}/i;
