import { expect, test } from "vitest";
import { lastLine, quote } from "./quote.ts";

test("foreign text becomes one line without control characters", () => {
	expect(quote("a\n\u001b[31mb\t c\r\n")).toBe("a [31mb c");
	expect(quote(" \n")).toBe("");
});

test("of a long text at most the first 300 characters are quoted, and no torn word", () => {
	expect(quote(`begin ${"x".repeat(50_000_000)}`)).toBe("begin ...");
	expect(quote("word ".repeat(100))).toBe(`${"word ".repeat(60)}...`);
	expect(quote("x".repeat(400))).toBe("[a word of 400 characters]");
});

test("the last line with text is quoted, without escape sequences", () => {
	expect(lastLine("a\n\u001b[31mno key\u001b[0m\n\n \t\n")).toBe("[31mno key [0m");
	expect(lastLine("only")).toBe("only");
	expect(lastLine(" \n\n")).toBe("");
});

test("a long line is cut to 300 characters between words, and a flood is not searched", () => {
	expect(lastLine("x".repeat(50_000_000))).toBe("");
	expect(lastLine(`torn${" whole".repeat(5_000)}`)).toBe(`${"whole ".repeat(50)}...`);
	expect(lastLine(`a\n${"x".repeat(400)}`)).toBe("[a word of 400 characters]");
});
