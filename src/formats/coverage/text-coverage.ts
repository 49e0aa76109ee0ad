import { plainText, refuse } from "../reports/parsed-report.ts";
import { type CoverageReport, LineTable } from "./coverage-report.ts";

const DATA = /^DA:(\d{1,15}),(\d+)(?:,|$)/;

const OTHER = /^(?:[A-Z]{2,5}:|#|$)/;

/**
 * Reads an lcov tracefile (geninfo(1)). The sums of a record (`LF`, `LH`) are ignored. Text between records is
 * skipped, since a script runner may print there. A record without an end makes the report invalid: it was truncated.
 */
export function parseLcov(text: string): CoverageReport {
	const table = new LineTable();
	let isOpen = false;
	for (const [index, written] of plainText(text).split("\n").entries()) {
		const line = written.trimEnd();
		const number = index + 1;
		if (line.startsWith("SF:")) {
			if (isOpen) return refuse(`line ${number} begins a record inside another`);
			table.open(line.slice(3));
			isOpen = true;
		} else if (line === "end_of_record") {
			isOpen = false;
		} else if (isOpen && !readLine(line, table)) {
			return refuse(`line ${number} is not valid lcov: ${line.slice(0, 80)}`);
		}
	}
	return isOpen ? refuse("it ends inside a record") : table.report();
}

/** @returns false when the line is not valid in a record */
function readLine(line: string, table: LineTable): boolean {
	if (!line.startsWith("DA:")) return OTHER.test(line);
	const [, at = "", hits = ""] = DATA.exec(line) ?? [];
	if (at === "") return false;
	table.add(Number(at), /[1-9]/.test(hits));
	return true;
}

const BLOCK = /^(.+):(\d{1,9})\.\d{1,9},(\d{1,9})\.\d{1,9} (\d{1,15}) (\d+)$/;

// Blocks overlap, and hostile ones span millions.
const MAX_SPANNED = 20_000_000;

/**
 * Reads a Go cover profile (golang.org/x/tools/cover, `ParseProfiles`). Every line of a block with statements is
 * executable, including comments, and was executed if one of its blocks was.
 */
export function parseGoCover(text: string): CoverageReport {
	const lines = plainText(text).split("\n");
	if (lines.at(-1) === "") lines.pop();
	const [mode, ...blocks] = lines;
	if (mode === undefined || !/^mode: (?:set|count|atomic)$/.test(mode)) {
		return refuse("its first line is not a mode of go cover");
	}
	const table = new LineTable();
	let spanned = 0;
	for (const [index, text] of blocks.entries()) {
		const [, file, from, to, statements, count = ""] = BLOCK.exec(text) ?? [];
		const [first, last] = [Number(from), Number(to)];
		// For a line that is not a block, `first` and `last` are NaN and `file` is undefined.
		if (file === undefined || first > last) {
			return refuse(`line ${index + 2} is not a block of go cover: ${text.slice(0, 80)}`);
		}
		table.open(file);
		if (Number(statements) === 0) continue;
		spanned += last - first + 1;
		if (spanned > MAX_SPANNED) return refuse(`its blocks span more than ${MAX_SPANNED} lines`);
		const executed = /[1-9]/.test(count);
		for (let line = first; line <= last; line += 1) table.add(line, executed);
	}
	return table.report("module");
}

/** The module's import path that a `go.mod` declares; undefined when it declares none. */
export function goModuleName(text: string): string | undefined {
	return /^\s*module[ \t]+"?([^\s"]+)"?/m.exec(text)?.[1];
}
