import { type Fields, isFields, parseJsonReport } from "../reports/json-report.ts";
import { isCount, plainText, refuse } from "../reports/parsed-report.ts";
import { type CoverageReport, LineTable } from "./coverage-report.ts";

/** Reads the JSON of coverage.py (`coverage json`); excluded lines do not count. */
export function parseCoveragePy(text: string): CoverageReport {
	const root = parseJsonReport(plainText(text));
	const files = isFields(root) ? root["files"] : undefined;
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
	if (!Array.isArray(lines)) return `${key} is not a list`;
	// A list of whatever the report holds: `isArray` alone would leave its items unchecked.
	for (const line of lines as unknown[]) {
		if (!isCount(line)) return `${key} holds ${JSON.stringify(line)}`;
		table.add(line, executed);
	}
	return undefined;
}
