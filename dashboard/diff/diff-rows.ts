import type { TaskView } from "../../src/web/protocol.ts";
import { toneOf } from "../../src/words/states.ts";
import { type DiffFile, LineKind, type ParsedDiff } from "./parse-diff.ts";

/** Words about a line of a diff. */
export interface DiffNote {
	readonly id: string;
	/** Stored words of it, such as severity and state. */
	readonly words: readonly string[];
	readonly text: string;
	readonly tone: string;
	readonly file: string | null;
	/** Of the new side, from 1; below 0 of the old one; null: the whole file. */
	readonly line: number | null;
	/** Turn whose work it is about, where that may be another one than what is shown. */
	readonly turn: number | null;
	/** True of what is listed among the findings. */
	readonly isFinding: boolean;
}

type FindingShown = Pick<
	TaskView["findings"][number],
	"id" | "severity" | "state" | "issue" | "file" | "line"
>;

/** @param turn that it was raised in; null where that is the one that is shown */
export function noteOfFinding(
	{ id, severity, state, issue: text, file, line }: FindingShown,
	turn: number | null,
): DiffNote {
	const words = [severity, state];
	return { id, words, text, tone: toneOf(severity), file, line, turn, isFinding: true };
}

/** @param words what it is, such as `failed` */
export function noteBesides(
	id: string,
	text: string,
	words: readonly string[],
	{ file, line }: Pick<DiffNote, "file" | "line">,
): DiffNote {
	const [word = ""] = words;
	return { id, words, text, tone: toneOf(word), file, line, turn: null, isFinding: false };
}

/** @example `"src/a.js:14"`, and of a line that was taken out `"src/a.js:14 (before the change)"` */
export const placeText = (file: string, line: number): string =>
	line < 0 ? `${file}:${-line} (before the change)` : `${file}:${line}`;

/** A row that only makes room for the one above it, which is higher than a line. */
export const ROOM = -1;

/** Content of a row: the line of this index, a note, or room for the row above. */
export type DrawnRow = number | DiffNote;

/** Height of a file's head, in rows. */
const HEAD_ROWS = 2;

/** The line with a number of the new side, or below 0 of the old one; where no hunk has it, the file's head. */
export function lineAt(diff: ParsedDiff, file: DiffFile, number: number | null): number {
	if (number === null) return file.line;
	for (let index = file.line + 1; index < file.end; index += 1) {
		const line = diff.line(index);
		if ((number < 0 ? line.old : line.new) === Math.abs(number)) return index;
	}
	return file.line;
}

export interface PlacedNotes {
	/** By the line that they stand below. */
	readonly at: ReadonlyMap<number, readonly DiffNote[]>;
	/** On files that are not in the diff. */
	readonly elsewhere: readonly DiffNote[];
}

export function placeNotes(diff: ParsedDiff, notes: readonly DiffNote[]): PlacedNotes {
	const at = Map.groupBy(notes, ({ file: path, line }) => {
		const file = diff.files.find((one) => one.path === path);
		return file === undefined ? ROOM : lineAt(diff, file, line);
	});
	return { at, elsewhere: at.get(ROOM) ?? [] };
}

interface RowsOf {
	readonly isOpen: (file: DiffFile) => boolean;
	readonly placed: PlacedNotes;
	/** Height of a note in rows. */
	readonly heightOf: (note: DiffNote) => number;
}

/** The rows of a diff. A file that is folded is its head. */
export function diffRows(diff: ParsedDiff, { isOpen, placed, heightOf }: RowsOf): DrawnRow[] {
	const rows: DrawnRow[] = [];
	const add = (row: DrawnRow, height: number): void => {
		rows.push(row);
		for (let more = 1; more < height; more += 1) rows.push(ROOM);
	};
	const addLine = (line: number, height = 1): void => {
		add(line, height);
		for (const note of placed.at.get(line) ?? []) add(note, heightOf(note));
	};
	for (let line = 0; line < (diff.files[0]?.line ?? diff.count); line += 1) addLine(line);
	for (const file of diff.files) {
		if (!isOpen(file)) {
			add(file.line, HEAD_ROWS);
			continue;
		}
		addLine(file.line, HEAD_ROWS);
		for (let line = file.line + 1; line < file.end; line += 1) {
			if (diff.kind(line) !== LineKind.meta) addLine(line);
		}
	}
	return rows;
}
