import { describe, expect, test } from "vitest";
import { cases, evidence } from "../../evidence/evidence.fixture.ts";
import { hear, isDisarmed, type PlantedFile } from "./hear.ts";

const file = (path: string, ...names: string[]): PlantedFile => {
	return { path, names, isOwn: (id) => id.startsWith(path) };
};
const planted = [file("a", "c1", "c12"), file("b", "c2")];
const red = { status: "fail", exitCode: 1, reason: "3 of 5 tests failed" } as const;
const counts = (passed: number, failed: number) => {
	return { total: passed + failed, passed, failed, skipped: 0, knownFailing: 0 };
};

describe("with names", () => {
	test("when every canary fails, the rest is what the run says of the tests", () => {
		const run = evidence({ ...red, cases: cases("a.x+ c1- c12- b.y+ c2-") });
		const heard = hear(run, planted, 2);
		expect(heard).toMatchObject({ kind: "failed", evidence: { status: "pass", reason: null } });
		expect(heard.kind === "failed" && heard.evidence?.cases).toEqual(cases("a.x+ b.y+"));
	});

	test("a failing test beside them stays", () => {
		const run = evidence({ ...red, cases: cases("a.x- c1- c12-") });
		expect(hear(run, planted, 2)).toMatchObject({ kind: "failed", evidence: { status: "fail" } });
	});

	test.each(["a.x+ c1+ c12-", "a.x+ c12-", "a.x+ b.y+", "a.x+ c1~ c12-"])(
		"%s: one is quiet",
		(text) => {
			expect(hear(evidence({ ...red, cases: cases(text) }), planted, 2).kind).toBe("quiet");
		},
	);

	test("a file that the check does not run has no canaries to hear", () => {
		const run = evidence({ ...red, cases: cases("b.y+ c2-") });
		expect(hear(run, planted, 1).kind).toBe("failed");
	});

	test("an exit code of 0 beside failing canaries is quiet", () => {
		const run = evidence({ ...red, exitCode: 0, cases: cases("a.x+ c1- c12-") });
		expect(hear(run, planted, 1).kind).toBe("quiet");
	});
});

describe("without names", () => {
	test("as many tests fail as were added, and all others pass", () => {
		expect(hear(evidence({ ...red, counts: counts(2, 3) }), planted, 2)).toMatchObject({
			kind: "failed",
			evidence: { status: "pass", counts: counts(2, 0) },
		});
		expect(hear(evidence({ ...red, counts: counts(2, 2) }), planted, 2).kind).toBe("quiet");
		expect(hear(evidence({ ...red, counts: counts(1, 3) }), planted, 2).kind).toBe("quiet");
	});

	test("by the exit code alone the other tests cannot be told apart", () => {
		expect(hear(evidence(red), planted, 2)).toEqual({ kind: "failed", evidence: null });
		expect(hear(evidence(), planted, 2).kind).toBe("quiet");
	});
});

test("a run without a value is quiet", () => {
	expect(hear(evidence({ status: "error", reason: "timed out" }), planted, 1).kind).toBe("quiet");
});

test("a product disarms its tests when a canary fails on the base only", () => {
	const named = (text: string) => evidence({ ...red, cases: cases(text) });
	expect(isDisarmed(named("c1- c12- c2-"), named("c1+ c12- c2-"), planted, evidence())).toBe(true);
	expect(isDisarmed(named("c1- c12-"), named("x+"), planted, evidence())).toBe(true);
	expect(isDisarmed(named("c1+ c12-"), named("c12-"), planted, evidence())).toBe(false);
	const counted = (failed: number) => evidence({ ...red, counts: counts(2, failed) });
	expect(isDisarmed(counted(3), counted(2), planted, evidence())).toBe(true);
	expect(isDisarmed(counted(2), counted(2), planted, evidence())).toBe(false);
	expect(isDisarmed(evidence(red), evidence(), planted, evidence())).toBe(true);
	expect(isDisarmed(evidence(), evidence(), planted, evidence())).toBe(false);
	expect(isDisarmed(named("c1-"), evidence(), planted, evidence())).toBe(true);
});
