import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { judgeChanges } from "./conversions.ts";
import { below, indexEntry, lineOf, type RawChange, stageEntries } from "./parsing.ts";
import type { GitPlace, GitQuery } from "./run-git.ts";
import { runGit } from "./run-git.ts";

/** Larger files are committed as they are, without comparing lines, in bytes: 16 MiB. */
const LARGEST_COMPARED = 16 * 1_048_576;

/** The staged changes that somebody made. */
export interface OwnChanges {
	readonly changes: readonly RawChange[];
	/** Whether a file was committed without conversion, so that a checkout may write different bytes. */
	readonly verbatim: boolean;
	/** Whether the index is not what it was. */
	readonly restaged: boolean;
}

/**
 * Removes changes from an index that git's conversions alone caused. A file that nobody touched gets the commit's blob
 * again. A changed file whose blob does not round-trip is committed without conversion, with unchanged lines as in the
 * commit.
 *
 * @param staged what differs between the commit and the index
 * @param plainGitDir a git directory whose attributes switch conversions off
 */
export async function keepOwnChanges(
	place: GitPlace,
	plainGitDir: string,
	{ parent, staged }: { readonly parent: string; readonly staged: readonly RawChange[] },
): Promise<OwnChanges> {
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

/** Writes the blob of a changed file without conversion and returns its id. */
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

/** Replaces `removed` lines from line `at` of the old text by `added` lines from line `to` of the new one, from 0. */
export interface Edit {
	readonly at: number;
	readonly removed: number;
	readonly to: number;
	readonly added: number;
}

/** The edits that turn the lines of one content into those of another. */
async function editsBetween(
	plain: GitPlace,
	folder: string,
	[before, after]: readonly [Buffer, Buffer],
): Promise<Edit[]> {
	const [one, other] = [join(folder, "before"), join(folder, "after")];
	await writeFile(one, before);
	await writeFile(other, after);
	const query: GitQuery<Edit[]> = {
		args: ["diff", "--no-index", "--text", "-U0", "--no-color", "--no-ext-diff", "--", one, other],
		exitCodes: [0, 1],
		parse: ({ stdout }) => parseEdits(stdout.toString("latin1")),
	};
	return await runGit(plain, query);
}

/** @example `parseEdits("@@ -3 +3,2 @@\n")` is `[{ at: 2, removed: 1, to: 2, added: 2 }]` */
export function parseEdits(diff: string): Edit[] {
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
 * Applies to a blob the edits that were made to its checked-out file. Other lines stay as in the blob. Returns the new
 * content as it is when the checkout changed the number of lines.
 */
export function withLinesOf(
	blob: Buffer,
	{ before, content }: { readonly before: Buffer; readonly content: Buffer },
	edits: readonly Edit[],
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
