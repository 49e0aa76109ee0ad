import { expect, test } from "vitest";
import { reportIn } from "./final-report.ts";

test("the last JSON object of a message is its report, with or without talk around it", () => {
	expect(reportIn('Done.\n{"decision": "approve"}')).toBe('{"decision": "approve"}');
	expect(reportIn('```json\n{"a": 1}\n```\nThat is all.')).toBe('{"a": 1}');
	expect(reportIn('First {"a": 1}, then {"b": {"c": 2}}.')).toBe('{"b": {"c": 2}}');
});

test("a message without an object is handed in as it is, an empty one not at all", () => {
	expect(reportIn(" I approve. \n")).toBe("I approve.");
	expect(reportIn(" \n\t")).toBeNull();
});
