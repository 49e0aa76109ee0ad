import { expect, test } from "vitest";
import type { Truth } from "./truth.ts";
import { and, not, or } from "./truth.ts";

const ALL: readonly Truth[] = [true, false, undefined];
const triples = ALL.flatMap((a) => ALL.flatMap((b) => ALL.map((c) => [a, b, c] as const)));

test("the tables are Kleene's", () => {
	expect(ALL.map((a) => ALL.map((b) => and(a, b)))).toEqual([
		[true, false, undefined],
		[false, false, false],
		[undefined, false, undefined],
	]);
	expect(ALL.map((a) => ALL.map((b) => or(a, b)))).toEqual([
		[true, true, true],
		[true, false, undefined],
		[true, undefined, undefined],
	]);
	expect(ALL.map(not)).toEqual([false, true, undefined]);
});

test.each(triples)("the laws of logic hold for %s, %s, %s", (a, b, c) => {
	expect(and(a, b)).toBe(and(b, a));
	expect(or(a, b)).toBe(or(b, a));
	expect(and(a, and(b, c))).toBe(and(and(a, b), c));
	expect(or(a, or(b, c))).toBe(or(or(a, b), c));
	expect(and(a, or(b, c))).toBe(or(and(a, b), and(a, c)));
	expect(or(a, and(b, c))).toBe(and(or(a, b), or(a, c)));
	expect(not(and(a, b))).toBe(or(not(a), not(b)));
	expect(not(or(a, b))).toBe(and(not(a), not(b)));
	expect(and(a, or(a, b))).toBe(a);
	expect(or(a, and(a, b))).toBe(a);
	expect(not(not(a))).toBe(a);
	expect([and(a, true), or(a, false), and(a, a), or(a, a)]).toEqual([a, a, a, a]);
});

test("what is excluded in two values is unknown in three", () => {
	expect(or(undefined, not(undefined))).toBeUndefined();
	expect(and(undefined, not(undefined))).toBeUndefined();
});
