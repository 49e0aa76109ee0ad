import { describe, expect, test } from "vitest";
import { cases, evidence } from "../evidence.fixture.ts";
import { judgeReplay } from "./judge-replay.ts";

const counts = (passed: number) => ({
	total: passed,
	passed,
	failed: 0,
	skipped: 0,
	knownFailing: 0,
});

function judge(
	before: Parameters<typeof evidence>[0] | undefined,
	now: Parameters<typeof evidence>[0],
	{ excuse = "", excused = 0 }: { readonly excuse?: string; readonly excused?: number } = {},
) {
	return judgeReplay({
		before: before && evidence(before),
		now: evidence(now),
		isExcused: (id) => id === excuse,
		excused,
	});
}

describe("with named cases", () => {
	test("what passed before has to pass again; what failed before may fail", () => {
		const before = { cases: cases("a+ b-") };
		expect(judge(before, { cases: cases("a+ b-"), status: "fail" })).toMatchObject({
			status: "pass",
		});
		expect(judge(before, { cases: cases("a- b-"), status: "fail" })).toEqual({
			status: "fail",
			reason: "1 of 1 tests of the base do not pass on this product",
			details: ["a"],
		});
	});

	test("a case that did not run or was skipped is missing, not passed", () => {
		const { status, details } = judge({ cases: cases("a+ b+ c+") }, { cases: cases("a+ b~") });
		expect(status).toBe("fail");
		expect(details).toEqual(["b: was skipped", "c: did not run"]);
	});

	test("a failure that the base did not have counts", () => {
		const now = { cases: cases("a+ z-"), status: "fail" as const };
		expect(judge({ cases: cases("a+") }, now)).toMatchObject({ status: "fail", details: ["z"] });
	});

	test("an excused case may be lost, and no other", () => {
		const before = { cases: cases("a+ b+") };
		const excuse = "b";
		expect(judge(before, { cases: cases("a+") }, { excuse })).toMatchObject({ status: "pass" });
		expect(judge(before, { cases: cases("b+") }, { excuse })).toMatchObject({ status: "fail" });
	});

	test("a task that allows every test to go leaves nothing to fail", () => {
		const now = { cases: [], status: "absent" as const, reason: "no tests ran" };
		expect(judge({ cases: cases("b+") }, now, { excuse: "b" })).toMatchObject({ status: "pass" });
		const counted = { status: "absent" as const, reason: "no tests ran", counts: counts(0) };
		expect(judge({ counts: counts(2) }, counted, { excused: 2 })).toMatchObject({ status: "pass" });
		expect(judge({ counts: counts(2) }, counted, { excused: 1 })).toMatchObject({
			status: "absent",
		});
	});

	test("an exit code that no test explains is the check's own matter, such as a threshold of coverage", () => {
		const now = { cases: cases("a+"), status: "fail" as const, reason: "exit code 1" };
		expect(judge({ cases: cases("a+") }, now)).toMatchObject({ status: "pass" });
		const counted = { counts: counts(5), status: "fail" as const, reason: "exit code 1" };
		expect(judge({ counts: counts(5) }, counted)).toMatchObject({ status: "pass" });
		expect(judge({ counts: counts(6) }, counted)).toMatchObject({ status: "fail" });
	});

	test("a run without a value stays without one", () => {
		const now = { cases: null, status: "error" as const, reason: "timed out after 1s" };
		expect(judge({ cases: cases("a+") }, now)).toMatchObject({ status: "error" });
	});
});

describe("without names", () => {
	test("as many tests have to pass as before, less those that the task excuses", () => {
		const before = { counts: counts(5) };
		expect(judge(before, { counts: counts(4) })).toMatchObject({
			status: "fail",
			reason: "1 of 5 tests of the base did not pass again",
		});
		expect(judge(before, { counts: counts(4) }, { excused: 1 })).toMatchObject({ status: "pass" });
	});

	test("by exit code alone the run has to pass", () => {
		expect(judge({}, {})).toMatchObject({ status: "pass" });
		const now = { status: "fail" as const, reason: "exit code 1" };
		expect(judge({}, now)).toMatchObject({ status: "fail", reason: "exit code 1" });
	});
});

test.each([
	undefined,
	{ status: "fail" as const },
	{ status: "absent" as const },
	{ status: "fail" as const, cases: cases("a-") },
])("a base on which nothing passed says nothing: %j", (before) => {
	const { status, details } = judge(before, { status: "fail", cases: cases("a-") });
	expect(status).toBe("pass");
	expect(details).toEqual(["nothing passed on the base, so there is nothing to compare"]);
});
