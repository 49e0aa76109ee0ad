import { existsSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../kernel/fault.ts";
import { randomId } from "../kernel/ids.ts";
import {
	below,
	joinZero,
	lineOf,
	nothing,
	pathText,
	type RawChange,
	rawDifference,
} from "./parsing.ts";
import { readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { GitPlace, GitQuery } from "./run-git.ts";
import { LOCKED_HINT, runGit } from "./run-git.ts";
import { swapRefs } from "./swap-refs.ts";
import {
	changedPaths,
	holdsBlob,
	ownChanges,
	refreshIndex,
	stagedInTheWay,
	standsAt,
	untrackedInTheWay,
} from "./work-tree.ts";

export interface WorktreeStep {
	readonly root: string;
	readonly ref: string;
	readonly from: string;
	readonly to: string;
}

/** The state of a worktree before the step. */
export interface WorktreeState {
	/** Index and files are already at `to`, as after a kill before the branch moved. */
	readonly done: boolean;
	/** Tracked files that a killed step wrote. `created`: untracked ones. */
	readonly written: readonly RawChange[];
	readonly created: readonly RawChange[];
	readonly untouched: readonly RawChange[];
	readonly foreign: readonly Buffer[];
}

const key = (path: Buffer): string => path.toString("latin1");

/**
 * Finds out whether a worktree can move along. A file that a killed step wrote has the content of `to` and is not a
 * change of the user. Changes only the index's cache of file times.
 *
 * @throws Fault `git-failed` where a lock keeps git from telling the user's changes
 */
export async function lookAtWorktree(
	repository: Repository,
	step: WorktreeStep,
): Promise<WorktreeState> {
	const { root } = step;
	const place = placeOf(repository, root);
	await refreshIndex(place);
	const changes = await runGit(place, rawDifference(step.from, step.to));
	const isConcerned = concernedBy(changes);
	if (await standsAt(place, step.to, isConcerned)) {
		return { done: true, written: [], created: [], untouched: [], foreign: [] };
	}
	const byPath = new Map(changes.map((change) => [key(change.path), change]));
	const reported = await changedPaths(place);
	const own = new Set(
		reported.length === 0 ? [] : (await ownChanges(place, step.from)).map(({ path }) => key(path)),
	);
	// A step writes the index last and as a whole, so a partly staged state is the user's.
	const foreign = await stagedInTheWay(place, isConcerned);
	const written: RawChange[] = [];
	for (const path of reported.filter((one) => own.has(key(one)))) {
		const change = byPath.get(key(path));
		if (change !== undefined && (await isWritten(place, root, change))) written.push(change);
		else if (isConcerned(path)) foreign.push(path);
	}
	const created: RawChange[] = [];
	for (const change of await untrackedInTheWay(place, root, changes)) {
		if (await holdsBlob(place, root, change)) created.push(change);
		else foreign.push(change.path);
	}
	const untouched = reported.flatMap((path) =>
		own.has(key(path)) ? [] : (byPath.get(key(path)) ?? []),
	);
	if (foreign.length > 0) await requireUnlocked(place);
	return { done: false, written, created, untouched, foreign };
}

function concernedBy(changes: readonly RawChange[]): (path: Buffer) => boolean {
	const files = new Set(changes.map(({ path }) => key(path)));
	const folders = new Set([...files].flatMap(foldersOf));
	return (path) => {
		const name = key(path);
		return files.has(name) || folders.has(name) || foldersOf(name).some((one) => files.has(one));
	};
}

/** @example `"a/b/c"` gives `["a", "a/b"]` */
const foldersOf = (path: string): string[] =>
	[...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));

/**
 * Beside a lock, git does not refresh the index, and takes files for changed that only have another time.
 *
 * @throws Fault `git-failed`, retryable
 */
async function requireUnlocked(place: GitPlace): Promise<void> {
	const args = ["rev-parse", "--path-format=absolute", "--git-path", "index.lock"];
	const lock = await runGit(place, { args, parse: lineOf });
	if (!existsSync(lock)) return;
	throw new Fault(`the index of ${place.cwd} is locked: ${lock} exists`, {
		code: "git-failed",
		retryable: true,
		hint: LOCKED_HINT,
	});
}

/**
 * Moves branch, index and files forward. Safe to repeat after a kill.
 *
 * @param state from `lookAtWorktree` for the same step, with nothing in `foreign`
 * @returns false when the branch is elsewhere in the end
 */
export async function forwardWorktree(
	repository: Repository,
	{ root, ref, from, to }: WorktreeStep,
	{ done, written, created, untouched }: WorktreeState,
): Promise<boolean> {
	if (done) return await swapRefs(repository, [{ ref, to, from }]);
	const place = placeOf(repository, root);
	await putBack(place, written);
	await setAside(place, root, created, () =>
		withoutFiles(place, root, untouched, () => fastForward(repository, place, { ref, from, to })),
	).catch((error: unknown) => {
		throw hiddenChange(error) ?? error;
	});
	return (await readRef(repository, ref)) === to;
}

/** Git writes files and index before it moves the branch: where that fails, as beside a lock, both go back. */
async function fastForward(
	repository: Repository,
	place: GitPlace,
	{ ref, from, to }: Pick<WorktreeStep, "ref" | "from" | "to">,
): Promise<void> {
	try {
		await runGit(place, fastForwardTo(to));
	} catch (error) {
		// Why it failed says more than why it could not be taken back.
		await takeBack(repository, place, { ref, from, to }).catch(() => undefined);
		throw error;
	}
}

async function takeBack(
	repository: Repository,
	place: GitPlace,
	{ ref, from, to }: Pick<WorktreeStep, "ref" | "from" | "to">,
): Promise<void> {
	const isConcerned = concernedBy(await runGit(place, rawDifference(from, to)));
	if ((await readRef(repository, ref)) !== from || !(await standsAt(place, to, isConcerned)))
		return;
	const args = ["read-tree", "-m", "-u", to, from];
	await runGit(place, { args, mayLock: true, parse: nothing });
}

/** Git refuses to overwrite a file that it was told not to look at; no comparison shows such a change. */
function hiddenChange(error: unknown): Fault | null {
	if (!(error instanceof Fault) || !error.message.includes("would be overwritten by merge"))
		return null;
	return new Fault(error.message, {
		code: "checkout-dirty",
		hint: "Git hides changes of files with a flag: `git ls-files -v` shows them in lower case or as S. Take it off with `git update-index --no-assume-unchanged FILE` or `--no-skip-worktree FILE`, commit or stash the change, then try again.",
		cause: error,
	});
}

function fastForwardTo(to: string): GitQuery<void> {
	const plain = ["--quiet", "--no-stat", "--no-autostash", "--no-verify-signatures"];
	return {
		args: ["-c", "submodule.recurse=false", "merge", "--ff-only", ...plain, to],
		mayLock: true,
		parse: nothing,
	};
}

/**
 * Does something while untracked files of the user's lie in the git directory: git would refuse to write over them. They
 * hold what it writes; when it fails they come back as they were.
 */
async function setAside(
	place: GitPlace,
	root: string,
	changes: readonly RawChange[],
	act: () => Promise<void>,
): Promise<void> {
	if (changes.length === 0) return await act();
	const gitDir = await runGit(place, { args: ["rev-parse", "--absolute-git-dir"], parse: lineOf });
	const aside = join(gitDir, `sparring-aside-${randomId(8)}`);
	await mkdir(aside);
	const moved: (() => Promise<void>)[] = [];
	try {
		for (const [index, { path }] of changes.entries()) {
			const [from, to] = [join(root, path.toString("utf8")), join(aside, `${index}`)];
			await cp(from, to, { preserveTimestamps: true });
			moved.push(() => cp(to, from, { preserveTimestamps: true }));
			await rm(from);
		}
		await act();
	} catch (error) {
		for (const back of moved) await back();
		throw error;
	} finally {
		await rm(aside, { recursive: true, force: true });
	}
}

/**
 * Runs `act` without some files that git considers changed although nobody touched them, so that git can write the new
 * ones. Restores them when it fails.
 */
async function withoutFiles(
	place: GitPlace,
	root: string,
	changes: readonly RawChange[],
	act: () => Promise<void>,
): Promise<void> {
	for (const { path } of changes) await rm(below(root, path));
	try {
		await act();
	} catch (error) {
		await putBack(place, changes);
		throw error;
	}
}

function placeOf({ host }: Repository, root: string): GitPlace {
	return { host, configuration: "users", cwd: root };
}

async function isWritten(place: GitPlace, root: string, change: RawChange): Promise<boolean> {
	if (change.newMode !== "000000") return await holdsBlob(place, root, change);
	// A file that `to` deletes is already gone. Its content is in `from`.
	const present = await runGit(place, {
		args: ["ls-files", "--deleted", "-z", "--", pathText(change.path)],
		parse: ({ stdout }) => stdout.length === 0,
	});
	return !present;
}

async function putBack(place: GitPlace, changes: readonly RawChange[]): Promise<void> {
	const paths = changes.map(({ path }) => path);
	if (paths.length === 0) return;
	await runGit(place, {
		args: ["checkout-index", "--force", "-z", "--stdin"],
		stdin: joinZero(paths),
		mayLock: true,
		parse: nothing,
	});
	await refreshIndex(place);
}
