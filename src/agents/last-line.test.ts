import { expect, test } from "vitest";
import { lastLine } from "./last-line.ts";

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
