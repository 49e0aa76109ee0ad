import { lstat, rm } from "node:fs/promises";
import { Fault } from "../kernel/fault.ts";
import { MARK_VARIABLE } from "../process/process-table.ts";
import { runBoundedChild } from "./bounded-child.ts";
import { makeWritable, removeTree } from "./file-tree.ts";
import { joinZero, pathText, zeroFields } from "./parsing.ts";
import type { GitPlace } from "./run-git.ts";
import { GIT_TIMEOUT_MS, runGit } from "./run-git.ts";

/** Something in a checkout that was removed since git must not meet it. */
export interface Unfit {
	/** Relative to the checkout; a long one is cut. */
	readonly path: string;
	/** What is wrong with it, such as `"is no file, directory or link"`. */
	readonly why: string;
}

/**
 * Longest path of a file in a checkout, relative to it, in bytes. Linux lets a program name 4,096, macOS 1,024 with the
 * directories above; git cannot hold what it cannot name.
 */
const LONGEST_PATH = process.platform === "darwin" ? 700 : 3_000;

/** Largest file of rules that git is given, in bytes: it reads all of it into memory, wherever it lies. 4 MiB. */
const LARGEST_RULES = 4 * 1_048_576;

const RULES = [".gitignore", ".gitattributes", ".gitmodules"];

/** Characters of a path that are shown. */
const LONGEST_SHOWN = 200;

/**
 * Removes what git would wait for or stumble over, at any depth and also in ignored directories: FIFOs, sockets and
 * devices, files of rules above 4 MiB, and what lies deeper than a path can tell. Nothing of it is opened.
 *
 * @returns what was removed and is not in an ignored place
 * @throws Fault `git-failed` when the tree cannot be looked through
 */
export async function removeUnfit(place: GitPlace): Promise<Unfit[]> {
	const found: (Unfit & { readonly bytes: Buffer })[] = [];
	for (const path of await findIn(place, unfitTests())) {
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

function unfitTests(): string[] {
	const rules = RULES.flatMap((name) => ["-o", "-name", name]).slice(1);
	const large = ["-type", "f", "(", ...rules, ")", "-size", `+${LARGEST_RULES / 512}`];
	return [
		...["-path", `${"?".repeat(LONGEST_PATH)}*`, "-prune", "-print0"],
		...["-o", "!", "-type", "f", "!", "-type", "d", "!", "-type", "l", "-print0"],
		...["-o", ...large, "-print0"],
	];
}

/** null when it is gone already. */
async function reasonOf(place: GitPlace, path: Buffer): Promise<string | null> {
	try {
		if (path.length + 2 >= LONGEST_PATH) {
			return `is nested too deeply: its path has more than ${LONGEST_PATH} bytes`;
		}
		const stats = await lstat(absolute(place, path));
		return stats.isFile()
			? `has ${stats.size} bytes; a file of this name may have ${LARGEST_RULES}`
			: "is a FIFO, a socket or a device";
	} catch {
		return null;
	}
}

/**
 * Looks through a checkout, its own `.git` left aside, with the system's `find`: it never opens a file, follows no link,
 * and goes deeper than a path can be long.
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
				throw new Fault(`the program find could not be started in ${place.cwd}`, {
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
	throw new Fault(`the checkout ${place.cwd} cannot be looked through: ${words}`, {
		code: "git-failed",
		hint: "See whose files they are and whether something still writes there, then resume.",
	});
}

function environmentOfFind({ host, mark }: GitPlace): Record<string, string> {
	const env = { PATH: host.path, LC_ALL: "C" };
	return mark === undefined ? env : { ...env, [MARK_VARIABLE]: mark };
}

/**
 * Removes something from a checkout, also where its directory may not be written.
 *
 * @throws Fault `state-unwritable`
 */
export async function removeIn(place: GitPlace, path: Buffer): Promise<void> {
	try {
		await rm(absolute(place, path), { recursive: true, force: true });
	} catch {
		await makeWritable(place.cwd);
		await removeTree(absolute(place, path));
	}
}

/** Those of the paths that the rules in the work tree ignore, tracked or not, as `latin1`. */
export async function ignoredOf(
	place: GitPlace,
	paths: readonly Buffer[],
): Promise<ReadonlySet<string>> {
	if (paths.length === 0) return new Set();
	const ignored = await runGit(place, {
		// Without the index, since git refuses paths in submodules that the index has.
		args: ["check-ignore", "--no-index", "-z", "--stdin"],
		// With `./` a path that starts with a colon is no pattern.
		notLiteral: true,
		stdin: joinZero(paths.map((path) => Buffer.concat([Buffer.from("./"), path]))),
		exitCodes: [0, 1],
		parse: ({ stdout }) => zeroFields(stdout),
	});
	return new Set(ignored.map((path) => path.subarray(2).toString("latin1")));
}

/** A path of a checkout as bytes from the root of the file system. */
export function absolute(place: GitPlace, path: Buffer): Buffer {
	return Buffer.concat([Buffer.from(`${place.cwd}/`), path]);
}

/** A path as it is shown: its beginning when it is long. */
export function shortened(path: Buffer): string {
	const text = pathText(path);
	return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
}
