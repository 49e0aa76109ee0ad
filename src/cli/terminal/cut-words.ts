import { stripVTControlCharacters } from "node:util";
import { fits, wrapLine } from "./wrap-line.ts";

const ELLIPSIS = "...";

// Scripts without blanks between words: a line may end behind each character.
const WIDE = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\u3000-\u303f\uff01-\uff60";

// Made with the first line that is cut: so large a class takes a fifth of a millisecond.
let wide: { readonly ends: RegExp; readonly starts: RegExp } | undefined;

function isBetweenWide(line: string, index: number): boolean {
	wide ??= { ends: new RegExp(`[${WIDE}]$`, "u"), starts: new RegExp(`^[${WIDE}]`, "u") };
	return wide.ends.test(line.slice(0, index)) || wide.starts.test(line.slice(index));
}

// Only a first word that is longer than all of it is cut.
export function cutWords(line: string, columns: number): string {
	if (fits(line, columns)) return line;
	const room = columns - ELLIPSIS.length;
	if (room <= 0) return "";
	const [kept = ""] = wrapLine(line, room, { hard: true, wordWrap: false, trim: false }).split(
		"\n",
	);
	let end = kept.length;
	while (end > 0 && line[end] !== " " && !isBetweenWide(line, end)) end -= 1;
	return `${(end > 0 ? kept.slice(0, end) : kept).trimEnd()}${ELLIPSIS}`;
}

const INDENT = "  ";

const LEAST_ROOM = 16;

export function brokenCommand(example: string, columns: number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of example.match(/(?:[^\s"]|"[^"]*")+/g) ?? []) {
		const isLonger = line !== "" && `${line} ${word} \\`.length > columns;
		if (isLonger) lines.push(`${line} \\`);
		line = line === "" ? word : `${isLonger ? " " : line} ${word}`;
	}
	return [...lines, line];
}

// A word that is wider than a line stands alone on one, so that a command can still be copied.
function indented(line: string, columns: number): string {
	if (fits(line, columns)) return line;
	const [blanks = ""] = /^ */.exec(stripVTControlCharacters(line)) ?? [];
	const margin = blanks.length > columns - LEAST_ROOM ? "" : blanks;
	const later = `${margin}${INDENT}`;
	const command = line.slice(blanks.length);
	if (command.startsWith("spar ")) {
		return `${margin}${brokenCommand(command, columns - margin.length).join(`\n${margin}`)}`;
	}
	// The first blanks of a painted line are its margin too: codes of colours have none.
	const wrapped = wrapLine(line.replace(blanks, ""), Math.max(1, columns - later.length));
	return `${margin}${wrapped.replaceAll("\n", `\n${later}`)}`;
}

// A longer word, such as a path, stays whole: it can be copied, and the terminal breaks it.
export function wrapWords(text: string, columns: number): string {
	return text
		.split("\n")
		.map((line) => indented(line, columns))
		.join("\n");
}
