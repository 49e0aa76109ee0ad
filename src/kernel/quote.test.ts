import { expect, test } from "vitest";
import { plain, quote } from "./quote.ts";

test("quoted text of the user is one line, cut, and moves no terminal", () => {
	expect(quote("a\nb\u001b[2J\u009b\u202e")).toBe('"a\\nb\\u001b[2J\\u009b\\u202e"');
	expect(quote("x".repeat(81))).toBe(`"${"x".repeat(80)}..."`);
	expect(plain('say "hi"\nsecond line')).toBe('say "hi"');
});
