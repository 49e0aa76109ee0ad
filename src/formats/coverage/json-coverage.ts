import { type Fields, fieldAt, fieldsOf, isFields } from "../../kernel/fields.ts";
import { isList, parseJsonReport } from "../reports/json-report.ts";
import { isCount, plainText, refuse } from "../reports/parsed-report.ts";
import { type CoverageReport, LineTable } from "./coverage-report.ts";

/** Reads the JSON of coverage.py (`coverage json`); excluded lines do not count. */
export function parseCoveragePy(text: string): CoverageReport {
	const files = fieldAt(parseJsonReport(plainText(text)), "files");
	if (!isFields(files)) return refuse('it has no object "files"');
	const table = new LineTable();
	for (const [path, file] of Object.entries(files)) {
		if (!isFields(file)) return refuse(`the entry of ${path} is not an object`);
		table.open(path);
		const problem =
			readLines(file, "executed_lines", true, table) ??
			readLines(file, "missing_lines", false, table);
		if (problem !== undefined) return refuse(`${path}: ${problem}`);
	}
	return table.report();
}

function readLines(
	file: Fields,
	key: "executed_lines" | "missing_lines",
	executed: boolean,
	table: LineTable,
): string | undefined {
	const lines = file[key];
	if (!isList(lines)) return `${key} is not a list`;
	for (const line of lines) {
		if (!isCount(line)) return `${key} holds ${JSON.stringify(line)}`;
		table.add(line, executed);
	}
	return undefined;
}

/** Reads Istanbul's `coverage-summary.json`. It names no lines, so it says nothing about those that changed. */
function parseSummary(root: Fields): CoverageReport {
	const { total, covered } = fieldsOf(fieldAt(root, "total", "lines"));
	if (!isCount(total) || !isCount(covered) || covered > total) {
		return refuse("its total has no valid counts of lines");
	}
	const names = Object.keys(root).filter((name) => name !== "total");
	const files = new Map(names.map((name) => [name, new Map<number, boolean>()] as const));
	const share = total === 0 ? null : covered / total;
	return { kind: "coverage", naming: "path", sources: [], files, share };
}

/**
 * Reads Istanbul's `coverage-final.json`. As in its line counts, a line is executable if a statement starts on it, and
 * was executed if one of these was.
 */
export function parseIstanbul(text: string): CoverageReport {
	const root = parseJsonReport(plainText(text));
	if (!isFields(root)) return refuse("not a JSON object");
	if (isFields(root["total"])) return parseSummary(root);
	const table = new LineTable();
	for (const [path, file] of Object.entries(root)) {
		const problem = readFile(path, file, table);
		if (problem !== undefined) return refuse(problem);
	}
	return table.report();
}

function readFile(path: string, file: unknown, table: LineTable): string | undefined {
	const [statements, counts] = [fieldAt(file, "statementMap"), fieldAt(file, "s")];
	if (!isFields(statements) || !isFields(counts)) return `${path} has no statementMap and s`;
	table.open(path);
	for (const [id, statement] of Object.entries(statements)) {
		const line = fieldAt(statement, "start", "line");
		const hits = fieldAt(counts, id);
		if (!isCount(line)) return `statement ${id} of ${path} has no line`;
		if (!isCount(hits)) return `statement ${id} of ${path} has the count ${JSON.stringify(hits)}`;
		table.add(line, hits > 0);
	}
	return undefined;
}
