import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { colouring, languageOf, tokensOf } from "./colours.ts";
import { parseDiff } from "./parse-diff.ts";

test("a file has its language by its ending, and markup in code stays text", () => {
	for (const ending of "ts tsx mjs py go rs java kt rb php h cs css sh sql json yml toml html svg md".split(
		" ",
	)) {
		const language = languageOf(`src/a.test.${ending}`);
		if (language === null) throw new Error(`${ending} has no language`);
		const text = "<b>x</b> & 'y'\n2";
		const lines = tokensOf(text, language);
		expect(lines.map((tokens) => tokens.map((token) => token.text).join("")).join("\n")).toBe(text);
	}
	expect(languageOf("src/Makefile")).toBe("makefile");
	expect([languageOf("LICENSE"), languageOf("constructor"), languageOf("a.xyz")]).toEqual([
		null,
		null,
		null,
	]);
});

test("a piece of code is what it is", () => {
	expect(tokensOf("const a = 1;", "typescript")[0]).toEqual([
		{ text: "const", kind: "keyword" },
		{ text: " a = ", kind: "" },
		{ text: "1", kind: "number" },
		{ text: ";", kind: "" },
	]);
});

const diff = parseDiff(
	[
		"diff --git a/a.js b/a.js",
		"@@ -1,3 +1,4 @@",
		" /* one",
		"-   two */",
		"+   zwei",
		"+   drei */",
		" const a = 1;",
		"",
	].join("\n"),
);

test("a comment over several lines is one on each side, as the side has it", () => {
	const colour = colouring(diff);
	const kinds = [2, 3, 4, 5, 6].map((line) => colour(line, "a.js")?.[0]?.kind);
	expect(kinds).toEqual(["comment", "comment", "comment", "comment", "keyword"]);
	expect(colour(1, "a.js")).toBeUndefined();
});

test("a line of thousands of letters has no colours, and those around it have theirs", () => {
	const long = parseDiff(`@@ -0,0 +1,3 @@\n+const a = 1;\n+${"x".repeat(9_000)}\n+const b = 2;\n`);
	const colour = colouring(long);
	expect(colour(2, "a.js")).toBeUndefined();
	expect(colour(3, "a.js")?.[0]).toEqual({ text: "const", kind: "keyword" });
});

thorough("of a file of 100,000 lines no more is read than is looked at", () => {
	const lines = Array.from({ length: 100_000 }, (_, index) => `+const a${index} = ${index};\n`);
	const large = parseDiff(`@@ -0,0 +1,100000 @@\n${lines.join("")}`);
	let read = 0;
	const colour = colouring({
		...large,
		line: (index) => {
			read += 1;
			return large.line(index);
		},
	});
	expect(colour(99_050, "a.js")?.[0]?.kind).toBe("keyword");
	expect(read).toBeLessThan(500);
	expect(colour(99_060, "a.js")?.[0]?.kind).toBe("keyword");
	expect(read).toBeLessThan(500);
});
