import { mkdirSync, writeFileSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { Fault } from "../kernel/fault.ts";
import { alternatesLine } from "./git-directory.ts";
import type { KeptChildren } from "./kept-children.ts";
import { lineOf, pathText, settingsIn, zeroFields } from "./parsing.ts";
import { askGit, failure, type GitPlace, type GitQuery, runGit } from "./run-git.ts";
import { type GitHost, standardHost } from "./standard-host.ts";

/** The user's repository, as it was when it was opened. */
export interface Repository {
	/** Top of the work tree, symbolic links resolved. */
	readonly root: string;
	/** The git directory of this work tree; `commonDir` itself unless the work tree is linked. */
	readonly gitDir: string;
	/** The git directory that all work trees share. */
	readonly commonDir: string;
	/** New objects are written here: the user's own directory, or one that borrows from it (`withOwnObjects`). */
	readonly objectsDir: string;
	/** Store to which Git LFS writes, beside such a directory, with which it leaves. */
	readonly lfsStorage?: string;
	readonly objectFormat: "sha1" | "sha256";
	/** The branch that is checked out, such as `"main"`; null when HEAD is detached, or no branch. */
	readonly headBranch: string | null;
	readonly headCommit: string;
	readonly shallow: boolean;
	/** Value of `core.sharedRepository`; null when not set. */
	readonly shared: string | null;
	readonly host: GitHost;
	/** Marks the processes that read and move its refs, see `GitPlace`. Undefined: they are never ended. */
	readonly mark: string | undefined;
	/** Keeps the commands that answer request after request, see `GitPlace`. */
	readonly kept: KeptChildren | undefined;
}

const OLDEST_GIT = [2, 38] as const;

/**
 * Opens the repository that contains a directory. Changes nothing.
 *
 * @param cwd any directory of a work tree: main, linked, or a submodule's
 * @param host where git and the user's configuration are; the caller's environment has no effect
 * @throws Fault `not-a-repository`, `repository-unsuitable` (bare, no commits, partial clone, owned by another user),
 * `git-too-old`, `program-missing`
 */
export async function openRepository(
	cwd: string,
	host: GitHost = standardHost,
): Promise<Repository> {
	await checkDirectory(cwd);
	const place: GitPlace = { host, cwd, configuration: "users" };
	// All at once: the first that fails, in this order, says what is wrong.
	const asked = [checkVersion(place), factsOf(place), runGit(place, localSettings)] as const;
	for (const answer of asked) answer.catch(() => undefined);
	const [version, told, local] = asked;
	await version;
	const facts = await told;
	const { root, gitDir, commonDir, objectsDir, shallow, objectFormat, headBranch } = facts;
	const settings = await local;
	if (facts.headCommit === undefined) throw await withoutCommit(place, root);
	const promisor = settings.some(([key, value]) => isPromisor(key, value));
	if (promisor) throw partialClone(root);
	return {
		root: await realpath(root),
		gitDir,
		commonDir,
		objectsDir,
		objectFormat: objectFormat === "sha256" ? "sha256" : "sha1",
		headBranch,
		headCommit: facts.headCommit,
		shallow: shallow === "true",
		shared: new Map(settings).get("core.sharedrepository") ?? null,
		host,
		mark: undefined,
		kept: undefined,
	};
}

/** The user's repository as a place for plumbing commands: its refs and objects, but no work tree. */
export function repositoryPlace(repository: Repository): GitPlace {
	const { host, commonDir, root, mark, kept } = repository;
	const own = ownObjects(repository);
	return { host, configuration: "sealed", cwd: root, gitDir: commonDir, mark, kept, ...own };
}

/** The user's own work tree, by the user's own configuration. */
export function userPlace(repository: Repository, signal?: AbortSignal): GitPlace {
	const { host, root, mark, lfsStorage } = repository;
	const own = { ...ownObjects(repository), lfsStorage };
	return { host, configuration: "users", cwd: root, mark, signal, ...own };
}

// Otherwise git finds them by itself, and a hook of the user's is not told of a directory.
const ownObjects = ({ objectsDir, commonDir }: Repository): Pick<GitPlace, "objectsDir"> =>
	objectsDir === join(commonDir, "objects") ? {} : { objectsDir };

/**
 * A repository whose new objects go into a directory of their own, which borrows all others from it.
 *
 * @param dir absolute directory that goes together with what is made here
 */
export function withOwnObjects(repository: Repository, dir: string): Repository {
	const objectsDir = join(dir, "objects");
	mkdirSync(join(objectsDir, "info"), { recursive: true });
	const borrowed = alternatesLine(repository.objectsDir);
	writeFileSync(join(objectsDir, "info/alternates"), `${borrowed}\n`);
	return { ...repository, objectsDir, lfsStorage: join(dir, "lfs") };
}

/**
 * Resolves a name to a commit: a branch first, then any other revision.
 *
 * @param rev such as `"main"`, `"v1.2"`, `"HEAD~3"`, or a commit id
 * @returns the full id, undefined when there is no such commit
 */
export async function resolveCommit(
	repository: Repository,
	rev: string,
): Promise<string | undefined> {
	if (rev === "" || hasControlCharacter(rev)) return undefined;
	// HEAD and similar names belong to a work tree, so its own git directory must be asked.
	const place = { ...repositoryPlace(repository), gitDir: repository.gitDir };
	const branch = await runGit(place, commitQuery(`refs/heads/${rev}`));
	return branch ?? (await runGit(place, commitQuery(rev)));
}

/** True where a local branch with this name exists, such as `"main"`. */
export async function branchExists(repository: Repository, branch: string): Promise<boolean> {
	if (branch === "" || hasControlCharacter(branch)) return false;
	const query = commitQuery(`refs/heads/${branch}`);
	return (await runGit(repositoryPlace(repository), query)) !== undefined;
}

/** Tracked files of the work tree that differ from HEAD, staged or not, by the user's own configuration. */
export function dirtyPaths({ host, root }: Repository): Promise<string[]> {
	return runGit({ host, configuration: "users", cwd: root }, statusQuery("no"));
}

/**
 * Paths of a work tree that differ from HEAD or are untracked and not ignored, by the user's own configuration.
 */
export function uncommittedPaths({ host, root }: Repository): Promise<string[]> {
	return runGit({ host, configuration: "users", cwd: root }, statusQuery("all"));
}

function statusQuery(untracked: "no" | "all"): GitQuery<string[]> {
	return {
		args: [
			"status",
			"--porcelain=v1",
			"-z",
			`--untracked-files=${untracked}`,
			"--no-renames",
			// Changes inside a submodule's work tree are not changes of this repository.
			"--ignore-submodules=dirty",
		],
		parse: ({ stdout }) => zeroFields(stdout).map((field) => pathText(field.subarray(3))),
	};
}

export function objectNamed(name: string): GitQuery<string | undefined> {
	return {
		args: ["rev-parse", "--verify", "-q", "--end-of-options", name],
		// 128: the name is not valid, such as one with a space.
		exitCodes: [0, 1, 128],
		parse: (answer) => (answer.exitCode === 0 ? lineOf(answer) : undefined),
	};
}

const commitQuery = (rev: string): GitQuery<string | undefined> => objectNamed(`${rev}^{commit}`);

const localSettings: GitQuery<[key: string, value: string][]> = {
	args: [
		"config",
		"--local",
		"-z",
		"--get-regexp",
		"^(extensions\\.partialclone|remote\\..*\\.promisor|core\\.sharedrepository)$",
	],
	exitCodes: [0, 1],
	parse: ({ stdout }) => settingsIn(stdout),
};

function isPromisor(key: string, value: string): boolean {
	if (key === "extensions.partialclone") return true;
	return key.endsWith(".promisor") && /^(true|yes|on|1)$/i.test(value);
}

async function checkDirectory(cwd: string): Promise<void> {
	try {
		if ((await stat(cwd)).isDirectory()) return;
	} catch (cause) {
		throw new Fault(`${cwd} cannot be read`, {
			code: "not-a-repository",
			hint: "Run this inside a git repository that you can read.",
			cause,
		});
	}
	throw new Fault(`${cwd} is not a directory`, {
		code: "not-a-repository",
		hint: "Run this inside a git repository.",
	});
}

/**
 * Throws when git is too old. A version that cannot be parsed counts as new.
 *
 * @throws Fault `git-too-old`
 * @example `requireVersion("git version 2.37.1")` throws
 */
export function requireVersion(words: string): void {
	const match = /(\d+)\.(\d+)/.exec(words);
	if (match === null) return;
	const [major, minor] = [Number(match[1]), Number(match[2])];
	const [oldestMajor, oldestMinor] = OLDEST_GIT;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
	throw new Fault(`${words} is too old; Sparring needs ${OLDEST_GIT.join(".")} or newer`, {
		code: "git-too-old",
		hint: "Install a newer version of git.",
	});
}

const newEnough = new Set<string>();

async function checkVersion(place: GitPlace): Promise<void> {
	if (newEnough.has(place.host.path)) return;
	requireVersion(await runGit(place, { args: ["version"], parse: lineOf }));
	newEnough.add(place.host.path);
}

interface Facts {
	readonly shallow: string;
	readonly objectFormat: string;
	readonly root: string;
	readonly gitDir: string;
	readonly commonDir: string;
	readonly objectsDir: string;
	readonly headCommit: string | undefined;
	readonly headBranch: string | null;
}

const KIND = [
	"--is-bare-repository",
	"--is-inside-git-dir",
	"--is-shallow-repository",
	"--show-object-format",
];

const PLACES = [
	["--show-toplevel"],
	["--git-dir"],
	["--git-common-dir"],
	["--git-path", "objects"],
];

async function factsOf(place: GitPlace): Promise<Facts> {
	const head = ["HEAD^{commit}", "--symbolic-full-name", "HEAD"];
	const args = ["rev-parse", ...KIND, "--path-format=absolute", ...PLACES.flat(), ...head];
	const answer = await askGit(place, { args, parse: lineOf });
	const lines = answer.exitCode === 0 ? lineOf(answer).split("\n") : [];
	// A path with a line end has more than one line, and of a branch that is named HEAD git says nothing.
	if (!hasForm(lines)) return factsOneByOne(place);
	const [, , shallow = "", objectFormat = "", root = "", gitDir = "", commonDir = ""] = lines;
	const [objectsDir = "", headCommit, name = ""] = lines.slice(7);
	const about = { shallow, objectFormat, root, gitDir, commonDir, objectsDir };
	return { ...about, headCommit, headBranch: branchName(name) };
}

// A line too many and one too few may make up for each other.
function hasForm(lines: readonly string[]): boolean {
	const [, , , , ...rest] = lines;
	const [head = "", name = ""] = rest.slice(PLACES.length);
	return (
		lines.length === KIND.length + PLACES.length + 2 &&
		rest.slice(0, PLACES.length).every(isAbsolute) &&
		/^[0-9a-f]+$/.test(head) &&
		/^(HEAD$|refs\/)/.test(name)
	);
}

async function factsOneByOne(place: GitPlace): Promise<Facts> {
	const [bare, inside, shallow = "", objectFormat = ""] = await discover(place);
	checkKind(place.cwd, bare === "true", inside === "true");
	const ask = (args: readonly string[]): Promise<string> =>
		runGit(place, { args: ["rev-parse", "--path-format=absolute", ...args], parse: lineOf });
	const [root = "", gitDir = "", commonDir = "", objectsDir = ""] = await Promise.all(
		PLACES.map(ask),
	);
	const [headCommit, headBranch] = await Promise.all([
		runGit(place, commitQuery("HEAD")),
		runGit(place, symbolicHead),
	]);
	const about = { shallow, objectFormat, root, gitDir, commonDir, objectsDir };
	return { ...about, headCommit, headBranch };
}

// Nothing can land on HEAD alone, or on a ref elsewhere.
function branchName(ref: string): string | null {
	const prefix = "refs/heads/";
	return ref.startsWith(prefix) ? ref.slice(prefix.length) : null;
}

const symbolicHead: GitQuery<string | null> = {
	args: ["symbolic-ref", "-q", "HEAD"],
	exitCodes: [0, 1],
	parse: (answer) => (answer.exitCode === 0 ? branchName(lineOf(answer)) : null),
};

async function discover(place: GitPlace): Promise<string[]> {
	const query: GitQuery<string[]> = {
		args: ["rev-parse", ...KIND],
		parse: (answer) => lineOf(answer).split("\n"),
	};
	const answer = await askGit(place, query);
	if (answer.exitCode === 0) return query.parse(answer);
	if (answer.stderr.includes("dubious ownership")) {
		throw new Fault(`${place.cwd} is in a repository that belongs to another user`, {
			code: "repository-unsuitable",
			hint: "If you trust it, run `git config --global --add safe.directory <path>` and try again.",
		});
	}
	if (/not a git repository/i.test(answer.stderr)) {
		throw new Fault(`${place.cwd} is not inside a git repository`, {
			code: "not-a-repository",
			hint: "Change to your project's directory, or create a repository: `git init && git add -A && git commit`.",
		});
	}
	throw failure(place, query, answer);
}

function checkKind(cwd: string, bare: boolean, insideGitDir: boolean): void {
	if (bare) {
		throw new Fault(`${cwd} is a bare repository without a work tree`, {
			code: "repository-unsuitable",
			hint: "Run this in a clone with a work tree, or create a work tree with `git worktree add`.",
		});
	}
	if (insideGitDir) {
		throw new Fault(`${cwd} is inside a git directory, not in a work tree`, {
			code: "not-a-repository",
			hint: "Change to the project's directory.",
		});
	}
}

async function withoutCommit(place: GitPlace, root: string): Promise<Fault> {
	const head = await askGit(place, { args: ["rev-parse", "--verify", "HEAD"], parse: lineOf });
	if (head.exitCode === 0) {
		const branch = await askGit(place, {
			args: ["symbolic-ref", "--short", "HEAD"],
			parse: lineOf,
		});
		const isLeft = branch.exitCode === 0 && lineOf(branch).startsWith("sparring/");
		const leave = isLeft
			? ` ${lineOf(branch)} is a branch of a run; to go back to yours and keep your files: git symbolic-ref HEAD refs/heads/YOUR-BRANCH && git reset`
			: "";
		return new Fault(
			`the repository ${root} is damaged: its HEAD, ${lineOf(head)}, cannot be read`,
			{
				code: "repository-unsuitable",
				hint: `See what is damaged: git fsck. Another clone, or the remote, may still have it.${leave}`,
			},
		);
	}
	return new Fault(`the repository ${root} has no commits yet`, {
		code: "repository-unsuitable",
		hint: "Create a first commit: `git add -A && git commit -m 'First commit'`.",
	});
}

function partialClone(root: string): Fault {
	return new Fault(`the repository ${root} is a partial clone, which does not have all objects`, {
		code: "repository-unsuitable",
		hint: "Fetch everything with `git fetch --refetch --no-filter` and unset the promisor settings, or make a full clone.",
	});
}

function hasControlCharacter(text: string): boolean {
	return /\p{Cc}/u.test(text);
}
