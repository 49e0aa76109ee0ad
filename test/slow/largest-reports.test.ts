import { expect, test } from "vitest";
import { parseReport } from "../../src/formats/parse-report.ts";

test("a coverage report of more than three million lines is refused", () => {
	const lines = Array.from({ length: 3_000_001 }, (_, index) => index + 1);
	const files = { a: { executed_lines: lines, missing_lines: [] } };
	const report = parseReport("coverage.py", JSON.stringify({ files }));
	expect(report).toMatchObject({ kind: "invalid" });
	expect(JSON.stringify(report)).toContain("more than 3000000");
});
