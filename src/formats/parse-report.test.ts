import { expect, test } from "vitest";
import { KINDS_OF_FORMAT } from "../workflow/schema-checks.ts";
import type { ReportFormat } from "../workflow/workflow.ts";
import { parseReport } from "./parse-report.ts";

type Read = Exclude<ReportFormat, "exit">;
// The names that a workflow may write.
const FORMATS = Object.keys(KINDS_OF_FORMAT).filter((name): name is Read => name !== "exit");

test.each(FORMATS)("%s has a reader, and what is no report of it is invalid", (format) => {
	for (const text of ["", "[1,2]", "all 5 tests passed\n", "<a/>", '{"a":1}'])
		expect(parseReport(format, text)).toMatchObject({ kind: "invalid" });
});
