import { expect, test } from "vitest";
import { quote } from "./quote.ts";

test("foreign text becomes one line without control characters", () => {
	expect(quote("a\n\u001b[31mb\t c\r\n")).toBe("a [31mb c");
	expect(quote(" \n")).toBe("");
});

test("of a long text at most the first 300 characters are quoted, and no torn word", () => {
	expect(quote(`begin ${"x".repeat(50_000_000)}`)).toBe("begin ...");
	expect(quote("word ".repeat(100))).toBe(`${"word ".repeat(60)}...`);
	expect(quote("x".repeat(400))).toBe("[a word of 400 characters]");
});
