import { ctrfOf } from "./ctrf.ts";
import { htmlOf } from "./html.ts";
import { junitOf } from "./junit.ts";
import { markdownOf } from "./markdown.ts";
import type { RunResult } from "./run-result.ts";
import { sarifOf } from "./sarif.ts";

/** The formats of a report by name. Adding one is an entry and a file. */
export const REPORT_FORMATS: Readonly<Record<string, (result: RunResult) => string>> = {
	markdown: (result) => markdownOf(result),
	junit: junitOf,
	sarif: sarifOf,
	ctrf: ctrfOf,
	html: htmlOf,
};
