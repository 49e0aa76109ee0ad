import { expect, test } from "vitest";
import { calculate } from "./calculate.ts";

const MAX = 2n ** 63n - 1n;

test("whole numbers divide towards zero and keep to 64 bits", () => {
	expect(calculate("/", 7n, 2n)).toBe(3n);
	expect(calculate("/", -7n, 2n)).toBe(-3n);
	expect(calculate("%", -7n, 2n)).toBe(-1n);
	expect(calculate("+", MAX, 0n)).toBe(MAX);
	expect(calculate("-", -MAX, 1n)).toBe(-MAX - 1n);
});

test.each([
	["+", MAX, 1n],
	["-", -MAX, 2n],
	["*", MAX, 2n],
	["/", -MAX - 1n, -1n],
	["/", 1n, 0n],
	["%", 1n, 0n],
	["/", 1, 0],
	["/", 0, 0],
	["*", 1e308, 10],
	["%", 1, 1],
	["-", "a", "b"],
	["+", "a", 1n],
	["+", 1n, 1],
	["+", 1, undefined],
	["+", undefined, "a"],
] as const)("%s with %s and %s has no result", (operator, left, right) => {
	expect(calculate(operator, left, right)).toBeUndefined();
});

test("decimals are calculated, texts are joined", () => {
	expect(calculate("+", 0.5, 0.25)).toBe(0.75);
	expect(calculate("-", 0.5, 0.25)).toBe(0.25);
	expect(calculate("*", 0.5, 0.5)).toBe(0.25);
	expect(calculate("/", 1, 4)).toBe(0.25);
	expect(calculate("+", "PA", "SS")).toBe("PASS");
});
