import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rawChanges, treeOf } from "./changes.ts";
import { judgeChanges } from "./conversions.ts";
import { makeWritable } from "./file-tree.ts";
import { filterFault } from "./filter-failure.ts";
import { commitQuery, type MergeCommit } from "./merging.ts";
import {
	below,
	indexEntry,
	isPartial,
	joinZero,
	lineOf,
	nothing,
	pathText,
	type RawChange,
	stageEntries,
	untracked,
} from "./parsing.ts";
import {
	askGit,
	failure,
	type GitAnswer,
	type GitPlace,
	type GitQuery,
	IN_ONE_PACK,
	runGit,
} from "./run-git.ts";
import { ignoredByUser } from "./strays.ts";
import { gitlinksIn, isFolder } from "./submodules.ts";
import { removeTooLarge } from "./too-large.ts";
import { removeUnfit, type Unfit } from "./unfit.ts";
import { changedPaths } from "./user-tree.ts";
import type { Vault } from "./vault.ts";

/** Larger files are committed as they are, without comparing lines, in bytes: 16 MiB. */
const LARGEST_COMPARED = 16 * 1_048_576;

// Git's conversions alone cause changes too: a file that nobody touched gets the commit's blob again. A changed file
// whose blob does not round-trip is committed without conversion, with unchanged lines as in the commit.
async function keepOwnChanges(
	place: GitPlace,
	plainGitDir: string,
	{ parent, staged }: { readonly parent: string; readonly staged: readonly RawChange[] },
) {
	return await judgeChanges(
		place,
		{ commit: parent, changes: staged },
		async ({ untouched, unstable, folder }) => {
			const blobs = new Map(untouched.map((change) => [change, change.oldOid]));
			const plain = { ...place, gitDir: plainGitDir };
			for (const { change, written } of unstable) {
				blobs.set(change, await recordVerbatim(plain, change, { written, folder }));
			}
			await stage(place, blobs);
			const changes = staged
				.map((change) => withBlob(change, blobs.get(change)))
				.filter(({ oldMode, newMode, oldOid, newOid }) => oldMode !== newMode || oldOid !== newOid);
			return { changes, verbatim: unstable.length > 0, restaged: blobs.size > 0 };
		},
	);
}

function withBlob(change: RawChange, oid: string | undefined): RawChange {
	if (oid === undefined) return change;
	const { oldMode, newMode, oldOid, path } = change;
	return { oldMode, newMode, oldOid, newOid: oid, path };
}

async function stage(place: GitPlace, blobs: ReadonlyMap<RawChange, string>): Promise<void> {
	if (blobs.size === 0) return;
	const entries = [...blobs].map(([{ newMode, path }, oid]) => indexEntry(newMode, oid, path));
	await runGit(place, stageEntries(entries));
}

async function recordVerbatim(
	plain: GitPlace,
	{ oldOid, path }: RawChange,
	{ written, folder }: { readonly written: Buffer; readonly folder: string },
): Promise<string> {
	const content = await readFile(below(plain.cwd, path));
	const blob = await runGit(plain, {
		args: ["cat-file", "blob", oldOid],
		parse: ({ stdout }) => stdout,
	});
	const before = await readFile(written);
	const isPlain = before.equals(blob) || Math.max(before.length, content.length) > LARGEST_COMPARED;
	const merged = isPlain
		? content
		: withLinesOf(blob, { before, content }, await editsBetween(plain, folder, [before, content]));
	return await runGit(plain, {
		args: ["hash-object", "-w", "--no-filters", "--stdin"],
		stdin: merged,
		parse: lineOf,
	});
}

interface LineEdit {
	readonly at: number;
	readonly removed: number;
	readonly to: number;
	readonly added: number;
}

async function editsBetween(
	plain: GitPlace,
	folder: string,
	[before, after]: readonly [Buffer, Buffer],
): Promise<LineEdit[]> {
	const [one, other] = [join(folder, "before"), join(folder, "after")];
	await writeFile(one, before);
	await writeFile(other, after);
	const query: GitQuery<LineEdit[]> = {
		args: ["diff", "--no-index", "--text", "-U0", "--no-color", "--no-ext-diff", "--", one, other],
		exitCodes: [0, 1],
		parse: ({ stdout }) => parseEdits(stdout.toString("latin1")),
	};
	return await runGit(plain, query);
}

/** @example `parseEdits("@@ -3 +3,2 @@\n")` is `[{ at: 2, removed: 1, to: 2, added: 2 }]` */
export function parseEdits(diff: string): LineEdit[] {
	return [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)].map(
		([, at = "", removed = "1", to = "", added = "1"]) => ({
			// For an empty range git names the line before it.
			at: Number(at) - (removed === "0" ? 0 : 1),
			removed: Number(removed),
			to: Number(to) - (added === "0" ? 0 : 1),
			added: Number(added),
		}),
	);
}

/**
 * Applies to a blob the edits that were made to its checked-out file; other lines stay as in the blob. Where the
 * checkout changed the number of lines, the new content counts as it is.
 */
export function withLinesOf(
	blob: Buffer,
	{ before, content }: { readonly before: Buffer; readonly content: Buffer },
	edits: readonly LineEdit[],
): Buffer {
	const [kept, written, now] = [linesOf(blob), linesOf(before), linesOf(content)];
	if (kept.length !== written.length) return content;
	const parts: Buffer[] = [];
	let at = 0;
	for (const edit of edits) {
		parts.push(...kept.slice(at, edit.at), ...now.slice(edit.to, edit.to + edit.added));
		at = edit.at + edit.removed;
	}
	return Buffer.concat([...parts, ...kept.slice(at)]);
}

function linesOf(bytes: Buffer): Buffer[] {
	const lines: Buffer[] = [];
	let start = 0;
	for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
		lines.push(bytes.subarray(start, end + 1));
		start = end + 1;
	}
	return start < bytes.length ? [...lines, bytes.subarray(start)] : lines;
}

/** Snapshot's commit, but for the files. */
export interface SnapshotRequest extends Pick<MergeCommit, "message" | "at"> {
	readonly parent: string;
	/** Begin of the work, in milliseconds since the epoch; undefined: nobody is to be told what the user's own rules ignore. */
	readonly since?: number;
}

/** The state of a checkout as a commit. */
export interface Snapshot {
	/** The parent itself when nothing changed. */
	readonly commit: string;
	readonly tree: string;
	/** True when the tree equals the parent's. */
	readonly empty: boolean;
	/** New repositories inside the checkout, which are left out of the commit. */
	readonly embedded: readonly string[];
	/** Other paths that git refuses to add, such as one that would be a `.git` on another system. */
	readonly leftOut: readonly string[];
	/** Files that were removed from the checkout because they cannot be committed. */
	readonly unfit: readonly Unfit[];
	/** New files that only the user's own ignore rules keep out of it. */
	readonly userIgnored: readonly string[];
}

export interface Taken {
	readonly snapshot: Snapshot;
	/** Null when some were left out of the commit. */
	readonly changes: readonly RawChange[] | null;
	/** True where a checkout of the commit may write different bytes than those in the directory. */
	readonly verbatim: boolean;
}

const GITLINK = "160000";

/** So many files that a snapshot adds are a file each in the repository; more come into one pack. */
const MOST_LOOSE = 1_000;

// In submodules git would run `git status`, by the configuration of whoever worked there, and fail where that is no
// whole repository.
function addAll(submodules: readonly string[], isLarge: boolean): GitQuery<void> {
	const excluded = submodules.map((path) => `:(top,exclude,literal)${path}`);
	const how = ["add", "--all", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul"];
	return {
		args: [...(isLarge ? IN_ONE_PACK : []), ...how],
		stdin: joinZero([":/", ...excluded]),
		notLiteral: true,
		mayLock: true,
		parse: nothing,
	};
}

const writeIndex: GitQuery<string> = { args: ["write-tree"], mayLock: true, parse: lineOf };

export async function takeSnapshot(
	place: GitPlace & { readonly indexFile: string },
	vault: Vault,
	{ parent, message, at, since }: SnapshotRequest,
): Promise<Taken> {
	const { plainGitDir } = vault;
	const unfit = [...(await removeUnfit(place)), ...(await removeTooLarge(place))];
	const links = await gitlinksIn(place, parent);
	// In place of one that is no folder any more, there may be something to add.
	const submodules = links.map(({ path }) => path).filter((path) => isFolder(place.cwd, path));
	const isLarge = (await changedPaths(place)).paths.length > MOST_LOOSE;
	const refused = await addEverything(place, plainGitDir, addAll(submodules, isLarge));
	const added = await runGit(place, writeIndex);
	const staged = await rawChanges(vault, await treeOf(vault, parent), added);
	const own = await keepOwnChanges(place, plainGitDir, { parent, staged });
	const { changes, verbatim } = own;
	const undone = changes.filter(isUndone);
	if (undone.length > 0) await undo(place, undone);
	const embedded = undone.filter(({ oldMode }) => oldMode !== GITLINK).map(({ path }) => path);
	const nested = refused.filter((path) => path.at(-1) === 0x2f).map((path) => path.subarray(0, -1));
	const isAdded = undone.length === 0 && !own.restaged;
	const tree = isAdded ? added : await runGit(place, writeIndex);
	const rest = changes.filter((change) => !isUndone(change) || leavesDeletion(change));
	const empty = rest.length === 0;
	const request = { tree, parents: [parent], message, at };
	return {
		snapshot: {
			// A turn that changed nothing leaves no commit: a history that people read shows changes only.
			commit: empty ? parent : await runGit(place, commitQuery(request)),
			tree,
			empty,
			embedded: [...new Set([...embedded, ...nested].map(pathText))].sort(),
			leftOut: refused.filter((path) => path.at(-1) !== 0x2f).map(pathText),
			unfit,
			userIgnored: since === undefined ? [] : await ignoredByUser(place, vault, since),
		},
		changes: undone.length === 0 ? changes : null,
		verbatim,
	};
}

// The commit of a link to another repository that is new, moved or removed exists nowhere else.
function isUndone({ oldMode, newMode }: RawChange): boolean {
	if (newMode === GITLINK) return true;
	return oldMode === GITLINK && newMode === "000000";
}

// A tracked file that a nested repository replaced is deleted, even though the repository is left out.
function leavesDeletion({ oldMode, newMode }: RawChange): boolean {
	return newMode === GITLINK && oldMode !== GITLINK && oldMode !== "000000";
}

async function undo(place: GitPlace, changes: readonly RawChange[]): Promise<void> {
	const entries = changes.map(({ oldMode, oldOid, path }) => {
		const [mode, oid] =
			oldMode === GITLINK
				? ([GITLINK, oldOid] as const)
				: (["0", "0".repeat(oldOid.length)] as const);
		return indexEntry(mode, oid, path);
	});
	await runGit(place, stageEntries(entries));
}

/**
 * If git fails, restores file permissions, then switches off conversions, since the tree's own attributes may ask for
 * one that its files do not allow.
 *
 * @returns paths that git still refuses
 */
async function addEverything(
	place: GitPlace,
	plainGitDir: string,
	add: GitQuery<void>,
): Promise<Buffer[]> {
	let answer = await askGit(place, add);
	if (answer.exitCode === 0 && !isPartial(answer)) return [];
	stopWhenHopeless(place, add, answer);
	await makeWritable(place.cwd);
	answer = await askGit(place, add);
	if (answer.exitCode === 0) return [];
	const plain = { ...place, gitDir: plainGitDir };
	answer = await askGit(plain, add);
	if (answer.exitCode === 0) return [];
	stopWhenHopeless(place, add, answer);
	// If it failed as a whole, or could not write objects, the reason lies in none of the files that it did not add.
	const ofFiles =
		answer.exitCode === 1 && !answer.stderr.includes("failed to insert into database");
	const refused = ofFiles ? await runGit(place, untracked) : [];
	if (refused.length > 0) return refused;
	throw failure(place, add, { ...answer, stderr: answer.stderr.slice(-2_000) });
}

// Without a required filter, files would be committed wrongly.
function stopWhenHopeless(place: GitPlace, add: GitQuery<void>, answer: GitAnswer): void {
	const byFilter = filterFault(answer.stderr, place.cwd);
	if (byFilter !== null) throw byFilter;
	const fault = failure(place, add, answer);
	if (fault.code === "disk-full") throw fault;
}
