import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { judgeChanges } from "./conversions.ts";
import { joinZero, lineOf, nothing } from "./parsing.ts";
import type { RawChange } from "./raw-changes.ts";
import type { GitPlace, GitQuery } from "./run-git.ts";
import { runGit } from "./run-git.ts";
import { absolute } from "./unfit.ts";

/** Files above this size are recorded as they lie there, in bytes: 16 MiB. Their lines are not compared. */
const LARGEST_COMPARED = 16 * 1_048_576;

/** What of the staged changes is somebody's own. */
export interface OwnChanges {
	readonly changes: readonly RawChange[];
	/** Whether some file was recorded without conversion, so that a checkout may write other bytes. */
	readonly verbatim: boolean;
}

/**
 * Takes out of an index what git's conversions alone changed since a commit. A file that nobody touched gets the
 * commit's blob again. A changed file whose blob does not round-trip is recorded without conversion, the lines that
 * nobody changed as the commit has them.
 *
 * @param staged what differs between the commit and the index
 * @param plainGitDir a git directory under whose attributes nothing is converted
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
			return { changes, verbatim: unstable.length > 0 };
		},
	);
}

function withBlob(change: RawChange, oid: string | undefined): RawChange {
	if (oid === undefined) return change;
	const { oldMode, newMode, oldOid, status, path } = change;
	return { oldMode, newMode, oldOid, newOid: oid, status, path };
}

async function stage(place: GitPlace, blobs: ReadonlyMap<RawChange, string>): Promise<void> {
	if (blobs.size === 0) return;
	const lines = [...blobs].map(([{ newMode, path }, oid]) =>
		Buffer.concat([Buffer.from(`${newMode} ${oid}\t`), path]),
	);
	await runGit(place, {
		args: ["update-index", "-z", "--index-info"],
		stdin: joinZero(lines),
		mayLock: true,
		parse: nothing,
	});
}

/** Writes the blob of a changed file without conversion; its id. */
async function recordVerbatim(
	plain: GitPlace,
	{ oldOid, path }: RawChange,
	{ written, folder }: { readonly written: Buffer; readonly folder: string },
): Promise<string> {
	const content = await readFile(absolute(plain, path));
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

/** Lines that were replaced: `removed` lines from `at` on, counted from 0, by `added` lines from `to` on. */
export interface Edit {
	readonly at: number;
	readonly removed: number;
	readonly to: number;
	readonly added: number;
}

/** How the lines of one content become those of another. */
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
			// Of no lines git names the line before them.
			at: Number(at) - (removed === "0" ? 0 : 1),
			removed: Number(removed),
			to: Number(to) - (added === "0" ? 0 : 1),
			added: Number(added),
		}),
	);
}

/**
 * A blob with the edits that were made to what a checkout wrote of it: other lines stay as the blob has them. The whole
 * content when the checkout changed the number of lines.
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
