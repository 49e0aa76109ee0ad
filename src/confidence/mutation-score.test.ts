import { expect, test } from "vitest";
import { mutationScore } from "./mutation-score.ts";

const counted = { kind: "counted", detected: 0, undetected: 0, pending: 0, outside: 0 } as const;

test("of the mutants on changed lines the share that the tests noticed", () => {
	expect(mutationScore({ ...counted, detected: 3, undetected: 1 })).toEqual({
		score: 0.75,
		reason: "3 of 4 mutants of the changed lines were noticed by the tests",
	});
});

test("vacuous tests kill 3 of 20: 0.15", () => {
	expect(mutationScore({ ...counted, detected: 3, undetected: 17 }).score).toBe(0.15);
});

test("no mutant on a changed line is no value, and so is one that was not tried", () => {
	expect(mutationScore(counted)).toEqual({
		score: null,
		reason: "no mutant lies on a changed line",
	});
	expect(mutationScore({ ...counted, detected: 3, pending: 1 })).toEqual({
		score: null,
		reason: "1 mutants of the changed lines were not tested",
	});
});

test("files outside of the checkout are named", () => {
	const ignored = "; 1 files outside the checkout were ignored";
	expect(mutationScore({ ...counted, outside: 1 }).reason).toContain(ignored);
	expect(mutationScore({ ...counted, detected: 1, outside: 1 })).toEqual({
		score: 1,
		reason: `1 of 1 mutants of the changed lines were noticed by the tests${ignored}`,
	});
});

test("without a report the reason is kept", () => {
	expect(mutationScore({ kind: "absent", reason: "older than the run" })).toEqual({
		score: null,
		reason: "older than the run",
	});
});

test.each([Number.NaN, -1, 0.5])("%d mutants are no value", (detected) => {
	expect(mutationScore({ ...counted, detected, undetected: 2 }).score).toBeNull();
});
