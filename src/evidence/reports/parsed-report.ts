import { stripVTControlCharacters } from "node:util";
import type { TestCase } from "../evidence.ts";

/** Counts as a report states them; `total` is the sum of the other three. */
export interface ReportCounts {
	readonly total: number;
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
}

/** A report that cannot be believed: evidence `error` with this reason, or `fail`; never a pass. */
export interface InvalidReport {
	readonly kind: "invalid";
	readonly reason: string;
	/** Names of what failed all the same: a failure that can be recognised counts, whatever is wrong around it. */
	readonly failed?: readonly string[];
}

/**
 * What a test report says; `invalid` when it cannot be believed, with the reason. `hint` says how to
 * get results from a runner whose output shows none.
 */
export type ParsedReport =
	| { readonly kind: "cases"; readonly cases: readonly TestCase[] }
	| { readonly kind: "counts"; readonly counts: ReportCounts; readonly hint?: string }
	| InvalidReport;

/** A report that is longer is not read. In characters; for a file, in bytes. */
export const MAX_REPORT_SIZE: number = 64 * 1024 * 1024;

/** No test suite has more cases; a higher count is a defect of the report. */
const MAX_COUNT = 10_000_000;

/** Characters kept of a message or id here: more than is stored, so that no secret is cut before it is masked. */
const MAX_TEXT = 10_000;

export function invalid(reason: string): ParsedReport {
	return { kind: "invalid", reason };
}

/** The invalid report of a text that is too long, or undefined when its length is fine. */
export function tooLong(text: string): ParsedReport | undefined {
	return text.length > MAX_REPORT_SIZE
		? invalid(`the report is longer than ${MAX_REPORT_SIZE / 1024 / 1024} MiB`)
		: undefined;
}

/** Text without terminal control sequences, line ends as `\n`, and no byte order mark. */
export function plainText(text: string): string {
	const lines = text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
	const bare = lines.includes("\u001B") || lines.includes("\u009B") ? stripEscapes(lines) : lines;
	return bare.startsWith("\uFEFF") ? bare.slice(1) : bare;
}

// The general pattern is slow on hostile input, so it sees one line at a time, and no very long one.
function stripEscapes(text: string): string {
	return text
		.split("\n")
		.map((line) => (line.length > 20_000 ? line : stripVTControlCharacters(line)))
		.join("\n");
}

/** A report of counts, or `invalid` when one is negative, no whole number, or above 10,000,000. */
export function countsReport(counts: Omit<ReportCounts, "total">): ParsedReport {
	const { passed, failed, skipped } = counts;
	const total = passed + failed + skipped;
	for (const [name, count] of Object.entries({ passed, failed, skipped, total })) {
		if (!Number.isSafeInteger(count) || count < 0 || count > MAX_COUNT) {
			return invalid(`the count "${name}" is ${count}; 0 to ${MAX_COUNT} is possible`);
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

/** Collects cases in order; the second case of the same id gets the id `... #2`, and so on. */
export class CaseList {
	readonly cases: TestCase[] = [];
	readonly #seen = new Map<string, number>();

	add(path: readonly string[], status: TestCase["status"], message?: string): void {
		const parts = path.map(oneLine).filter((part) => part !== "");
		const base = (parts.length === 0 ? "(no name)" : parts.join(" > ")).slice(0, MAX_TEXT);
		const id = this.#unique(base);
		const text = message?.trim().slice(0, MAX_TEXT) ?? "";
		this.cases.push(
			status === "failed" && text !== "" ? { id, status, message: text } : { id, status },
		);
	}

	report(): ParsedReport {
		return this.cases.length > MAX_COUNT
			? invalid(`the report has more than ${MAX_COUNT} cases`)
			: { kind: "cases", cases: this.cases };
	}

	#unique(base: string): string {
		let count = (this.#seen.get(base) ?? 0) + 1;
		// A case may itself be called "x #2".
		while (count > 1 && this.#seen.has(`${base} #${count}`)) count += 1;
		const id = count === 1 ? base : `${base} #${count}`;
		this.#seen.set(base, count);
		if (id !== base) this.#seen.set(id, 1);
		return id;
	}
}

function oneLine(text: string): string {
	return text.replaceAll(/\s+/g, " ").trim();
}
