import { expect, test } from "vitest";
import { recogniseRunner } from "./recognise.ts";

const output = (ran: number, verdict: string): string =>
	`${".".repeat(ran)}\n----------------------------------------------------------------------\nRan ${ran} test${ran === 1 ? "" : "s"} in 0.001s\n\n${verdict}\n`;

test.each([
	[output(1, "OK"), { total: 1, passed: 1, failed: 0, skipped: 0 }],
	[output(3, "OK (skipped=1)"), { total: 3, passed: 2, failed: 0, skipped: 1 }],
	[
		output(4, "FAILED (failures=1, errors=1, skipped=1)"),
		{ total: 4, passed: 1, failed: 2, skipped: 1 },
	],
	[output(2, "FAILED (unexpected successes=1)"), { total: 2, passed: 1, failed: 1, skipped: 0 }],
	[
		output(1, "FAILED (errors=1)") + output(2, "OK"),
		{ total: 3, passed: 2, failed: 1, skipped: 0 },
	],
	[output(0, "NO TESTS RAN"), { total: 0, passed: 0, failed: 0, skipped: 0 }],
])("unittest is recognised %#", (text, counts) => {
	expect(recogniseRunner(text)).toMatchObject({ kind: "counts", counts });
});

test("its words in a sentence are not recognised", () => {
	expect(recogniseRunner("Ran 3 tests in 0.001s and then OK\n")).toBeNull();
	expect(recogniseRunner("Ran 3 tests in 0.001s\n\nOKAY\n")).toBeNull();
});
