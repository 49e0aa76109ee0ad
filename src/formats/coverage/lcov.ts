import { plainText, refuse } from "../reports/parsed-report.ts";
import { type CoverageReport, LineTable } from "./coverage-report.ts";

const DATA = /^DA:(\d{1,15}),(\d+)(?:,|$)/;

const OTHER = /^(?:[A-Z]{2,5}:|#|$)/;

/**
 * Reads an lcov tracefile (geninfo(1)). The sums of a record (`LF`, `LH`) are ignored. Text between records is
 * skipped, since a script runner may print there. A record without an end makes the report invalid: it was truncated.
 */
export function parseLcov(text: string): CoverageReport {
	const plain = plainText(text);
	const table = new LineTable();
	let isOpen = false;
	let number = 0;
	for (const line of linesOf(plain)) {
		number += 1;
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

function* linesOf(text: string): Generator<string> {
	let start = 0;
	while (start < text.length) {
		const end = text.indexOf("\n", start);
		const stop = end === -1 ? text.length : end;
		yield text.slice(start, stop).trimEnd();
		start = stop + 1;
	}
}
