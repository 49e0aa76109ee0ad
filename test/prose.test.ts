import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { thorough } from "./support/amount.ts";

const read = (file: string): string => readFileSync(file, "utf8");

/** The text without fenced code. */
const prose = (text: string): string => text.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, "");

/** Longest cell of a table, in characters: a phrase, no paragraph. */
const MAX_CELL = 105;

/** Cells of a page's tables that are too long, each by its beginning. */
const longCells = (text: string): string[] =>
	[...prose(text).matchAll(/^\|.*$/gm)]
		.flatMap(([row]) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
		.filter((cell) => cell.length > MAX_CELL && !/^-+$/.test(cell))
		.map((cell) => cell.slice(0, 40));

test("a table's cell holds a phrase, not a paragraph", () => {
	const written = globSync(["*.md", "docs/user-guide/*.md", "docs/decisions/*.md"]);
	// Its cells are docstrings, for looking things up.
	const pages = written.filter((file) => file !== "docs/user-guide/run-view.md");
	expect(pages.length).toBeGreaterThan(20);
	expect(pages.flatMap((file) => longCells(read(file)).map((cell) => `${file}: ${cell}`))).toEqual(
		[],
	);
});

test("a cell that holds a paragraph is found", () => {
	const cell = "this says much ".repeat(8).trim();
	expect(longCells(`| a | b |\n| --- | --- |\n| short | ${cell} |\n`)).toEqual([cell.slice(0, 40)]);
});

/** Words that readers stumbled over, with what to write instead. */
const DIALECT: readonly (readonly [string, string])[] = [
	["mend(s|ed|ing)?", "fix, repair"],
	["anew", "again"],
	["is none of", "is not a valid"],
	["known no more", "no longer known"],
	["whoever cannot", "if an agent cannot"],
	["of ours", "Sparring's"],
];

/** What is held to plain words. To cover the source as well, add `src/**` to the glob. */
const PLAIN = globSync("{*.md,docs/**/*.md,examples/**/*.{md,yaml},src/**/*.{md,ts}}").filter(
	(file) => !file.includes("node_modules"),
);

/** Where a text uses a word of the dialect, as `line: word (what to write)`; a word may cross a line's end. */
const dialectIn = (text: string): string[] =>
	DIALECT.flatMap(([word, instead]) =>
		[...text.matchAll(new RegExp(`\\b${word.replaceAll(" ", "\\s+")}\\b`, "gi"))].map(
			({ 0: found, index }) => `${text.slice(0, index).split("\n").length}: ${found} (${instead})`,
		),
	);

thorough("the documentation uses no word that readers stumbled over", () => {
	expect(PLAIN.length).toBeGreaterThan(20);
	const found = PLAIN.flatMap((file) => dialectIn(read(file)).map((where) => `${file}:${where}`));
	expect(found).toEqual([]);
});

test("a word of the dialect is found in any form, also across a line's end", () => {
	expect(dialectIn("fix it\nMended, and is none\nof lcov; amend it")).toEqual([
		"2: Mended (fix, repair)",
		"2: is none\nof (is not a valid)",
	]);
});
