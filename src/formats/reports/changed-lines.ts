import { PLAIN, pathText, unquoteC } from "../../git/parsing.ts";
import { type GitQuery, runGit } from "../../git/run-git.ts";
import { type Vault, vaultPlace } from "../../git/vault.ts";
import { type InvalidReport, refuse } from "./parsed-report.ts";

export interface ChangedFile {
	readonly path: string;
	/** From 1, ascending. */
	readonly lines: readonly number[];
	/** Number of those that contain a letter or digit and do not start like a comment. */
	readonly written: number;
}

export type ChangedLines =
	| { readonly kind: "changes"; readonly files: ReadonlyMap<string, ChangedFile> }
	| InvalidReport;

const MAX_DIFF = 64 * 1024 * 1024;

/**
 * Lines that differ between two commits. In a renamed file only changed lines count. All files are compared as text,
 * whatever attributes say.
 *
 * @throws Fault `git-failed` when a commit is unknown
 */
export function changedLines(vault: Vault, from: string, to: string): Promise<ChangedLines> {
	return runGit(vaultPlace(vault), changedLinesQuery(from, to));
}

function changedLinesQuery(from: string, to: string): GitQuery<ChangedLines> {
	return {
		args: ["diff-tree", "-r", "-p", "-M", "-U0", "--text", ...PLAIN, from, to, "--"],
		maxStdout: MAX_DIFF,
		parse: ({ stdout, truncated }) =>
			truncated
				? refuse(`the diff is longer than ${MAX_DIFF / 1024 / 1024} MiB`)
				: parseChangedLines(stdout),
	};
}

const HUNK = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

const WRITTEN = /^(?![ \t]*(?:\/\/|\/\*|\*[\s/]|#\s|--[\s[]|<!--)).*[\p{L}\p{N}]/u;

interface Hunk {
	old: number;
	fresh: number;
	at: number;
}

interface OpenFile {
	path: string;
	lines: number[];
	written: number;
}

interface Reading {
	readonly files: Map<string, OpenFile>;
	file: OpenFile | undefined;
	hunk: Hunk;
}

/**
 * Reads a unified diff of git with the prefixes `a/` and `b/`. Hunk headers say how many lines follow, so content that
 * looks like a header is not misread; a hunk that ends early makes the diff invalid. Bytes, since the encodings of
 * paths and contents may differ.
 */
export function parseChangedLines(diff: Buffer): ChangedLines {
	const reading: Reading = { files: new Map(), file: undefined, hunk: NO_HUNK };
	for (const line of linesOf(diff)) {
		const problem = isOpen(reading.hunk) ? readContent(line, reading) : readHead(line, reading);
		if (problem !== undefined) return refuse(problem);
	}
	return isOpen(reading.hunk) ? refuse(cut(reading)) : { kind: "changes", files: reading.files };
}

const NO_HUNK: Hunk = { old: 0, fresh: 0, at: 0 };

function isOpen({ old, fresh }: Hunk): boolean {
	return old > 0 || fresh > 0;
}

function cut({ file }: Reading): string {
	return `a hunk of ${file?.path ?? "a deleted file"} is truncated`;
}

function readHead(line: string, reading: Reading): string | undefined {
	if (line.startsWith("+++ ")) {
		const path = pathOf(line.slice(4));
		reading.file = path === undefined ? undefined : { path, lines: [], written: 0 };
		if (reading.file !== undefined) reading.files.set(reading.file.path, reading.file);
	} else if (line.startsWith("@@")) {
		const hunk = hunkOf(line);
		if (hunk === undefined) return `not a valid hunk header: ${line.slice(0, 80)}`;
		reading.hunk = hunk;
	}
	return undefined;
}

function hunkOf(line: string): Hunk | undefined {
	const [, old = "1", at, fresh = "1"] = HUNK.exec(line) ?? [];
	return at === undefined ? undefined : { old: Number(old), fresh: Number(fresh), at: Number(at) };
}

function readContent(line: string, reading: Reading): string | undefined {
	const { hunk, file } = reading;
	const mark = line[0];
	// "\ No newline at end of file" belongs to the line before.
	if (mark === "\\") return undefined;
	if (mark !== "+" && mark !== "-" && mark !== " ") return cut(reading);
	if (mark !== "+") hunk.old -= 1;
	if (mark !== "-") hunk.fresh -= 1;
	if (hunk.old < 0 || hunk.fresh < 0) return cut(reading);
	if (mark === "+" && file !== undefined) {
		file.lines.push(hunk.at);
		if (WRITTEN.test(line.slice(1, MAX_LOOK))) file.written += 1;
	}
	if (mark !== "-") hunk.at += 1;
	return undefined;
}

// Minified code has lines of millions.
const MAX_LOOK = 1_000;

function* linesOf(diff: Buffer): Generator<string> {
	let start = 0;
	while (start < diff.length) {
		const end = diff.indexOf(10, start);
		const stop = end === -1 ? diff.length : end;
		yield diff.toString("latin1", start, stop);
		start = stop + 1;
	}
}

function pathOf(written: string): string | undefined {
	if (written === "/dev/null") return undefined;
	// Git adds a tab after a name with a space, and quotes one with control characters, quotes or backslashes.
	const quoted = /^"(.*)"/.exec(written)?.[1];
	const name = quoted === undefined ? written.replace(/\t$/, "") : (unquoteC(quoted) ?? quoted);
	const path = name.slice(name.indexOf("/") + 1);
	return pathText(Buffer.from(path, "latin1"));
}
