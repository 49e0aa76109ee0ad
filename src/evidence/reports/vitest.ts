import { parseJestJson } from "./jest.ts";
import { invalid, type ParsedReport, plainText, tooLong } from "./parsed-report.ts";
import { sumSummaries } from "./text-summary.ts";

/** Reads `vitest --reporter=json`, or the text that vitest prints at its end ("Tests  3 passed (3)"). */
export function parseVitest(text: string): ParsedReport {
	const long = tooLong(text);
	if (long !== undefined) return long;
	const plain = plainText(text);
	return sumSummaries("vitest", plain) ?? parseJestJson(plain) ?? invalid("no results of vitest");
}
