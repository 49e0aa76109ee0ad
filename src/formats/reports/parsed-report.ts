import { stripVTControlCharacters } from "node:util";
import type { TestCase, TestCounts } from "../../evidence/evidence.ts";

/** The counts of a report. `total` is the sum of the other three. */
export type ReportCounts = Omit<TestCounts, "knownFailing">;

/** A report that is not valid. The evidence is `error` or, with failures, `fail`; never a pass. */
export interface InvalidReport {
	readonly kind: "invalid";
	readonly reason: string;
	/** Names of failures that could be recognised anyway. */
	readonly failed?: readonly string[];
}

/**
 * The content of a test report. `hint` says how to make a runner print names.
 */
export type ParsedReport =
	| {
			readonly kind: "cases";
			readonly cases: readonly TestCase[];
			/** Tries that failed of cases that passed in the end, see `casesOf`. Left out: none. */
			readonly retried?: readonly TestCase[];
	  }
	| { readonly kind: "counts"; readonly counts: ReportCounts; readonly hint?: string }
	| InvalidReport;

/** Maximum size of a report, in characters; of a file, in bytes. */
export const MAX_REPORT_SIZE: number = 64 * 1024 * 1024;

const MAX_COUNT = 10_000_000;

// More than is stored, so that no secret is cut before masking. In characters.
const MAX_TEXT = 10_000;

// A reason may quote a hostile report.
const MAX_REASON = 300;

/** An invalid report. The reason is cut after 300 characters. */
export function refuse(reason: string, failed: readonly string[] = []): InvalidReport {
	const report = { kind: "invalid", reason: reason.slice(0, MAX_REASON) } as const;
	return failed.length === 0 ? report : { ...report, failed };
}

export function isCount(value: unknown): value is number {
	return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** The text without terminal control sequences and byte order mark, with `\n` as line ends. */
export function plainText(text: string): string {
	const lines = text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
	const bare = lines.includes("\u001B") || lines.includes("\u009B") ? stripEscapes(lines) : lines;
	return bare.startsWith("\uFEFF") ? bare.slice(1) : bare;
}

// The general pattern is slow on hostile input, so it gets single lines, and no very long ones.
function stripEscapes(text: string): string {
	return text
		.split("\n")
		.map((line) => (line.length > 20_000 ? line : stripVTControlCharacters(line)))
		.join("\n");
}

export function countsReport(counts: Omit<ReportCounts, "total">): ParsedReport {
	const { passed, failed, skipped } = counts;
	const total = passed + failed + skipped;
	for (const [name, count] of Object.entries({ passed, failed, skipped, total })) {
		if (!Number.isSafeInteger(count) || count < 0 || count > MAX_COUNT) {
			return refuse(`the count "${name}" is ${count}, not from 0 to ${MAX_COUNT}`);
		}
	}
	return { kind: "counts", counts: { total, passed, failed, skipped } };
}

/** Counts the cases of a report by status. */
export function countsOf(cases: readonly TestCase[]): ReportCounts {
	const counts = { total: cases.length, passed: 0, failed: 0, skipped: 0 };
	for (const { status } of cases) counts[status] += 1;
	return counts;
}

/** The counts of a report that has some. */
export function countsIn(report: ParsedReport): ReportCounts | null {
	if (report.kind === "cases") return countsOf(report.cases);
	return report.kind === "counts" ? report.counts : null;
}

const WORST_FIRST: readonly TestCase["status"][] = ["failed", "skipped", "passed"];

/**
 * Cases with one name are a multiset: the second gets the id `... #2`, and so on, those that failed first, so that the
 * order in which they ran changes nothing.
 */
export class CaseList {
	readonly #found: TestCase[] = [];
	readonly #retried: TestCase[] = [];
	#tries: Map<string, number> | undefined;

	/** Begins a group in which a case that is listed again after it failed is its next try. */
	startTries(): void {
		this.#tries = new Map();
	}

	add(path: readonly string[], status: TestCase["status"], message?: string): void {
		const parts = path.map(oneLine).filter((part) => part !== "");
		const base = (parts.length === 0 ? "(no name)" : parts.join(" > ")).slice(0, MAX_TEXT);
		const text = message?.trim().slice(0, MAX_TEXT) ?? "";
		const found =
			status === "failed" && text !== ""
				? { id: base, status, message: text }
				: { id: base, status };
		const before = status === "skipped" ? undefined : this.#tries?.get(base);
		const isNextTry = before !== undefined && this.#found[before]?.status === "failed";
		if (isNextTry) {
			if (status === "passed") this.#retried.push(this.#found[before] ?? found);
			this.#found[before] = found;
		} else {
			this.#tries?.set(base, this.#found.length);
			this.#found.push(found);
		}
	}

	report(): ParsedReport {
		if (this.#found.length > MAX_COUNT)
			return refuse(`the report has more than ${MAX_COUNT} cases`);
		const groups = Map.groupBy(this.#found, ({ id }) => id);
		for (const group of groups.values())
			group.sort((a, b) => WORST_FIRST.indexOf(b.status) - WORST_FIRST.indexOf(a.status));
		const seen = new Map<string, number>();
		const cases = this.#found.map((one) => {
			const next = groups.get(one.id)?.pop() ?? one;
			return { ...next, id: uniqueId(one.id, seen) };
		});
		const retried = this.#retried;
		return { kind: "cases", cases, ...(retried.length > 0 ? { retried } : {}) };
	}

	/** The report, where it has cases, and as many of each status as were counted. */
	agreeing(counted: ReportCounts): ParsedReport | undefined {
		const { total, passed, failed, skipped } = countsOf(this.#found);
		const agrees =
			passed === counted.passed && failed === counted.failed && skipped === counted.skipped;
		return agrees && total > 0 ? this.report() : undefined;
	}
}

/**
 * The cases of a run that ended with this exit code. A runner that tried a case again until it passed ends with 0; with another
 * code those that failed may be other cases of the same name, and stay.
 */
export function casesOf(
	{ cases, retried = [] }: Extract<ParsedReport, { readonly kind: "cases" }>,
	exitCode: number | null,
): readonly TestCase[] {
	if (exitCode === 0 || retried.length === 0) return cases;
	const failed = new Map(retried.map((each) => [each.id, each]));
	return cases.map((each) => (each.status === "passed" ? (failed.get(each.id) ?? each) : each));
}

function uniqueId(base: string, seen: Map<string, number>): string {
	let count = (seen.get(base) ?? 0) + 1;
	// A case may itself be named "x #2".
	while (count > 1 && seen.has(`${base} #${count}`)) count += 1;
	const id = count === 1 ? base : `${base} #${count}`;
	seen.set(base, count);
	if (id !== base) seen.set(id, 1);
	return id;
}

function oneLine(text: string): string {
	return text.replaceAll(/\s+/g, " ").trim();
}
