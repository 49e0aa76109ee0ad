import { existsSync, type Stats } from "node:fs";
import { copyFile, mkdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../kernel/fault.ts";
import { randomId } from "../kernel/ids.ts";
import { withoutUntouched } from "./conversions.ts";
import { kindOf } from "./file-tree.ts";
import {
	below,
	foldersOf,
	joinZero,
	keyOf,
	lineOf,
	nothing,
	parseRawChanges,
	pathText,
	RAW,
	type RawChange,
	rawDifference,
	zeroFields,
} from "./parsing.ts";
import { readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import {
	askGit,
	type GitAnswer,
	type GitPlace,
	type GitQuery,
	LOCKED_HINT,
	runGit,
} from "./run-git.ts";
import { swapRefs } from "./swap-refs.ts";

export interface WorktreeStep {
	readonly root: string;
	readonly ref: string;
	readonly from: string;
	readonly to: string;
}

export interface WorktreeState {
	/** Index and files are already at `to`, as after a kill before the branch moved. */
	readonly done: boolean;
	/** Tracked files that a killed step wrote. */
	readonly written: readonly Buffer[];
	/** Files in the way that hold what the step writes but are untracked, and those that git alone takes for changed. */
	readonly replaceable: readonly Buffer[];
	readonly foreign: readonly Buffer[];
}

/**
 * Finds out whether a worktree can move along. Changes only the index's cache of file times.
 *
 * @throws Fault `git-failed` where a lock keeps git from telling the user's changes
 */
export async function lookAtWorktree(
	repository: Repository,
	step: WorktreeStep,
): Promise<WorktreeState> {
	const place = placeOf(repository, step.root);
	await refreshIndex(place);
	const changes = await runGit(place, rawDifference(step.from, step.to));
	const isConcerned = concernedBy(changes);
	if (await standsAt(place, step.to, isConcerned)) {
		return { done: true, written: [], replaceable: [], foreign: [] };
	}
	// A step writes the index last and as a whole, so a partly staged state is the user's.
	const foreign = await stagedInTheWay(place, isConcerned);
	const { written, replaceable, theirs } = await trackedInTheWay(place, step.from, changes);
	foreign.push(...theirs.filter(isConcerned));
	for (const change of await untrackedInTheWay(place, changes)) {
		if (await holdsBlob(place, change)) replaceable.push(change.path);
		else foreign.push(change.path);
	}
	if (foreign.length > 0) await requireUnlocked(place);
	return { done: false, written, replaceable, foreign };
}

/** `theirs`: what the user changed, concerned or not. */
async function trackedInTheWay(
	place: GitPlace,
	from: string,
	changes: readonly RawChange[],
): Promise<Record<"written" | "replaceable" | "theirs", Buffer[]>> {
	const byPath = new Map(changes.map((change) => [keyOf(change.path), change]));
	const reported = await runGit(place, changedQuery([]));
	const changed = reported.length === 0 ? [] : await ownChanges(place, from);
	const own = new Set(changed.map(({ path }) => keyOf(path)));
	const found: Record<"written" | "replaceable" | "theirs", Buffer[]> = {
		written: [],
		replaceable: [],
		theirs: [],
	};
	for (const path of reported) {
		const change = byPath.get(keyOf(path));
		if (!own.has(keyOf(path))) {
			if (change !== undefined) found.replaceable.push(path);
		} else if (change !== undefined && (await isWritten(place, change))) found.written.push(path);
		else found.theirs.push(path);
	}
	return found;
}

function concernedBy(changes: readonly RawChange[]): (path: Buffer) => boolean {
	const files = new Set(changes.map(({ path }) => keyOf(path)));
	const folders = new Set([...files].flatMap(foldersOf));
	return (path) => {
		const name = keyOf(path);
		return files.has(name) || folders.has(name) || foldersOf(name).some((one) => files.has(one));
	};
}

// Beside a lock, git does not refresh the index, and takes files for changed that only have another time.
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
 * @param state with nothing in `foreign`
 * @returns false when the branch is elsewhere in the end
 */
export async function forwardWorktree(
	repository: Repository,
	step: WorktreeStep,
	{ done, written, replaceable }: WorktreeState,
): Promise<boolean> {
	if (done) return await swapRefs(repository, [step]);
	const place = placeOf(repository, step.root);
	await putBack(place, written);
	await setAside(place, replaceable, () => fastForward(repository, place, step)).catch(
		(error: unknown) => {
			throw hiddenChange(error) ?? error;
		},
	);
	return (await readRef(repository, step.ref)) === step.to;
}

/** Git writes files and index before it moves the branch: where that fails, as beside a lock, both go back. */
async function fastForward(
	repository: Repository,
	place: GitPlace,
	step: WorktreeStep,
): Promise<void> {
	const plain = ["--quiet", "--no-stat", "--no-autostash", "--no-verify-signatures"];
	const args = ["-c", "submodule.recurse=false", "merge", "--ff-only", ...plain, step.to];
	try {
		await runGit(place, { args, mayLock: true, parse: nothing });
	} catch (error) {
		// Why it failed says more than why it could not be taken back.
		await takeBack(repository, place, step).catch(() => undefined);
		throw error;
	}
}

async function takeBack(
	repository: Repository,
	place: GitPlace,
	{ ref, from, to }: WorktreeStep,
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

// A killed step is undone first, so that a second kill finds the checkout as the first did.
async function putBack(place: GitPlace, paths: readonly Buffer[]): Promise<void> {
	if (paths.length === 0) return;
	const args = ["checkout-index", "--force", "-z", "--stdin"];
	await runGit(place, { args, stdin: joinZero(paths), mayLock: true, parse: nothing });
	await refreshIndex(place);
}

// Git would refuse to write over these files. What cannot be put back stays in the git directory.
async function setAside(
	place: GitPlace,
	paths: readonly Buffer[],
	act: () => Promise<void>,
): Promise<void> {
	if (paths.length === 0) return await act();
	const gitDir = await runGit(place, gitDirectory);
	const aside = join(gitDir, `sparring-aside-${randomId(8)}`);
	await mkdir(aside);
	const moved: { readonly from: Buffer; readonly to: string; readonly times: Stats }[] = [];
	try {
		for (const [index, path] of paths.entries()) {
			const [from, to] = [below(place.cwd, path), join(aside, `${index}`)];
			await copyFile(from, to);
			moved.push({ from, to, times: await stat(from) });
			await rm(from);
		}
		await act();
	} catch (error) {
		for (const { from, to, times } of moved) {
			// Git takes a folder away with the last file that it takes back.
			await mkdir(from.subarray(0, from.lastIndexOf("/")), { recursive: true });
			await copyFile(to, from);
			await utimes(from, times.atime, times.mtime);
		}
		await rm(aside, { recursive: true, force: true });
		throw error;
	}
	await rm(aside, { recursive: true, force: true });
}

const gitDirectory: GitQuery<string> = {
	args: ["rev-parse", "--absolute-git-dir"],
	parse: lineOf,
};

function placeOf({ host }: Repository, root: string): GitPlace {
	return { host, configuration: "users", cwd: root };
}

async function isWritten(place: GitPlace, change: RawChange): Promise<boolean> {
	if (change.newMode !== "000000") return await holdsBlob(place, change);
	// A file that `to` deletes is already gone. Its content is in `from`.
	const present = await runGit(place, {
		args: ["ls-files", "--deleted", "-z", "--", pathText(change.path)],
		parse: ({ stdout }) => stdout.length === 0,
	});
	return !present;
}

// Git also reports a file as changed if its blob does not round-trip.
async function ownChanges(place: GitPlace, commit: string): Promise<readonly RawChange[]> {
	const changes = await runGit(place, {
		args: ["diff-index", ...RAW, "--ignore-submodules=dirty", commit, "--"],
		parse: ({ stdout }) => parseRawChanges(stdout),
	});
	if (changes.length === 0) return [];
	const gitDir = await runGit(place, gitDirectory);
	return await withoutUntouched({ ...place, gitDir, workTree: place.cwd }, commit, changes);
}

/** Files that the user staged and a move writes. Git moves nothing while a conflict is unresolved, wherever that is. */
async function stagedInTheWay(
	place: GitPlace,
	isConcerned: (path: Buffer) => boolean,
): Promise<Buffer[]> {
	const staged = await runGit(place, changedQuery(["--cached"]));
	const concerned = staged.filter(isConcerned);
	if (concerned.length === staged.length) return concerned;
	const unmerged = await runGit(place, changedQuery(["--cached", "--diff-filter=U"]));
	return [...concerned, ...unmerged];
}

const NAMES = ["-z", "--name-only", "--ignore-submodules=dirty"];

function changedQuery(options: readonly string[]): GitQuery<Buffer[]> {
	return {
		args: ["diff-index", ...options, ...NAMES, "HEAD", "--"],
		parse: ({ stdout }) => zeroFields(stdout),
	};
}

// So that git reports only real changes.
async function refreshIndex(place: GitPlace): Promise<void> {
	const args = ["update-index", "-q", "--refresh"];
	await askGit(place, { args, mayLock: true, parse: nothing });
}

// Untracked files do not count.
async function standsAt(
	place: GitPlace,
	commit: string,
	isConcerned: (path: Buffer) => boolean,
): Promise<boolean> {
	const differs = async (args: readonly string[]): Promise<boolean> => {
		const query = {
			args: [...args, ...NAMES],
			parse: ({ stdout }: GitAnswer) => zeroFields(stdout),
		};
		return (await runGit(place, query)).some(isConcerned);
	};
	if (await differs(["diff-index", "--cached", commit])) return false;
	if (!(await differs(["diff-files"]))) return true;
	return !(await ownChanges(place, commit)).some(({ path }) => isConcerned(path));
}

async function holdsBlob(place: GitPlace, change: RawChange): Promise<boolean> {
	const path = change.path.toString("utf8");
	if (change.newMode === "120000" || kindOf(below(place.cwd, change.path)) !== "file") return false;
	const answer = await askGit(place, {
		args: ["hash-object", `--path=${path}`, "--", path],
		parse: lineOf,
	});
	return answer.exitCode === 0 && lineOf(answer) === change.newOid;
}

async function untrackedInTheWay(
	place: GitPlace,
	changes: readonly RawChange[],
): Promise<RawChange[]> {
	const removed = new Set(
		changes.filter(({ oldMode }) => oldMode !== "000000").map(({ path }) => keyOf(path)),
	);
	const blocked: RawChange[] = [];
	for (const change of changes) {
		if (change.oldMode !== "000000") continue;
		if (await isBlocked(place, change.path, removed)) blocked.push(change);
	}
	return blocked;
}

async function isBlocked(
	place: GitPlace,
	path: Buffer,
	removed: ReadonlySet<string>,
): Promise<boolean> {
	const text = keyOf(path);
	for (let end = text.indexOf("/"); end !== -1; end = text.indexOf("/", end + 1)) {
		const kind = kindOf(below(place.cwd, path.subarray(0, end)));
		if (kind === "none") return false;
		// A file or link where a folder must be blocks the change, unless the same step removes it.
		if (kind !== "directory") return !removed.has(text.slice(0, end));
	}
	const kind = kindOf(below(place.cwd, path));
	if (kind === "none") return false;
	if (kind !== "directory") return true;
	return await runGit(place, {
		args: ["ls-files", "--others", "-z", "--", pathText(path)],
		parse: ({ stdout }) => stdout.length > 0,
	});
}
