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

test("TAP without a version is recognised with its plan at the end, too; two streams are not one", () => {
	const stream = "cc -o t t.c\nok 1 - adds\nnot ok 2 - adds more\n1..2\nmake: *** [test] Error 1\n";
	expect(recogniseRunner(stream)).toMatchObject({
		kind: "cases",
		cases: [
			{ id: "adds", status: "passed" },
			{ id: "adds more", status: "failed" },
		],
	});
	expect(recogniseRunner("1..2\nok 1\nok 2\n")).toMatchObject({ kind: "cases" });
	expect(recogniseRunner("ok 1 - adds\nok 2 - adds more\n")).toBeNull();
	expect(recogniseRunner("ok 1 - a\n1..1\nok 1 - b\n1..1\n")).toBeNull();
	expect(recogniseRunner("ok 1 - a\n1..1\nnot ok 1 - b\n1..1\n")).toMatchObject({
		kind: "invalid",
	});
});

test("20,000 test points with plans, none of which begins a stream, are read at once", () => {
	const points = "ok 1\n1..1\n".repeat(20_000);
	expect(recogniseRunner(points)).toBeNull();
	expect(recogniseRunner(`${points}not ok 1\n1..1\n`)).toMatchObject({ kind: "invalid" });
});
