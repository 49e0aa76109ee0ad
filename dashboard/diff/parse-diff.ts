/** `meta`: a header of git's format, which is not shown; `remark`: any other line that is not of a hunk. */
export const LineKind = {
	context: 0,
	added: 1,
	removed: 2,
	hunk: 3,
	file: 4,
	remark: 5,
	meta: 6,
} as const;
export type LineKind = (typeof LineKind)[keyof typeof LineKind];

export interface DiffFile {
	readonly path: string;
	/** Earlier path of a renamed or copied one; null otherwise. */
	readonly from: string | null;
	readonly status: "changed" | "new" | "deleted" | "renamed" | "copied";
	readonly isBinary: boolean;
	/** Name by which git knows the new content; empty where only the name or the mode changed. */
	readonly content: string;
	/** Index of its first line. */
	readonly line: number;
	/** Index after its last line. */
	readonly end: number;
	readonly added: number;
	readonly removed: number;
}

export interface DiffLine {
	readonly kind: LineKind;
	readonly text: string;
	readonly old: number | null;
	readonly new: number | null;
}

/** A unified diff by line. Only numbers are made of it in advance; the text of a line is cut out when it is shown. */
export interface ParsedDiff {
	readonly count: number;
	readonly files: readonly DiffFile[];
	/** Characters of the longest line, for the width of the box. */
	readonly longest: number;
	readonly line: (index: number) => DiffLine;
	readonly kind: (index: number) => LineKind;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

interface Columns {
	readonly starts: Int32Array;
	readonly kinds: Uint8Array;
	readonly olds: Int32Array;
	readonly news: Int32Array;
}

interface Place {
	old: number;
	new: number;
	oldLeft: number;
	newLeft: number;
}

type FileRead = { -readonly [Key in keyof DiffFile]: DiffFile[Key] };

function lineStarts(text: string): Int32Array {
	const ends: number[] = [0];
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) ends.push(at + 1);
	if (ends.at(-1) !== text.length) ends.push(text.length + 1);
	return Int32Array.from(ends);
}

/** The path of `diff --git a/x b/x`; a name that git quotes stays quoted. */
function pathOf(header: string): string {
	const rest = header.slice("diff --git ".length);
	const quoted = /"b\/((?:[^"\\]|\\.)*)"$/.exec(rest);
	if (quoted?.[1] !== undefined) return quoted[1];
	// Both sides have the same name here, or a rename says so in lines of its own.
	const half = (rest.length - 1) / 2;
	const sides = [rest.slice(0, half), rest.slice(half + 1)] as const;
	if (sides[0].slice(2) === sides[1].slice(2)) return sides[1].slice(2);
	return rest.slice(rest.lastIndexOf(" b/") + 3);
}

function enterHunk(text: string, place: Place): boolean {
	const found = HUNK.exec(text);
	if (found === null) return false;
	place.old = Number(found[1]);
	place.oldLeft = Number(found[2] ?? 1);
	place.new = Number(found[3]);
	place.newLeft = Number(found[4] ?? 1);
	return true;
}

function inHunk(first: string, place: Place): LineKind {
	if (first === "+") {
		place.newLeft -= 1;
		return LineKind.added;
	}
	if (first === "-") {
		place.oldLeft -= 1;
		return LineKind.removed;
	}
	if (first === "\\") return LineKind.remark;
	place.oldLeft -= 1;
	place.newLeft -= 1;
	return LineKind.context;
}

function outsideHunk(text: string, place: Place, isHead: boolean): LineKind {
	if (text.startsWith("diff --git ")) return LineKind.file;
	if (enterHunk(text, place)) return LineKind.hunk;
	return isHead ? LineKind.meta : LineKind.remark;
}

/** @param isHead between the first line of a file and its first hunk */
function kindOf(text: string, place: Place, isHead: boolean): LineKind {
	const first = text[0] ?? " ";
	// A hunk of fewer lines than it says, as of a text that was masked, ends with what is no line of one.
	if (!" +-\\".includes(first)) Object.assign(place, { oldLeft: 0, newLeft: 0 });
	const isInside = place.oldLeft > 0 || place.newLeft > 0 || first === "\\";
	return isInside ? inHunk(first, place) : outsideHunk(text, place, isHead);
}

function number(columns: Columns, index: number, kind: LineKind, place: Place): void {
	if (kind === LineKind.context || kind === LineKind.removed) {
		columns.olds[index] = place.old;
		place.old += 1;
	}
	if (kind === LineKind.context || kind === LineKind.added) {
		columns.news[index] = place.new;
		place.new += 1;
	}
}

function countLine(file: FileRead, kind: LineKind): void {
	if (kind === LineKind.added) file.added += 1;
	if (kind === LineKind.removed) file.removed += 1;
}

const STATUSES: readonly (readonly [header: string, status: DiffFile["status"]])[] = [
	["new file mode ", "new"],
	["deleted file mode ", "deleted"],
	["rename from ", "renamed"],
	["copy from ", "copied"],
];

function tellFile(file: FileRead, text: string): void {
	const told = STATUSES.find(([header]) => text.startsWith(header));
	if (told !== undefined) file.status = told[1];
	if (told?.[0].endsWith(" from ")) file.from = text.slice(told[0].length);
	if (text.startsWith("Binary files ") || text === "GIT binary patch") file.isBinary = true;
	file.content = /^index [0-9a-f]+\.\.([0-9a-f]+)/.exec(text)?.[1] ?? file.content;
}

function newFile(text: string, line: number): FileRead {
	const unknown = { from: null, status: "changed", isBinary: false, content: "" } as const;
	return { path: pathOf(text), ...unknown, line, end: line + 1, added: 0, removed: 0 };
}

/**
 * Reads a unified diff as git prints it. Any text is taken: what is no diff is shown as it is.
 *
 * The counts in a hunk's head say where it ends, so that a removed line that reads `-- a/x` is no file's head.
 */
export function parseDiff(text: string): ParsedDiff {
	const starts = lineStarts(text);
	const count = starts.length - 1;
	const columns: Columns = {
		starts,
		kinds: new Uint8Array(count),
		olds: new Int32Array(count),
		news: new Int32Array(count),
	};
	const files: FileRead[] = [];
	const place: Place = { old: 0, new: 0, oldLeft: 0, newLeft: 0 };
	let longest = 0;
	let isHead = false;
	const lineText = (index: number): string =>
		text.slice(starts[index], (starts[index + 1] ?? text.length + 1) - 1);
	for (let index = 0; index < count; index += 1) {
		longest = Math.max(longest, (starts[index + 1] ?? 0) - (starts[index] ?? 0) - 1);
		const kind = kindOf(lineText(index), place, isHead);
		columns.kinds[index] = kind;
		isHead = kind === LineKind.file || kind === LineKind.meta;
		if (kind === LineKind.file) files.push(newFile(lineText(index), index));
		const file = files.at(-1);
		if (file !== undefined) {
			file.end = index + 1;
			if (kind === LineKind.meta) tellFile(file, lineText(index));
			countLine(file, kind);
		}
		number(columns, index, kind, place);
	}
	// Every stored kind was written from the table above.
	const kind = (index: number): LineKind => (columns.kinds[index] ?? LineKind.meta) as LineKind;
	return {
		count,
		files,
		longest,
		line: (index) => ({
			kind: kind(index),
			text: lineText(index),
			old: columns.olds[index] || null,
			new: columns.news[index] || null,
		}),
		kind,
	};
}
