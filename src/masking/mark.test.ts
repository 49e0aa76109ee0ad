import { expect, test } from "vitest";
import { betweenMarks, firstMark, markOf } from "./mark.ts";

const upper = (text: string): string => text.toUpperCase();

test("a mark names its rule and four digits of the SHA-256", () => {
	// printf hunter2hunter2 | sha256sum
	expect(markOf("env", "hunter2hunter2")).toBe("[MASKED:env:7688]");
	expect(firstMark(`a ${markOf("env", "x")} b`)).toBe(markOf("env", "x"));
	expect(firstMark("[MASKED:env]")).toBeUndefined();
});

test("what stands between marks is changed, the marks are not", () => {
	expect(betweenMarks("ab[MASKED:env:12ab]cd", upper)).toBe("AB[MASKED:env:12ab]CD");
	expect(betweenMarks("[MASKED:env:12ab]", upper)).toBe("[MASKED:env:12ab]");
	expect(betweenMarks("[masked:no", upper)).toBe("[MASKED:NO");
	expect(betweenMarks("[MASKED:not a mark", upper)).toBe("[MASKED:NOT A MARK");
});

test("what reads like a mark of no rule is text, so that nothing hides in it", () => {
	for (const text of ["[MASKED:hunter2hunter2:0000]", "[MASKED:ENV:12ab]", "[MASKED:env:12AB]"]) {
		expect(firstMark(text)).toBeUndefined();
		expect(betweenMarks(text, () => "x")).toBe("x");
	}
});
