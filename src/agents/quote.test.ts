import { expect, test } from "vitest";
import { lastLine, lastLines, lastWords, quote } from "./quote.ts";

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

const CRASH = "/x/agent.js:1\nthrow new Error('no key');\n^\n\n";
const FRAMES = "    at Object.<anonymous> (/x/agent.js:1:7)\n    at node:internal/main:1:2";

test.each([
	[`${CRASH}Error: no key\n${FRAMES}\n\nNode.js v20.20.2\n`, "Error: no key"],
	[
		`${CRASH}TypeError [ERR_X]: no key\n${FRAMES} {\n  code: 'ERR_X'\n}\n`,
		"TypeError [ERR_X]: no key",
	],
	[
		`Error: no module 'a'\nRequire stack:\n- /x\n${FRAMES} {\n  [cause]: Error: b\n  ${FRAMES}\n}\n\nNode.js v24.11.0\n`,
		"Error: no module 'a'",
	],
	[`ProviderError: no key\n${FRAMES}\n`, "ProviderError: no key"],
	[
		"/x/agent.js:1\nthrow 'x'\n^\nno key\n(Use `node --trace-uncaught ...`)\n\nNode.js v20.20.2",
		"no key",
	],
	["Node.js v20.20.2\n", "Node.js v20.20.2"],
	[`Error: tried again\n${FRAMES}\nno key\n`, "no key"],
	["{\n  a: 1\n}\n", "}"],
	["", ""],
])("of a crash of Node.js the line of the exception is quoted: %j", (text, line) => {
	expect(lastWords(text)).toBe(line);
});

test.each([
	["no key\nset API_KEY\n\n", "no key / set API_KEY"],
	["1\n2\n3\n4", "2 / 3 / 4"],
	[`${"x ".repeat(80)}\ncause\nadvice`, "cause / advice"],
	[`short\n${"long ".repeat(40)}`, "long ".repeat(40).trim()],
	[`before\n${CRASH}Error: no key\n${FRAMES}\n`, "Error: no key"],
	["", ""],
])("the last lines that are short are quoted together", (text, said) => {
	expect(lastLines(text)).toBe(said);
});
