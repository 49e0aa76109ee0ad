import { PLAIN, pathText, unquoteC } from "./parsing.ts";
import { type GitQuery, runGit } from "./run-git.ts";
import type { Vault } from "./vault.ts";
import { vaultPlace } from "./vault.ts";

/** A stretch of a file: lines that stayed, or lines that were replaced. Each line ends with its `\n`, if it has one. */
export type TextPart =
	| { readonly same: readonly string[] }
	| { readonly old: readonly string[]; readonly fresh: readonly string[] };

export interface ChangedFileText {
	readonly path: string;
	readonly kind: "added" | "modified" | "deleted";
	/** Mode after the change; before it where the file is deleted. */
	readonly mode: string;
	/** Null for what is no UTF-8 text, is a link or a submodule, or came after the limit. */
	readonly parts: readonly TextPart[] | null;
}

const ALL_LINES = 99_999_999;

const WITH_RAW = ["--raw", "--no-renames", "--no-abbrev"];

/** The file on one side of a change, from its parts. */
export function sideOf(parts: readonly TextPart[], side: "old" | "fresh"): string {
	return parts.flatMap((part) => ("same" in part ? part.same : part[side])).join("");
}

/**
 * The files that differ between two commits, with their texts, in one call of git. A rename is a deletion and an
 * addition.
 *
 * @param maxBytes of all texts together; files after it have no parts
 */
export function changedTexts(
	vault: Vault,
	from: string,
	to: string,
	maxBytes: number,
): Promise<ChangedFileText[]> {
	return runGit(vaultPlace(vault), changedTextsQuery(from, to, maxBytes));
}

function changedTextsQuery(
	from: string,
	to: string,
	maxStdout: number,
): GitQuery<ChangedFileText[]> {
	return {
		// The raw lines come first, so that every file is named even where its text does not fit.
		args: ["diff-tree", "-r", "-p", `-U${ALL_LINES}`, ...WITH_RAW, ...PLAIN, from, to, "--"],
		maxStdout,
		parse: ({ stdout, truncated }) => parseChangedTexts(stdout, truncated),
	};
}

interface Reading {
	path: string | null;
	readonly parts: TextPart[];
	left: { old: number; fresh: number };
	same: string[];
	old: string[];
	fresh: string[];
	isText: boolean;
}

function parseChangedTexts(bytes: Buffer, truncated: boolean): ChangedFileText[] {
	const text = bytes.toString("latin1");
	const first = text.search(/^diff --git /m);
	const raw = first === -1 ? text : text.slice(0, first);
	const files = new Map(
		raw
			.split("\n")
			.flatMap((line) => rawFile(line) ?? [])
			.map((file) => [file.path, file]),
	);
	const sections = readSections(first === -1 ? [] : text.slice(first).split("\n"));
	for (const [index, section] of sections.entries()) {
		const file = section.path === null ? undefined : files.get(section.path);
		if (file === undefined) continue;
		const isWhole = !truncated || index < sections.length - 1;
		const isRead = isWhole && section.isText && isPlain(file.mode);
		files.set(file.path, { ...file, parts: isRead ? decoded(section.parts) : null });
	}
	return [...files.values()];
}

/** Hunk headers say how many lines follow, so content that looks like a header is not misread. */
function readSections(lines: readonly string[]): Reading[] {
	const sections: Reading[] = [];
	let reading = newReading();
	for (const line of lines) {
		if (reading.left.old > 0 || reading.left.fresh > 0) readLine(reading, line);
		else if (line.startsWith("\\")) withoutEnd(reading);
		else if (line.startsWith("diff --git ")) {
			reading = newReading();
			sections.push(reading);
		} else readHead(reading, line);
	}
	for (const section of sections) close(section);
	return sections;
}

const newReading = (): Reading => ({
	path: null,
	parts: [],
	isText: true,
	left: { old: 0, fresh: 0 },
	same: [],
	old: [],
	fresh: [],
});

const isPlain = (mode: string): boolean => mode === "100644" || mode === "100755";

const EMPTY =
	/^(?:0+|e69de29bb2d1d6434b8b29ae775ad8c2e48c5391|473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813)$/;

const KINDS: Readonly<Record<string, ChangedFileText["kind"]>> = { A: "added", D: "deleted" };

/** A line of `--raw`. What has no hunks, such as an empty file or a change of mode, is whole without any. */
function rawFile(line: string): ChangedFileText | undefined {
	const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\t(.*)$/.exec(line);
	if (match === null) return undefined;
	const [, oldMode = "", newMode = "", old = "", fresh = "", status = "", name = ""] = match;
	const kind = KINDS[status] ?? "modified";
	const hasNoLines = old === fresh || (EMPTY.test(old) && EMPTY.test(fresh));
	return {
		path: pathOf(name),
		kind,
		mode: kind === "deleted" ? oldMode : newMode,
		parts: hasNoLines ? [] : null,
	};
}

function pathOf(written: string): string {
	const quoted = /^"(.*)"$/.exec(written)?.[1];
	const name = quoted === undefined ? written.replace(/\t$/, "") : (unquoteC(quoted) ?? quoted);
	return pathText(Buffer.from(name, "latin1"));
}

function readHead(reading: Reading, line: string): void {
	if (line.startsWith("Binary files ") || line.startsWith("GIT binary patch"))
		reading.isText = false;
	const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
	if (hunk !== null) reading.left = { old: Number(hunk[1] ?? "1"), fresh: Number(hunk[2] ?? "1") };
	const named = /^(?:---|\+\+\+) (.*)$/.exec(line)?.[1];
	if (named === undefined || named === "/dev/null") return;
	const path = pathOf(named);
	reading.path = path.slice(path.indexOf("/") + 1);
}

function readLine(reading: Reading, line: string): void {
	const mark = line[0];
	if (mark === "\\") {
		withoutEnd(reading);
		return;
	}
	const text = `${line.slice(1)}\n`;
	if (mark === " " || line === "") {
		if (reading.old.length + reading.fresh.length > 0) close(reading);
		reading.same.push(text);
		reading.left.old -= 1;
		reading.left.fresh -= 1;
		return;
	}
	if (reading.same.length > 0) close(reading);
	const side = mark === "-" ? "old" : "fresh";
	reading[side].push(text);
	reading.left[side] -= 1;
}

function withoutEnd(reading: Reading): void {
	// The mark stands right behind its line, which is the newest of its kind.
	for (const lines of [reading.fresh, reading.old, reading.same]) {
		const last = lines.at(-1);
		if (last === undefined) continue;
		lines[lines.length - 1] = last.replace(/\n$/, "");
		return;
	}
}

function close(reading: Reading): void {
	const { same, old, fresh } = reading;
	if (same.length > 0) reading.parts.push({ same });
	if (old.length + fresh.length > 0) reading.parts.push({ old, fresh });
	reading.same = [];
	reading.old = [];
	reading.fresh = [];
}

function decoded(parts: readonly TextPart[]): TextPart[] | null {
	const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
	const all = (lines: readonly string[]) =>
		lines.map((line) => decoder.decode(Buffer.from(line, "latin1")));
	try {
		return parts.map((part) =>
			"same" in part ? { same: all(part.same) } : { old: all(part.old), fresh: all(part.fresh) },
		);
	} catch {
		return null;
	}
}
