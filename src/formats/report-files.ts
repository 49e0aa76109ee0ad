import { glob } from "node:fs/promises";
import path from "node:path";
import { parseReport, type TestFormat } from "./parse-report.ts";
import { clearReport, openPlain, type ReportFile, readReport } from "./report-file.ts";
import { CaseList, MAX_REPORT_SIZE, type ParsedReport, refuse } from "./reports/parsed-report.ts";

const MOST_FILES = 10_000;

/** Tells whether a report's path stands for several files. */
export const isGlob = (file: string): boolean => /[*?{]/.test(file);

async function filesOf(checkout: string, pattern: string): Promise<readonly string[]> {
	const found: string[] = [];
	const exclude = (name: string): boolean => /(?:^|\/)(?:node_modules|\.git)$/.test(name);
	for await (const file of glob(pattern, { cwd: checkout, exclude })) {
		found.push(file.split(path.sep).join("/"));
		if (found.length > MOST_FILES) break;
	}
	return found.sort();
}

const REPORT = /<(?:testsuites?|TestRun)[\s>/]/;

async function isReport(file: string): Promise<boolean> {
	try {
		await using handle = await openPlain(file);
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(4_096), 0, 4_096, 0);
		return REPORT.test(buffer.toString("latin1", 0, bytesRead).replaceAll("\0", ""));
	} catch {
		return false;
	}
}

function isOther(text: string): boolean {
	const [, root] = /^\s*(?:<[?!][^>]*>\s*)*<([\w.:-]+)/.exec(text) ?? [];
	return root !== undefined && !REPORT.test(text) && text.trimEnd().endsWith(`</${root}>`);
}

/**
 * Deletes the old reports at a path or glob. Of the files of a glob only those that are reports: it may match others, such
 * as a `pom.xml`.
 *
 * @returns why the path cannot be used; undefined when it can
 */
export async function clearReports(checkout: string, file: string): Promise<string | undefined> {
	if (!isGlob(file)) return clearReport(checkout, file);
	for (const each of await filesOf(checkout, file)) {
		if (!(await isReport(path.join(checkout, each)))) continue;
		const problem = await clearReport(checkout, each);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

/**
 * Reads the files of a glob that a check wrote, as one report. Each must be valid. Older files that are no reports, and
 * XML of another kind, do not count.
 *
 * @param since start of the check, in milliseconds since the epoch
 */
export async function readReports(
	checkout: string,
	{ format, pattern }: { readonly format: TestFormat; readonly pattern: string },
	since: number,
): Promise<ParsedReport | Exclude<ReportFile, { kind: "text" }>> {
	const files = await filesOf(checkout, pattern);
	if (files.length > MOST_FILES) return refuse(`more than ${MOST_FILES} files match ${pattern}`);
	const texts: [file: string, text: string][] = [];
	let size = 0;
	for (const file of files) {
		const found = await readReport(checkout, file, since);
		if (found.kind === "missing" && !(await isReport(path.join(checkout, file)))) continue;
		if (found.kind !== "text") return found;
		if (isOther(found.text)) continue;
		texts.push([file, found.text]);
		size += found.text.length;
		if (size > MAX_REPORT_SIZE) return refuse(`the reports at ${pattern} are too long together`);
	}
	if (texts.length > 0) return summed(format, texts);
	return { kind: "missing", reason: `the check wrote no report at ${pattern}` };
}

function summed(format: TestFormat, texts: readonly (readonly [string, string])[]): ParsedReport {
	const reports = texts.map(([file, text]) => ({ file, ...parseReport(format, text) }));
	const list = new CaseList();
	const found = reports.filter((report) => report.kind === "cases");
	const cases = found.flatMap((report) => report.cases);
	for (const { id, status, message } of cases) list.add([id], status, message);
	const invalid = reports.filter((report) => report.kind === "invalid");
	const [broken] = invalid;
	if (broken !== undefined) {
		const named = invalid.flatMap((report) => report.failed ?? []);
		const failed = cases.filter(({ status }) => status === "failed").map(({ id }) => id);
		return refuse(`${broken.file}: ${broken.reason}`, [...named, ...failed].slice(0, 100));
	}
	const whole = list.report();
	const retried = found.flatMap((report) => report.retried ?? []);
	return retried.length > 0 && whole.kind === "cases" ? { ...whole, retried } : whole;
}
