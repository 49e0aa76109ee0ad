import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { textOfBytes } from "../kernel/byte-text.ts";
import { Fault } from "../kernel/fault.ts";
import { randomId } from "../kernel/ids.ts";
import { makeTemporary } from "../process/temporary.ts";
import { withoutBinary } from "./binary-parts.ts";
import { diffLines } from "./diff-lines.ts";
import { type FileChange, kindOfChange, type TreeFile } from "./file-change.ts";
import { keptAnswers } from "./kept-answers.ts";
import { readBlobs, readObject, readObjects, treeListing } from "./objects.ts";
import {
	foldersOf,
	joinZero,
	PLAIN,
	parseRawChanges,
	pathText,
	RAW,
	type RawChange,
	rawDifference,
	treeEntries,
	zeroFields,
} from "./parsing.ts";
import { askKept, failure, type GitAnswer, type KeptQuery, runGit, runKept } from "./run-git.ts";
import type { Vault } from "./vault.ts";
import { vaultPlace } from "./vault.ts";

const repositoryOf = ({ repository }: Pick<Vault, "repository">): object => repository;
const atMost =
	(most: number) =>
	({ length }: readonly unknown[]): boolean =>
		length <= most;
const differences = keptAnswers<readonly FileChange[]>(32, atMost(2_000), repositoryOf);
const trees = keptAnswers<string>(1_000, undefined, repositoryOf);
const listings = keptAnswers<readonly TreeFile[]>(20, atMost(10_000), repositoryOf);

/** The files that differ, sorted by path as git does. */
export async function changesBetween(
	vault: Vault,
	from: string,
	to: string,
): Promise<FileChange[]> {
	const ask = async () =>
		(await rawChanges(vault, await treeOf(vault, from), await treeOf(vault, to))).map(fileChange);
	return [...(await differences.of(vault, [from, to], "", ask))];
}

export async function rawChanges(vault: Vault, from: string, to: string): Promise<RawChange[]> {
	if (from === to) return [];
	const header = `${from} ${to}\n`;
	const told = await runKept(vaultPlace(vault), treeDifferences(["-r", ...RAW], [header]));
	if (told.length > header.length) return parseRawChanges(told.subarray(header.length));
	// Two trees differ, so one of them is missing: that is told by git with an exit code.
	return await runGit(vaultPlace(vault), rawDifference(from, to));
}

/**
 * Differences of pairs of trees (`<tree> <tree>\n`), each behind its header: the header alone where a tree is missing.
 */
function treeDifferences(
	options: readonly string[],
	headers: readonly string[],
	maxBytes: number = Number.POSITIVE_INFINITY,
): KeptQuery<Buffer> {
	// A line that names no object is printed as it is, so that the end of the last difference can be seen.
	const last = Buffer.from(`end ${randomId(32)}\n`);
	const parts: Buffer[] = [];
	return {
		args: ["diff-tree", "--stdin", ...options],
		input: `${headers.join("")}${last.toString()}`,
		maxBytes: maxBytes + last.length,
		repeatable: true,
		read: (bytes) => {
			const used = Math.max(0, bytes.length - last.length);
			parts.push(Buffer.from(bytes.subarray(0, used)));
			return bytes.subarray(used).equals(last)
				? { answer: Buffer.concat(parts) }
				: { used, atLeast: bytes.length - used + 1 };
		},
	};
}

export function keepCommit(
	vault: Vault,
	made: {
		readonly parent: string;
		readonly commit: string;
		readonly tree: string;
		/** All differences from the parent; null when they are not known. */
		readonly changes: readonly RawChange[] | null;
	},
): void {
	trees.keep(vault, [made.commit], made.tree);
	if (made.changes === null) return;
	differences.keep(vault, [made.parent, made.commit], made.changes.map(fileChange));
}

function fileChange({ path, oldMode, newMode, oldOid, newOid }: RawChange): FileChange {
	const kind = kindOfChange(oldMode, newMode);
	return { path: pathText(path), kind, oldMode, newMode, oldOid, newOid };
}

interface DiffText {
	readonly text: string;
	readonly truncated: boolean;
}

const MAX_COUNTED = 4_000_000;

const PLAIN_DIFF = ["-r", "-p", "-M", ...PLAIN];

/**
 * The difference as a unified diff with rename detection. Bytes that are not UTF-8 are replaced; of what is no text its size
 * is told.
 *
 * @param limits a text longer than `maxBytes` is cut at a line end, and its last line says so
 */
export async function diffText(
	vault: Vault,
	from: string,
	to: string,
	{ maxBytes }: { readonly maxBytes: number },
): Promise<DiffText> {
	const { stdout, truncated } = await readDiff(vault, [from, to], maxBytes);
	const lines = truncated ? stdout.subarray(0, stdout.lastIndexOf("\n") + 1) : stdout;
	const whole = (await withoutBinary(vaultPlace(vault), lines)).toString("utf8");
	if (!truncated) return { text: whole, truncated };
	return { text: `${whole}[diff truncated after ${maxBytes} bytes]\n`, truncated };
}

/** Changed lines of text between two commits; undefined above 4 MB of difference. */
export async function changedLines(
	vault: Vault,
	from: string,
	to: string,
): Promise<{ added: number; removed: number } | undefined> {
	const [diff] = await diffTexts(vault, [{ from, to }], { maxBytes: MAX_COUNTED });
	if (diff === undefined || diff.truncated) return undefined;
	const counts = { "+": 0, "-": 0 };
	for (const { mark } of diffLines(Buffer.from(diff.text)))
		if (mark === "+" || mark === "-") counts[mark] += 1;
	return { added: counts["+"], removed: counts["-"] };
}

/** Two commits to compare. */
export interface CommitPair {
	readonly from: string;
	readonly to: string;
}

/**
 * Several differences as `diffText` gives them, in one request.
 *
 * @param limits for each text
 */
export async function diffTexts(
	vault: Vault,
	pairs: readonly CommitPair[],
	{ maxBytes }: { readonly maxBytes: number },
): Promise<readonly DiffText[]> {
	if (pairs.length === 0) return [];
	const headers: string[] = [];
	for (const { from, to } of pairs) {
		headers.push(`${await treeOf(vault, from)} ${await treeOf(vault, to)}\n`);
	}
	const place = vaultPlace(vault);
	const query = treeDifferences(PLAIN_DIFF, headers, maxBytes);
	const told = await askKept(place, query);
	if ("answer" in told) {
		const texts: DiffText[] = [];
		for (const part of partsOf(told.answer, headers))
			texts.push({ text: (await withoutBinary(place, part)).toString("utf8"), truncated: false });
		return texts;
	}
	if (!told.ended.truncated) throw failure(place, query, told.ended);
	// Each of them tells that it is too long.
	return await Promise.all(pairs.map(({ from, to }) => diffText(vault, from, to, { maxBytes })));
}

// No line of a diff begins as a header does, with the id of a tree.
function partsOf(bytes: Buffer, headers: readonly string[]): Buffer[] {
	const starts: number[] = [];
	let at = 0;
	for (const header of headers) {
		at = lineStart(bytes, header, at);
		starts.push(at);
		at += header.length;
	}
	return headers.map((header, nth) =>
		bytes.subarray((starts[nth] ?? 0) + header.length, starts[nth + 1] ?? bytes.length),
	);
}

function lineStart(bytes: Buffer, header: string, from: number): number {
	if (bytes.indexOf(header, from, "latin1") === from) return from;
	const at = bytes.indexOf(`\n${header}`, from, "latin1");
	if (at === -1) throw unexpected(header);
	return at + 1;
}

function unexpected(header: string): Fault {
	return new Fault(`git diff-tree did not answer the question ${header.trim()}`, {
		code: "git-failed",
		retryable: true,
		hint: "Try again. If it happens again, try another version of git.",
	});
}

/**
 * The difference for `git apply`: binary files whole, and bytes that are not UTF-8 as `textOfBytes` spells them.
 *
 * @throws Fault `usage` where it is longer than `maxBytes`: a part of it would be another change
 */
export async function patchText(
	vault: Vault,
	from: string,
	to: string,
	{ maxBytes }: { readonly maxBytes: number },
): Promise<string> {
	const { stdout, truncated } = await readDiff(vault, ["--binary", from, to], maxBytes);
	if (!truncated) return textOfBytes(stdout);
	throw new Fault(`the difference is longer than ${maxBytes} bytes`, {
		code: "usage",
		hint: `Have git write it: git diff --binary ${from} ${to}`,
	});
}

function readDiff(vault: Vault, what: readonly string[], maxStdout: number): Promise<GitAnswer> {
	return runGit(vaultPlace(vault), {
		args: ["diff-tree", ...PLAIN_DIFF, ...what, "--"],
		maxStdout,
		parse: (answer) => answer,
	});
}

/** The content of a file in a commit, or the target of a symbolic link; undefined when there is no such file. */
export async function readFileAt(
	vault: Vault,
	commit: string,
	path: string,
): Promise<Buffer | undefined> {
	if (path === "" || path.includes("\0") || path.startsWith("/")) return undefined;
	// Git would take a few paths for something else; the last of them ends as a name of `git describe` does.
	if (/[\n\r]|^\.{1,2}(\/|$)|-g[0-9a-f]{4}/i.test(path)) {
		const found = (await filesAt(vault, commit)).find((one) => one.path === path);
		return found === undefined || found.mode === GITLINK ? undefined : readBlob(vault, found.oid);
	}
	const [object] = await readObjects(vaultPlace(vault), [`${commit}:${path}`]);
	// Otherwise it is a directory or a submodule.
	return object?.type === "blob" ? object.content : undefined;
}

const GITLINK = "160000";

/** So many files are read together, or so many bytes of them. */
const MOST_TOGETHER = 500;
const MOST_BYTES = 16_000_000;
const KEPT_PARTS = 4;

/**
 * Gives a reader of files of a commit as text; null for what is not there. Of those that differ it reads neighbours together,
 * since whoever asks for one asks for the next.
 *
 * @param side of the changes on which the commit is
 */
export function textReader(
	vault: Vault,
	commit: string,
	{ changes, side }: { readonly changes: readonly FileChange[]; readonly side: "old" | "new" },
): (path: string) => Promise<string | null> {
	// A name that is no text names no file.
	const files = changes.filter(({ path }) => !/\\x[0-9a-f]{2}/.test(path));
	const places = new Map(files.map(({ path }, nth) => [path, nth]));
	const parts = new Map<number, Promise<(Buffer | undefined)[]>>();
	const partOf = (start: number): Promise<(Buffer | undefined)[]> => {
		const oids = files.slice(start, start + MOST_TOGETHER).map((file) => file[`${side}Oid`]);
		const part = parts.get(start) ?? readBlobs(vaultPlace(vault), oids, MOST_BYTES);
		parts.delete(start);
		parts.set(start, part);
		const [oldest] = parts.keys();
		if (parts.size > KEPT_PARTS && oldest !== undefined) parts.delete(oldest);
		return part;
	};
	return async (path) => {
		const nth = places.get(path);
		const at = (nth ?? 0) % MOST_TOGETHER;
		const found = nth === undefined ? undefined : (await partOf(nth - at))[at];
		return (found ?? (await readFileAt(vault, commit, path)))?.toString("utf8") ?? null;
	};
}

/** All files of a commit, including submodules. */
export function filesAt(vault: Vault, commit: string): Promise<readonly TreeFile[]> {
	const ask = async () => parseTree(await treeListing(vault.repository, commit, vaultPlace(vault)));
	return listings.of(vault, [commit], "", ask);
}

/** Keeps the files of a commit that differs from a known one in some paths, so that git need not list them. */
export async function keepFiles(
	vault: Vault,
	commit: string,
	{ of, edited }: { readonly of: string; readonly edited: ReadonlyMap<string, TreeFile | null> },
): Promise<void> {
	const made = [...edited.values()].flatMap((file) => file ?? []);
	// A file takes the place of a folder, and a folder that of a file.
	const above = new Set(made.flatMap(({ path }) => foldersOf(path)));
	const isKept = ({ path }: TreeFile): boolean =>
		!edited.has(path) && !above.has(path) && !foldersOf(path).some((folder) => edited.has(folder));
	const files = [...(await filesAt(vault, of)).filter(isKept), ...made];
	listings.keep(vault, [commit], files.toSorted(byBytes));
}

/** In the order of git: by the bytes of the paths. */
const byBytes = (one: TreeFile, other: TreeFile): number =>
	Buffer.compare(Buffer.from(one.path), Buffer.from(other.path));

function parseTree(bytes: Buffer): TreeFile[] {
	return treeEntries(bytes).map(({ path, mode, oid }) => ({ path: pathText(path), mode, oid }));
}

/** The id of a commit's tree. Equal trees mean equal files. */
export function treeOf(vault: Vault, commit: string): Promise<string> {
	return trees.of(vault, [commit], "", () =>
		readObject(vaultPlace(vault), `${commit}^{tree}`).then(({ oid }) => oid),
	);
}

/** True where the repository has this commit. Git may have removed one that no ref points to. */
export function isCommit(vault: Vault, commit: string): Promise<boolean> {
	return runGit(vaultPlace(vault), {
		args: ["cat-file", "-e", `${commit}^{commit}`],
		exitCodes: [0, 1, 128],
		parse: ({ exitCode }) => exitCode === 0,
	});
}

/** True where one commit is an ancestor of another, or the same. */
export function isAncestor(vault: Vault, ancestor: string, commit: string): Promise<boolean> {
	return runGit(vaultPlace(vault), {
		args: ["merge-base", "--is-ancestor", ancestor, commit],
		exitCodes: [0, 1],
		parse: ({ exitCode }) => exitCode === 0,
	});
}

/**
 * The paths that the `.gitignore` files of a commit and the user's own rules ignore. No work tree plays a part.
 *
 * @param paths relative to the top; a directory ends with `/`
 */
export async function ignoredBy(
	vault: Vault,
	commit: string,
	paths: readonly string[],
): Promise<string[]> {
	const asked = paths.filter(isInside);
	if (asked.length === 0) return [];
	const rules = (await filesAt(vault, commit)).filter(
		({ path, mode }) => mode.startsWith("100") && /(^|\/)\.gitignore$/.test(path),
	);
	if (rules.length === 0 && vault.ignoreRules === "") return [];
	await using temporary = await makeTemporary("spar-ignore-");
	const dir = temporary.path;
	for (const { path, oid } of rules) {
		await mkdir(dirname(join(dir, path)), { recursive: true });
		await writeFile(join(dir, path), await readBlob(vault, oid));
	}
	const indexFile = join(vault.gitDir, "no-index");
	return await runGit(
		{ ...vaultPlace(vault), cwd: dir, workTree: dir, indexFile },
		{
			args: ["check-ignore", "--no-index", "-z", "--stdin"],
			// Without `./` a path that starts with a colon would be a pattern.
			notLiteral: true,
			stdin: joinZero(asked.map((path) => `./${path}`)),
			exitCodes: [0, 1],
			parse: ({ stdout }) => zeroFields(stdout).map((path) => pathText(path.subarray(2))),
		},
	);
}

function isInside(path: string): boolean {
	if (path === "" || path.startsWith("/") || path.includes("\0")) return false;
	return !path.split("/").some((part) => part === ".." || part === ".");
}

async function readBlob(vault: Vault, oid: string): Promise<Buffer> {
	return (await readObject(vaultPlace(vault), oid)).content;
}
