import { lstat, rm } from "node:fs/promises";
import { Fault } from "../kernel/fault.ts";
import { runBoundedChild } from "../process/bounded-child.ts";
import { MARK_VARIABLE } from "../process/process-table.ts";
import { makeWritable, removeTree } from "./file-tree.ts";
import { below, joinZero, pathText, zeroFields } from "./parsing.ts";
import type { GitPlace } from "./run-git.ts";
import { GIT_TIMEOUT_MS, runGit } from "./run-git.ts";
import { type Scanned, scanTree } from "./scan-tree.ts";

/** Something that was removed from a checkout because git cannot handle it. */
export interface Unfit {
	readonly path: string;
	/** What is wrong with it, such as `"is a FIFO, a socket or a device"`. */
	readonly why: string;
}

/**
 * Longest path in a checkout, relative to it, in bytes. The system's limit for a whole path is 4,096 on Linux and 1,024
 * on macOS.
 */
export const LONGEST_PATH = process.platform === "darwin" ? 700 : 3_000;

/** Largest `.gitignore`, `.gitattributes` or `.gitmodules`, in bytes: 4 MiB. Git reads them into memory. */
const LARGEST_RULES = 4 * 1_048_576;

const RULES = [".gitignore", ".gitattributes", ".gitmodules"];

/** Maximum characters of a path in a message. */
const LONGEST_SHOWN = 200;

/**
 * Removes what git would block or fail on, at any depth and also in ignored directories: FIFOs, sockets and devices,
 * rule files above 4 MiB, and trees nested too deeply. Opens none of them.
 *
 * @returns what was removed, without ignored paths
 * @throws Fault `git-failed` when the tree cannot be searched
 */
export async function removeUnfit(place: GitPlace): Promise<Unfit[]> {
	const found: (Unfit & { readonly bytes: Buffer })[] = [];
	for (const path of await unfitPaths(place)) {
		const why = await reasonOf(place, path);
		await removeIn(place, path);
		if (why !== null) found.push({ path: shortened(path), why, bytes: path });
	}
	const ignored = await ignoredOf(
		place,
		found.map(({ bytes }) => bytes),
	);
	return found
		.filter(({ bytes }) => !ignored.has(bytes.toString("latin1")))
		.map(({ path, why }) => ({ path, why }));
}

async function unfitPaths(place: GitPlace): Promise<readonly Buffer[]> {
	const all = scanTree(place.cwd, LONGEST_PATH - 3, isRules);
	return all === null
		? await findIn(place, unfitTests())
		: all.filter(isUnfit).map(({ path }) => path);
}

/** The same as `unfitTests`, whose paths begin with two bytes more. */
function isUnfit({ path, kind, size }: Scanned): boolean {
	if (kind !== "file" || size <= LARGEST_RULES) return kind === "special";
	return isRules(path);
}

const isRules = (path: Buffer): boolean =>
	RULES.includes(path.toString("latin1").replace(/^.*\//s, ""));

function unfitTests(): string[] {
	const rules = RULES.flatMap((name) => ["-o", "-name", name]).slice(1);
	const large = ["-type", "f", "(", ...rules, ")", "-size", `+${LARGEST_RULES / 512}`];
	const deep = ["-path", `${"?".repeat(LONGEST_PATH)}*`, "-prune", "-print0"];
	const special = "! -type f ! -type d ! -type l -print0".split(" ");
	return [...deep, "-o", ...special, "-o", ...large, "-print0"];
}

/** Null when it is already gone. */
async function reasonOf(place: GitPlace, path: Buffer): Promise<string | null> {
	try {
		if (path.length + 2 >= LONGEST_PATH) {
			return `is nested too deeply: its path has more than ${LONGEST_PATH} bytes`;
		}
		const stats = await lstat(below(place.cwd, path));
		return stats.isFile()
			? `has ${stats.size} bytes, more than the ${LARGEST_RULES} allowed for a file with this name`
			: "is a FIFO, a socket or a device";
	} catch {
		return null;
	}
}

/**
 * Searches a checkout, except its `.git`, with the system's `find`, which opens no file, follows no link, and reaches
 * deeper than the longest path.
 *
 * @param tests arguments of `find` that print with `-print0`
 * @returns paths relative to the checkout
 * @throws Fault `git-failed`; `program-missing` when there is no `find`
 */
export async function findIn(place: GitPlace, tests: readonly string[]): Promise<Buffer[]> {
	const look = () =>
		runBoundedChild({
			program: "find",
			args: [".", "-path", "./.git", "-prune", "-o", ...tests],
			cwd: place.cwd,
			env: environmentOfFind(place),
			stdin: "",
			maxStdout: Number.POSITIVE_INFINITY,
			timeoutMs: place.timeoutMs ?? GIT_TIMEOUT_MS,
			signal: place.signal,
		}).catch((error: unknown) => {
			if (error instanceof Error && "code" in error && error.code === "ENOENT") {
				throw new Fault(`the program find cannot be started in ${place.cwd}`, {
					code: "program-missing",
					hint: "Install it (Debian: findutils) and make sure that it is on the PATH.",
					cause: error,
				});
			}
			throw error;
		});
	let end = await look();
	if (end.exitCode !== 0 && !end.timedOut) {
		await makeWritable(place.cwd);
		end = await look();
	}
	if (end.exitCode === 0 && !end.timedOut) {
		return zeroFields(end.stdout).map((path) => path.subarray(2));
	}
	const words = end.timedOut ? "it took too long" : end.stderr.slice(0, 500);
	throw new Fault(`cannot search the checkout ${place.cwd}: ${words}`, {
		code: "git-failed",
		hint: "Check who owns the files and whether a program still writes there, then resume.",
	});
}

function environmentOfFind({ host, mark }: GitPlace): Record<string, string> {
	const env = { PATH: host.path, LC_ALL: "C" };
	return mark === undefined ? env : { ...env, [MARK_VARIABLE]: mark };
}

/**
 * Removes something from a checkout, even if its directory is read-only.
 *
 * @throws Fault `state-unwritable`
 */
export async function removeIn(place: GitPlace, path: Buffer): Promise<void> {
	try {
		await rm(below(place.cwd, path), { recursive: true, force: true });
	} catch {
		await makeWritable(place.cwd);
		await removeTree(below(place.cwd, path));
	}
}

/** The paths that the rules in the work tree ignore, tracked or not, as `latin1`. */
export async function ignoredOf(
	place: GitPlace,
	paths: readonly Buffer[],
): Promise<ReadonlySet<string>> {
	if (paths.length === 0) return new Set();
	const ignored = await runGit(place, {
		// Without the index, since git refuses paths in submodules that the index has.
		args: ["check-ignore", "--no-index", "-z", "--stdin"],
		// Without `./` a path that starts with a colon would be a pattern.
		notLiteral: true,
		stdin: joinZero(paths.map((path) => Buffer.concat([Buffer.from("./"), path]))),
		exitCodes: [0, 1],
		parse: ({ stdout }) => zeroFields(stdout),
	});
	return new Set(ignored.map((path) => path.subarray(2).toString("latin1")));
}

export function shortened(path: Buffer): string {
	const text = pathText(path);
	return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
}
