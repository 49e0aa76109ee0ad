import { Fault } from "../kernel/fault.ts";
import { kindOf } from "./file-tree.ts";
import {
	below,
	foldersOf,
	keyOf,
	nothing,
	pathText,
	type RawChange,
	rawDifference,
	zeroFields,
} from "./parsing.ts";
import { readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { type GitPlace, type GitQuery, runGit } from "./run-git.ts";

export interface WorktreeStep {
	readonly root: string;
	readonly ref: string;
	readonly from: string;
	readonly to: string;
}

/**
 * Paths of the user's work that git's fast-forward would overwrite, or refuses to pass by; changes nothing of it.
 * Empty where the worktree can move along.
 */
export async function workInTheWay(
	repository: Repository,
	{ root, from, to }: WorktreeStep,
): Promise<Buffer[]> {
	const place = placeOf(repository, root);
	const changes = await runGit(place, rawDifference(from, to));
	const isConcerned = concernedBy(changes);
	const work = await runGit(place, changedByUser);
	const inTheWay = work
		.filter(({ path, isUnmerged }) => isUnmerged || isConcerned(path))
		.map(({ path }) => path);
	return [...inTheWay, ...(await untrackedInTheWay(place, changes))];
}

/** Staged or not. Git moves nothing while a conflict is unresolved, wherever that is. */
const changedByUser: GitQuery<{ readonly path: Buffer; readonly isUnmerged: boolean }[]> = {
	args: "status --porcelain -z --no-renames --untracked-files=no --ignore-submodules=dirty".split(
		" ",
	),
	mayLock: true,
	parse: ({ stdout }) =>
		zeroFields(stdout).map((field) => {
			const isUnmerged = /^(?:U.|.U|AA|DD)/.test(field.toString("latin1", 0, 2));
			return { path: field.subarray(3), isUnmerged };
		}),
};

function concernedBy(changes: readonly RawChange[]): (path: Buffer) => boolean {
	const files = new Set(changes.map(({ path }) => keyOf(path)));
	const folders = new Set([...files].flatMap(foldersOf));
	return (path) => {
		const name = keyOf(path);
		return files.has(name) || folders.has(name) || foldersOf(name).some((one) => files.has(one));
	};
}

/**
 * Moves files, index and branch forward, as `git merge --ff-only` does. What a kill leaves is what git leaves: the
 * user's work is as it was, and new files stand as changes.
 *
 * @param step of a worktree with no work in the way
 * @returns false when the branch is elsewhere in the end
 */
export async function forwardWorktree(
	repository: Repository,
	step: WorktreeStep,
): Promise<boolean> {
	const place = placeOf(repository, step.root);
	const plain = ["--quiet", "--no-stat", "--no-autostash", "--no-verify-signatures"];
	// Without it, git writes over files that the user's rules ignore.
	const how = ["--ff-only", "--no-overwrite-ignore", ...plain];
	const args = ["-c", "submodule.recurse=false", "merge", ...how, step.to];
	try {
		await runGit(place, { args, mayLock: true, parse: nothing });
	} catch (error) {
		// Why it failed says more than why it could not be taken back.
		await takeBack(repository, place, step).catch(() => undefined);
		throw hiddenChange(error) ?? error;
	}
	return (await readRef(repository, step.ref)) === step.to;
}

// Git moves the branch last: where another git has locked it, files and index go back. Where they did not move, git
// leaves them as they are.
async function takeBack(
	repository: Repository,
	place: GitPlace,
	{ ref, from, to }: WorktreeStep,
): Promise<void> {
	if ((await readRef(repository, ref)) !== from) return;
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

function placeOf({ host }: Repository, root: string): GitPlace {
	return { host, configuration: "users", cwd: root };
}

/** Ignored files count as well. */
async function untrackedInTheWay(
	place: GitPlace,
	changes: readonly RawChange[],
): Promise<Buffer[]> {
	const isThere = ({ oldMode }: RawChange): boolean => oldMode !== "000000";
	const removed = new Set(changes.filter(isThere).map(({ path }) => keyOf(path)));
	const blocked: Buffer[] = [];
	for (const { path, ...change } of changes)
		if (change.oldMode === "000000" && (await isBlocked(place, path, removed))) blocked.push(path);
	return blocked;
}

async function isBlocked(
	place: GitPlace,
	path: Buffer,
	removed: ReadonlySet<string>,
): Promise<boolean> {
	const text = keyOf(path);
	for (const folder of foldersOf(text)) {
		const kind = kindOf(below(place.cwd, Buffer.from(folder, "latin1")));
		if (kind === "none") return false;
		// A file or link where a folder must be blocks the change, unless the same step removes it.
		if (kind !== "directory") return !removed.has(folder);
	}
	const kind = kindOf(below(place.cwd, path));
	if (kind !== "directory") return kind !== "none";
	return await runGit(place, {
		args: ["ls-files", "--others", "-z", "--", pathText(path)],
		parse: ({ stdout }) => stdout.length > 0,
	});
}
