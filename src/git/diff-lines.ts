import { pathText, unquoteC } from "./parsing.ts";

/**
 * A line of a diff: of a hunk by its mark; `---` and `+++` with the path of that side, which is empty where it has none;
 * `head` for any other line; and `broken` with the reason why the rest cannot be read.
 */
export interface DiffLine {
	readonly mark: " " | "+" | "-" | "\\" | "---" | "+++" | "head" | "broken";
	/** Bytes as Latin-1, except of paths and reasons. */
	readonly text: string;
	/** Number of the line after the change, from 1. */
	readonly at: number;
}

const HUNK = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/**
 * Reads a unified diff of git with the prefixes `a/` and `b/`. Hunk headers say how many lines follow, so content that
 * looks like a header is not misread; a hunk that ends early makes the diff invalid. Bytes, since the encodings of
 * paths and contents may differ.
 */
export function* diffLines(diff: Buffer): Generator<DiffLine, void, undefined> {
	const reading: Reading = { old: 0, fresh: 0, at: 0, file: "" };
	for (const text of linesOf(diff)) {
		const line = readLine(reading, text);
		if (line !== null) yield line;
		if (line?.mark === "broken") return;
	}
	if (isOpen(reading)) yield cut(reading);
}

interface Reading {
	old: number;
	fresh: number;
	at: number;
	file: string;
}

const isOpen = ({ old, fresh }: Reading): boolean => old > 0 || fresh > 0;

const cut = ({ file, at }: Reading): DiffLine => ({
	mark: "broken",
	text: `a hunk of ${file || "a deleted file"} is truncated`,
	at,
});

function readLine(reading: Reading, line: string): DiffLine | null {
	const { at } = reading;
	if (line.startsWith("\\")) return { mark: "\\", text: line, at };
	if (isOpen(reading)) return readContent(reading, line);
	if (line.startsWith("@@")) return openHunk(reading, line);
	const mark = (["---", "+++"] as const).find((side) => line.startsWith(`${side} `));
	if (mark === undefined) return { mark: "head", text: line, at };
	reading.file = sidePath(line.slice(4));
	return { mark, text: reading.file, at };
}

function readContent(reading: Reading, line: string): DiffLine {
	const { at } = reading;
	// Some settings of git leave out the space of an empty line.
	const mark = line === "" ? " " : line[0];
	if (mark !== "+" && mark !== "-" && mark !== " ") return cut(reading);
	if (mark !== "+") reading.old -= 1;
	if (mark !== "-") {
		reading.fresh -= 1;
		reading.at += 1;
	}
	if (reading.old < 0 || reading.fresh < 0) return cut(reading);
	return { mark, text: line.slice(1), at };
}

function openHunk(reading: Reading, line: string): DiffLine | null {
	const [, old = "1", start, fresh = "1"] = HUNK.exec(line) ?? [];
	if (start === undefined) {
		const text = `not a valid hunk header: ${line.slice(0, 80)}`;
		return { mark: "broken", text, at: reading.at };
	}
	reading.old = Number(old);
	reading.fresh = Number(fresh);
	reading.at = Number(start);
	return null;
}

function* linesOf(diff: Buffer): Generator<string> {
	let start = 0;
	while (start < diff.length) {
		const end = diff.indexOf(10, start);
		const stop = end === -1 ? diff.length : end;
		yield diff.toString("latin1", start, stop);
		start = stop + 1;
	}
}

function sidePath(written: string): string {
	if (written === "/dev/null") return "";
	const path = writtenPath(written);
	return path.slice(path.indexOf("/") + 1);
}

/** A path as git prints it in Latin-1: it adds a tab after a name with a space, and quotes one with odd characters. */
export function writtenPath(written: string): string {
	const quoted = /^"(.*)"/.exec(written)?.[1];
	const name = quoted === undefined ? written.replace(/\t$/, "") : (unquoteC(quoted) ?? quoted);
	return pathText(Buffer.from(name, "latin1"));
}
