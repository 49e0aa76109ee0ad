import { makeWritable } from "./file-tree.ts";
import { filterFault } from "./filter-failure.ts";
import { keepOwnChanges } from "./own-changes.ts";
import { isPartial, joinZero, lineOf, nothing, pathText } from "./parsing.ts";
import type { RawChange } from "./raw-changes.ts";
import { parseRawChanges } from "./raw-changes.ts";
import type { GitAnswer, GitPlace, GitQuery } from "./run-git.ts";
import { askGit, failure, runGit } from "./run-git.ts";
import { untrackedPaths } from "./strays.ts";
import { removeTooLarge } from "./too-large.ts";
import { removeUnfit, type Unfit } from "./unfit.ts";

/** What a snapshot is made of besides the files. */
export interface SnapshotRequest {
	readonly parent: string;
	readonly message: string;
	/** Time of the commit in milliseconds since the epoch; the same gives the same id. */
	readonly at: number;
}

/** The state of a checkout as a commit. */
export interface Snapshot {
	readonly commit: string;
	readonly tree: string;
	/** True when the tree is the parent's. */
	readonly empty: boolean;
	/** Repositories inside the checkout that the base does not know: left out of the commit. */
	readonly embedded: readonly string[];
	/** Further paths that git refuses to record, such as one that would be a `.git` on another system. */
	readonly leftOut: readonly string[];
	/** What was removed from the checkout before, since no commit can or shall hold it. */
	readonly unfit: readonly Unfit[];
}

/** A snapshot with what differs from the parent; null when not all of that went into the commit. */
export interface Taken {
	readonly snapshot: Snapshot;
	readonly changes: readonly RawChange[] | null;
	/** Whether a checkout of the commit may write other bytes than those that lie there. */
	readonly verbatim: boolean;
}

const GITLINK = "160000";

/** `--ignore-submodules=none` shows every submodule, and keeps git from reading the tree's own `.gitmodules`. */
const PLAIN = ["--no-renames", "--no-abbrev", "--ignore-submodules=none"];

const addAll: GitQuery<void> = {
	args: ["add", "--all", "--ignore-errors"],
	mayLock: true,
	parse: nothing,
};

/** Records a work tree through its index: `place` names both, `plainGitDir` the vault without conversions. */
export async function takeSnapshot(
	place: GitPlace,
	plainGitDir: string,
	{ parent, message, at }: SnapshotRequest,
): Promise<Taken> {
	const unfit = [...(await removeUnfit(place)), ...(await removeTooLarge(place))];
	const refused = await addEverything(place, plainGitDir);
	const staged = await runGit(place, {
		args: ["diff-index", "--cached", "--raw", "-z", ...PLAIN, parent, "--"],
		parse: ({ stdout }) => parseRawChanges(stdout),
	});
	const { changes, verbatim } = await keepOwnChanges(place, plainGitDir, { parent, staged });
	const undone = changes.filter(isUndone);
	if (undone.length > 0) await undo(place, undone);
	const embedded = undone.filter(({ oldMode }) => oldMode !== GITLINK).map(({ path }) => path);
	const nested = refused.filter((path) => path.at(-1) === 0x2f).map((path) => path.subarray(0, -1));
	const tree = await runGit(place, { args: ["write-tree"], mayLock: true, parse: lineOf });
	const commit = await runGit(place, {
		args: ["commit-tree", tree, "-p", parent],
		stdin: message,
		at,
		parse: lineOf,
	});
	const rest = changes.filter((change) => !isUndone(change) || leavesDeletion(change));
	return {
		snapshot: {
			commit,
			tree,
			empty: rest.length === 0,
			embedded: [...new Set([...embedded, ...nested].map(pathText))].sort(),
			leftOut: refused.filter((path) => path.at(-1) !== 0x2f).map(pathText),
			unfit,
		},
		changes: undone.length === 0 ? changes : null,
		verbatim,
	};
}

/**
 * Whether a change does not belong into a snapshot: a new link to another repository, or a submodule of the
 * base that was moved or removed, since what it then points to exists nowhere else.
 */
function isUndone({ oldMode, newMode }: RawChange): boolean {
	if (newMode === GITLINK) return true;
	return oldMode === GITLINK && newMode === "000000";
}

/** A tracked file that a nested repository replaced is gone even though the repository is left out. */
function leavesDeletion({ oldMode, newMode }: RawChange): boolean {
	return newMode === GITLINK && oldMode !== GITLINK && oldMode !== "000000";
}

async function undo(place: GitPlace, changes: readonly RawChange[]): Promise<void> {
	const lines = changes.map(({ oldMode, oldOid, path }) => {
		const [mode, oid] = oldMode === GITLINK ? [GITLINK, oldOid] : ["0", "0".repeat(oldOid.length)];
		return Buffer.concat([Buffer.from(`${mode} ${oid}\t`), path]);
	});
	await runGit(place, {
		args: ["update-index", "-z", "--index-info"],
		stdin: joinZero(lines),
		mayLock: true,
		parse: nothing,
	});
}

/**
 * Stages everything; what stands in the way is tried in turn: rights that were taken away, then conversions
 * that the tree's own attributes ask for and its files cannot give.
 *
 * @returns what git still refuses, as it lists it
 */
async function addEverything(place: GitPlace, plainGitDir: string): Promise<Buffer[]> {
	let answer = await askGit(place, addAll);
	if (answer.exitCode === 0 && !isPartial(answer)) return [];
	stopWhenHopeless(place, answer);
	await makeWritable(place.cwd);
	answer = await askGit(place, addAll);
	if (answer.exitCode === 0) return [];
	const plain = { ...place, gitDir: plainGitDir };
	answer = await askGit(plain, addAll);
	if (answer.exitCode === 0) return [];
	stopWhenHopeless(place, answer);
	const refused = await untrackedPaths(place);
	// Nothing is left over, and still it failed: then it is not about some file.
	if (refused.length === 0) throw failure(place, addAll, answer);
	return refused;
}

/** A full disk, or a filter that must not fail and did: without it a file would be recorded as nobody wants it. */
function stopWhenHopeless(place: GitPlace, answer: GitAnswer): void {
	const byFilter = filterFault(answer.stderr, place.cwd);
	if (byFilter !== null) throw byFilter;
	const fault = failure(place, addAll, answer);
	if (fault.code === "disk-full") throw fault;
}
