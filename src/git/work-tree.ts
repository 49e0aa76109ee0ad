import { join } from "node:path";
import { withoutUntouched } from "./conversions.ts";
import { kindOf } from "./file-tree.ts";
import {
	below,
	lineOf,
	nothing,
	parseRawChanges,
	pathText,
	type RawChange,
	zeroFields,
} from "./parsing.ts";
import type { Repository } from "./repository.ts";
import { repositoryPlace } from "./repository.ts";
import type { GitPlace, GitQuery } from "./run-git.ts";
import { askGit, runGit } from "./run-git.ts";

export function listWorktrees(repository: Repository): Promise<WorktreeRecord[]> {
	const place = { ...repositoryPlace(repository), gitDir: repository.gitDir };
	return runGit(place, {
		args: ["worktree", "list", "--porcelain", "-z"],
		parse: ({ stdout }) => parseWorktrees(stdout),
	});
}

export interface WorktreeRecord {
	readonly path: string;
	/** Full ref; null when detached or bare. */
	readonly branch: string | null;
}

/** Reads `worktree list --porcelain -z`: fields end with NUL, and an empty field ends a record. */
export function parseWorktrees(bytes: Buffer): WorktreeRecord[] {
	const records: WorktreeRecord[] = [];
	for (const field of zeroFields(bytes)) {
		const text = field.toString("utf8");
		const last = records.at(-1);
		if (text.startsWith("worktree ")) records.push({ path: text.slice(9), branch: null });
		else if (text.startsWith("branch ") && last !== undefined) {
			records[records.length - 1] = { ...last, branch: text.slice(7) };
		}
	}
	return records;
}

/** Tracked files that differ from HEAD in a work tree, staged or not, as bytes, by the user's configuration. */
export function changedPaths(place: GitPlace): Promise<Buffer[]> {
	return runGit(place, changedQuery([]));
}

/**
 * Tracked files of the user's work tree that differ from a commit, staged or not. Leaves out files that nobody touched:
 * git also reports a file as changed if its blob does not round-trip.
 */
export async function ownChanges(place: GitPlace, commit: string): Promise<readonly RawChange[]> {
	const changes = await runGit(place, {
		args: ["diff-index", "--raw", "-z", "--no-abbrev", "--no-renames", ...SUBMODULES, commit, "--"],
		parse: ({ stdout }) => parseRawChanges(stdout),
	});
	if (changes.length === 0) return [];
	const gitDir = await runGit(place, { args: ["rev-parse", "--absolute-git-dir"], parse: lineOf });
	return await withoutUntouched({ ...place, gitDir, workTree: place.cwd }, commit, changes);
}

const SUBMODULES = ["--ignore-submodules=dirty"];

/** Files that the user staged and a move writes. Git moves nothing while a conflict is unresolved, wherever that is. */
export async function stagedInTheWay(
	place: GitPlace,
	isConcerned: (path: Buffer) => boolean,
): Promise<Buffer[]> {
	const staged = await runGit(place, changedQuery(["--cached"]));
	const concerned = staged.filter(isConcerned);
	if (concerned.length === staged.length) return concerned;
	const unmerged = await runGit(place, changedQuery(["--cached", "--diff-filter=U"]));
	return [...concerned, ...unmerged];
}

function changedQuery(options: readonly string[]): GitQuery<Buffer[]> {
	const plain = ["-z", "--name-only", "--ignore-submodules=dirty"];
	return {
		args: ["diff-index", ...options, ...plain, "HEAD", "--"],
		parse: zeroOutput,
	};
}

const zeroOutput: GitQuery<Buffer[]>["parse"] = ({ stdout }) => zeroFields(stdout);

/** Refreshes the stat cache of the user's index, so that git reports only real changes. */
export async function refreshIndex(place: GitPlace): Promise<void> {
	const args = ["update-index", "-q", "--refresh"];
	await askGit(place, { args, mayLock: true, parse: nothing });
}

/** Tells whether index and work tree both equal a commit in the paths that a move concerns, apart from untracked files. */
export async function standsAt(
	place: GitPlace,
	commit: string,
	isConcerned: (path: Buffer) => boolean,
): Promise<boolean> {
	const differs = async (args: readonly string[]): Promise<boolean> => {
		const plain = ["-z", "--name-only", "--ignore-submodules=dirty"];
		const query = { args: [...args, ...plain], parse: zeroOutput };
		return (await runGit(place, query)).some(isConcerned);
	};
	if (await differs(["diff-index", "--cached", commit])) return false;
	if (!(await differs(["diff-files"]))) return true;
	return !(await ownChanges(place, commit)).some(({ path }) => isConcerned(path));
}

/** Whether a file of the work tree has the content of a blob, after line endings and filters. */
export async function holdsBlob(
	place: GitPlace,
	root: string,
	change: RawChange,
): Promise<boolean> {
	const path = change.path.toString("utf8");
	const expected = change.newMode === "120000" ? "link" : "file";
	if (kindOf(join(root, path)) !== expected || expected === "link") return false;
	const answer = await askGit(place, {
		args: ["hash-object", `--path=${path}`, "--", path],
		parse: lineOf,
	});
	return answer.exitCode === 0 && lineOf(answer) === change.newOid;
}

export async function untrackedInTheWay(
	place: GitPlace,
	root: string,
	changes: readonly RawChange[],
): Promise<RawChange[]> {
	const removed = new Set(
		changes.filter(({ oldMode }) => oldMode !== "000000").map(({ path }) => key(path)),
	);
	const blocked: RawChange[] = [];
	for (const change of changes) {
		if (change.oldMode !== "000000") continue;
		if (await isBlocked(place, root, change.path, removed)) blocked.push(change);
	}
	return blocked;
}

const key = (path: Buffer): string => path.toString("latin1");

async function isBlocked(
	place: GitPlace,
	root: string,
	path: Buffer,
	removed: ReadonlySet<string>,
): Promise<boolean> {
	const text = key(path);
	for (let end = text.indexOf("/"); end !== -1; end = text.indexOf("/", end + 1)) {
		const kind = kindOf(below(root, path.subarray(0, end)));
		if (kind === "none") return false;
		// A file or link where a folder must be blocks the change, unless the same step removes it.
		if (kind !== "directory") return !removed.has(text.slice(0, end));
	}
	const kind = kindOf(below(root, path));
	if (kind === "none") return false;
	if (kind !== "directory") return true;
	return await runGit(place, {
		args: ["ls-files", "--others", "-z", "--", pathText(path)],
		parse: ({ stdout }) => stdout.length > 0,
	});
}
