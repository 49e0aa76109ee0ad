import { type Fields, isFields, parseJsonReport } from "../reports/json-report.ts";
import { isCount, plainText, refuse } from "../reports/parsed-report.ts";
import { type CoverageReport, LineTable } from "./coverage-report.ts";

/** Reads Istanbul's `coverage-summary.json`. It names no lines, so it says nothing about those that changed. */
function parseSummary(root: Fields): CoverageReport {
	const { lines } = isFields(root["total"]) ? root["total"] : {};
	const { total, covered } = isFields(lines) ? lines : {};
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
	const statements = isFields(file) ? file["statementMap"] : undefined;
	const counts = isFields(file) ? file["s"] : undefined;
	if (!isFields(statements) || !isFields(counts)) return `${path} has no statementMap and s`;
	table.open(path);
	for (const [id, statement] of Object.entries(statements)) {
		const start = isFields(statement) ? statement["start"] : undefined;
		const line = isFields(start) ? start["line"] : undefined;
		const hits = Object.hasOwn(counts, id) ? counts[id] : undefined;
		if (!isCount(line)) return `statement ${id} of ${path} has no line`;
		if (!isCount(hits)) return `statement ${id} of ${path} has the count ${JSON.stringify(hits)}`;
		table.add(line, hits > 0);
	}
	return undefined;
}
