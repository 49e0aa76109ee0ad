import { existsSync } from "node:fs";
import { copyFile, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { kindOf } from "./file-tree.ts";
import { joinZero, keyOf, lineOf, nothing, zeroFields } from "./parsing.ts";
import { type Repository, userPlace } from "./repository.ts";
import {
	askGit,
	failure,
	type GitAnswer,
	type GitPlace,
	type GitQuery,
	IN_ONE_PACK,
	runGit,
} from "./run-git.ts";
import { holdsGitlinks } from "./submodules.ts";
import { tooLarge } from "./too-large.ts";
import { isTooDeep, shortened, TOO_DEEP, type Unfit } from "./unfit.ts";

/** Part of the user's work tree that is taken: all that is not ignored, or what is staged. */
export interface UserTreeRequest {
	readonly staged: boolean;
	/** Absolute path of the index that is taken; left out: that of the work tree. */
	readonly from?: string | undefined;
	/** Absolute path for an index of its own. */
	readonly indexFile: string;
	/** A path that is left out unless the commit at HEAD has it. */
	readonly without: string;
	readonly signal: AbortSignal;
}

export type UserTree =
	| {
			readonly kind: "tree";
			readonly tree: string;
			/** Paths that git cannot take, which are as in the index. */
			readonly leftOut: readonly Unfit[];
	  }
	/** Paths with conflicts that nobody has settled. */
	| { readonly kind: "unmerged"; readonly paths: readonly string[] };

/**
 * The user's work as a tree, by the user's own configuration, as `git add --all` would take it. The user's index, refs and
 * files stay as they are; only objects are written, which are not synced.
 */
export async function userTree(
	repository: Repository,
	{ staged, from, indexFile, without, signal }: UserTreeRequest,
): Promise<UserTree> {
	const own = from ?? join(repository.gitDir, "index");
	if (kindOf(own) === "file") await copyIndex(own, indexFile);
	const place = { ...userPlace(repository, signal), indexFile };
	const unmerged = await runGit(place, unmergedPaths);
	if (unmerged.length > 0) return { kind: "unmerged", paths: [...new Set(unmerged)] };
	const leftOut = staged ? [] : await addAll(place);
	const isKnown = (await runGit(place, pathsAtHead(without))).length > 0;
	if (!isKnown) await runGit(place, forget(without));
	return { kind: "tree", tree: await runGit(place, writeIndex), leftOut };
}

// Git takes files for unchanged by the time of its index: a newer time would hide a change that was made at once.
async function copyIndex(from: string, to: string): Promise<void> {
	const { atime, mtime } = await stat(from);
	await copyFile(from, to);
	await utimes(to, atime, mtime);
}

type UserIndex = GitPlace & { readonly indexFile: string };

async function addAll(place: UserIndex): Promise<Unfit[]> {
	const { paths: all, unlisted } = await changedPaths(place);
	const installed = (await installedFolders(place, all)).map((folder) => Buffer.from(folder));
	const paths = all.filter((path) => !installed.some((folder) => isBelow(path, folder)));
	const nested = paths.filter((path) => path.at(-1) === 0x2f);
	const deep = paths.filter(isTooDeep).map((path) => ({ path, why: `it ${TOO_DEEP}` }));
	const fit = paths.filter((path) => !isTooDeep(path));
	const large = [...deep, ...tooLarge(place.cwd, fit)];
	const leftOut = [...unlisted, ...large.map(({ path, why }) => named(path, why))];
	for (const path of installed) leftOut.push(named(path, UNIGNORED));
	for (const path of nested) leftOut.push(named(path, await kindOfNested(place, path)));
	const excluded = [...installed, ...nested, ...large.map(({ path }) => path)];
	const whole = [":/", ...excluded.map((path) => pathspec("exclude", path))];
	const without = new Set(excluded.map(keyOf));
	const rest = paths.filter((path) => !without.has(keyOf(path)));
	leftOut.push(...(await addWhatCan(place, { specs: whole, paths: rest })));
	return [...leftOut, ...(await dirtySubmodules(place))];
}

const UNIGNORED = "installed packages, which no .gitignore names: add it there";

const isBelow = (path: Buffer, folder: Buffer): boolean =>
	path[folder.length] === 0x2f && path.subarray(0, folder.length).equals(folder);

/** So many paths that make git give up one by one have a reason that is not in them. */
const MOST_TRIED = 50;

interface Addition {
	readonly specs: readonly (Buffer | string)[];
	/** Paths that it may take. */
	readonly paths: readonly Buffer[];
}

/**
 * Git takes all files but those that it cannot read. One whose conversion fails makes it give up: then it gets the halves,
 * until that one is left.
 *
 * @param tried the paths that were left alone
 */
async function addWhatCan(
	place: UserIndex,
	{ specs, paths }: Addition,
	tried: string[] = [],
): Promise<Unfit[]> {
	const answer = await askGit(place, add(specs));
	if (answer.exitCode === 0) return [];
	const fault = failure(place, add([]), answer);
	if (fault.code === "disk-full" || answer.stderr.includes("insert into database")) throw fault;
	const refusals = (of: readonly Buffer[]): Unfit[] =>
		of.map((path) => named(path, reasonIn(answer, path)));
	if (answer.exitCode === 1) {
		const among = new Set(paths.map(keyOf));
		return refusals((await changedPaths(place)).paths.filter((path) => among.has(keyOf(path))));
	}
	if (paths.length === 1) tried.push(...paths.map(keyOf));
	if (paths.length === 0 || tried.length > MOST_TRIED) throw fault;
	if (paths.length === 1) return refusals(paths);
	const half = Math.ceil(paths.length / 2);
	const parts = [paths.slice(0, half), paths.slice(half)];
	const refused: Unfit[] = [];
	for (const part of parts) {
		const literal = part.map((path) => pathspec("literal", path));
		refused.push(...(await addWhatCan(place, { specs: literal, paths: part }, tried)));
	}
	return refused;
}

function pathspec(magic: "exclude" | "literal", path: Buffer): Buffer {
	const words = magic === "exclude" ? "top,exclude,literal" : "top,literal";
	return Buffer.concat([Buffer.from(`:(${words})`), path]);
}

const named = (path: Buffer, why: string): Unfit => ({ path: shortened(path), why });

function reasonIn({ stderr }: GitAnswer, path: Buffer): string {
	const text = path.toString("utf8");
	const lines = stderr.split("\n").filter((each) => each.includes(text));
	const line = lines.find((each) => !each.startsWith("hint: ")) ?? lines[0];
	if (line === undefined) return "git does not take it";
	return line.includes("Permission denied")
		? NO_RIGHT
		: line.replace(/^(?:error|fatal): /, "").replace(`${text}: `, "");
}

const NO_RIGHT = "you have no right to read it";

async function kindOfNested({ host, cwd }: GitPlace, path: Buffer): Promise<string> {
	const place: GitPlace = { host, configuration: "users", cwd: join(cwd, path.toString("utf8")) };
	const args = ["rev-parse", "--quiet", "--verify", "HEAD"];
	const has = await askGit(place, { args, parse: nothing }).catch(() => null);
	return has?.exitCode === 1 ? "a repository without commits" : "a repository of its own";
}

/** Paths that `git add` would look at: nested repositories end with `/`, and submodules are none. */
export async function changedPaths(
	place: GitPlace,
): Promise<{ readonly paths: readonly Buffer[]; readonly unlisted: readonly Unfit[] }> {
	const others = await runGit(place, {
		args: ["ls-files", "-z", "--others", "--exclude-standard"],
		parse: ({ stdout, stderr }) => ({ paths: zeroFields(stdout), stderr }),
	});
	// By their times alone: no conversion runs, which may fail.
	const changed = await runGit(place, {
		args: ["diff-files", "-z", "--name-only", "--ignore-submodules=all"],
		parse: ({ stdout }) => zeroFields(stdout),
	});
	const closed = [...others.stderr.matchAll(/could not open directory '(.+)': /g)];
	return {
		paths: [...others.paths, ...changed],
		unlisted: closed.map(([, path = ""]): Unfit => ({ path, why: NO_RIGHT })),
	};
}

async function dirtySubmodules(place: UserIndex): Promise<Unfit[]> {
	if (!holdsGitlinks(place)) return [];
	const args = ["diff-files", "-z", "--name-only", "--diff-filter=M"];
	const answer = await askGit(place, { args: [...args, "--submodule=short"], parse: nothing });
	const still = new Set((await changedPaths(place)).paths.map(keyOf));
	return zeroFields(answer.stdout)
		.filter((path) => !still.has(keyOf(path)))
		.map((path) => named(path, "changes inside a submodule that are not committed there"));
}

// Else the larger part of it would be written beside the user's.
const OWN_INDEX = ["-c", "core.splitIndex=false"];

const AS_IT_IS = ["-c", "core.fsync=none", "-c", "core.safecrlf=false"];

const ADD = "add --all --sparse --ignore-errors --pathspec-from-file=- --pathspec-file-nul".split(
	" ",
);

const add = (specs: readonly (Buffer | string)[]): GitQuery<void> => ({
	args: [...IN_ONE_PACK, ...OWN_INDEX, ...AS_IT_IS, ...ADD],
	stdin: joinZero(specs),
	notLiteral: true,
	mayLock: true,
	parse: nothing,
});

const unmergedPaths: GitQuery<string[]> = {
	args: ["ls-files", "-z", "--unmerged"],
	parse: ({ stdout }) =>
		zeroFields(stdout).map((entry) => entry.toString("utf8").split("\t")[1] ?? ""),
};

const pathsAtHead = (path: string): GitQuery<Buffer[]> => ({
	args: ["ls-tree", "-z", "--name-only", "--full-tree", "HEAD", "--", path],
	parse: ({ stdout }) => zeroFields(stdout),
});

const forget = (path: string): GitQuery<void> => ({
	args: [...OWN_INDEX, "update-index", "--force-remove", "--", path],
	mayLock: true,
	parse: nothing,
});

const writeIndex: GitQuery<string> = {
	args: [...OWN_INDEX, "write-tree"],
	mayLock: true,
	parse: lineOf,
};

const FOLDER = /^(?:.*?\/)??(?:node_modules|\.?venv)(?=\/)/s;
const SAMPLE = /(?:^|\/)(?:__fixtures__|fixtures?|testdata)\//;

/**
 * Folders without tracked files that an installation fills: `node_modules` beside its manifest, and virtual environments
 * of Python. Those of samples are none.
 *
 * @param paths relative to the work tree, of which some are not tracked
 */
async function installedFolders(
	place: GitPlace,
	paths: readonly Buffer[],
): Promise<readonly string[]> {
	const named = paths.flatMap((path) => FOLDER.exec(path.toString("utf8")) ?? []);
	const folders = [...new Set(named)].filter(
		(folder) => isFilled(place.cwd, folder) && !SAMPLE.test(folder),
	);
	if (folders.length === 0) return [];
	const tracked = await runGit(place, {
		args: ["ls-files", "-z", "--", ...folders],
		parse: ({ stdout }) => zeroFields(stdout).map((path) => path.toString("utf8")),
	});
	return folders.filter((folder) => !tracked.some((path) => path.startsWith(`${folder}/`)));
}

function isFilled(root: string, folder: string): boolean {
	const path = join(root, folder);
	return folder.endsWith("node_modules")
		? existsSync(join(dirname(path), "package.json"))
		: existsSync(join(path, "pyvenv.cfg"));
}
