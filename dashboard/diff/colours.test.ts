import { expect, test } from "vitest";
import { colouring, tokensOf } from "./colours.ts";
import { languageOf } from "./languages.ts";
import { parseDiff } from "./parse-diff.ts";

test("every language that a file can have is there, and markup in code stays text", () => {
	for (const name of "a.ts a.py a.go a.rs a.java a.kt a.rb a.php a.c a.cs a.sh a.sql a.json a.yml a.toml a.html a.md".split(
		" ",
	)) {
		const language = languageOf(name);
		if (language === null) throw new Error(`${name} has no language`);
		const text = "<b>x</b> & 'y'\n2";
		const lines = tokensOf(text, language);
		expect(lines.map((tokens) => tokens.map((token) => token.text).join("")).join("\n")).toBe(text);
	}
	expect([languageOf("Makefile"), languageOf("constructor"), languageOf("a.xyz")]).toEqual([
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
	const kinds = [2, 3, 4, 5, 6].map((line) => colour(line, "typescript")?.[0]?.kind);
	expect(kinds).toEqual(["comment", "comment", "comment", "comment", "keyword"]);
	expect(colour(1, "typescript")).toBeUndefined();
});

test("a line of thousands of letters has no colours, and those around it have theirs", () => {
	const long = parseDiff(`@@ -0,0 +1,3 @@\n+const a = 1;\n+${"x".repeat(9_000)}\n+const b = 2;\n`);
	const colour = colouring(long);
	expect(colour(2, "typescript")).toBeUndefined();
	expect(colour(3, "typescript")?.[0]).toEqual({ text: "const", kind: "keyword" });
});

test("of a file of 100,000 lines no more is read than is looked at", () => {
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
	expect(colour(99_050, "typescript")?.[0]?.kind).toBe("keyword");
	expect(read).toBeLessThan(500);
	expect(colour(99_060, "typescript")?.[0]?.kind).toBe("keyword");
	expect(read).toBeLessThan(500);
});
