import { type InvalidReport, MAX_REPORT_SIZE } from "./reports/parsed-report.ts";

/** Characters of a reason: it may quote a hostile report. */
const MAX_REASON = 300;

/** An invalid report with what failed in it all the same; the reason is cut after 300 characters. */
export function refuse(reason: string, failed: readonly string[] = []): InvalidReport {
	const report = { kind: "invalid", reason: reason.slice(0, MAX_REASON) } as const;
	return failed.length === 0 ? report : { ...report, failed };
}

/**
 * Reads a text that is not trusted: refuses one of more than 64 Mi characters, and turns what a
 * parser throws, such as an exhausted stack, into a reason.
 *
 * @param name of the format, for the reason
 */
export function readGuarded<T>(
	name: string,
	text: string,
	read: (text: string) => T,
): T | InvalidReport {
	if (text.length > MAX_REPORT_SIZE) {
		return refuse(`the report is longer than ${MAX_REPORT_SIZE / 1024 / 1024} MiB`);
	}
	try {
		return read(text);
	} catch (error) {
		return refuse(`the ${name} report cannot be read: ${String(error)}`);
	}
}

/** Whether the value is a whole number from 0 to 2^53 - 1: what a count or a line can be. */
export function isCount(value: unknown): value is number {
	return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
