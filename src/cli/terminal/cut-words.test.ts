import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import wrapAnsi from "wrap-ansi";
import { thorough } from "../../../test/support/amount.ts";
import { cutWords, wrapWords } from "./cut-words.ts";
import { fits } from "./wrap-line.ts";

const words = fc
	.array(fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom("a", "b", "日", "é") }), {
		maxLength: 12,
	})
	.map((list) => list.join(" "));

thorough("a line that fits stays as it is; a longer one ends after a word", () => {
	expect(cutWords("reads the limiter", 17)).toBe("reads the limiter");
	expect(cutWords("reads the limiter", 14)).toBe("reads the...");
	expect(cutWords("日本語 text", 9)).toBe("日本語...");
	expect(cutWords("see a/very/long/path/of/a/file now", 16)).toBe("see...");
	expect([cutWords("limiter", 6), cutWords("limiter", 3), cutWords("", 0)]).toEqual([
		"lim...",
		"",
		"",
	]);
});

test("a script without blanks between words is cut behind a character, and never within a word beside it", () => {
	expect(cutWords("Reads 限流器の実装を読んでいます", 20)).toBe("Reads 限流器の実...");
	expect(cutWords("限流器 implementation", 14)).toBe("限流器...");
	expect(cutWords("see 限流器の実装", 12)).toBe("see 限流...");
	expect(cutWords("see a日/long.js and its tests", 12)).toBe("see a日...");
});

test("what fits is told of ASCII and colours as wrap-ansi tells it", () => {
	const unit = fc.constantFrom("a", "b", " ", "~", "\u001B[32m", "\u001B[39m", "日", "é", "\t");
	fc.assert(
		fc.property(
			fc.string({ maxLength: 30, unit }),
			fc.integer({ min: 1, max: 30 }),
			(line, columns) => {
				const wrapped = wrapAnsi(line, columns, { hard: true, trim: false });
				expect(fits(line, columns)).toBe(!wrapped.includes("\n"));
			},
		),
	);
});

thorough("no cut line is wider than it may be, and none ends within a word but its first", () => {
	fc.assert(
		fc.property(words, fc.integer({ min: 16, max: 60 }), (line, columns) => {
			const cut = cutWords(line, columns);
			const kept = cut.endsWith("...") ? cut.slice(0, -3) : cut;
			const isBesideWide = kept.endsWith("日") || line.startsWith("日", kept.length);
			const isWhole = isBesideWide || `${line} `.startsWith(`${kept} `) || !kept.includes(" ");
			return fits(cut, columns) && isWhole;
		}),
	);
});

test("a long text is broken between words, the later lines indented", () => {
	expect(wrapWords("finding F1, major: the bucket is never refilled", 24)).toBe(
		"finding F1, major: the\n  bucket is never\n  refilled",
	);
	expect(wrapWords("short", 24)).toBe("short");
});

thorough("a word that is longer than a line is left whole, and nothing is lost", () => {
	expect(wrapWords("see .sparring/transcripts/20261122/limiter.log now", 20)).toBe(
		"see\n  .sparring/transcripts/20261122/limiter.log\n  now",
	);
	fc.assert(
		fc.property(words, fc.integer({ min: 3, max: 60 }), (text, columns) => {
			const painted = `\u001b[31m${text}\u001b[39m`;
			const plain = stripVTControlCharacters(wrapWords(painted, columns));
			return plain.replaceAll(/\s+/g, " ") === text;
		}),
	);
});

test("a broken line keeps its margin, and a command can still be copied", () => {
	expect(wrapWords("    notes: the limiter is a token bucket", 24)).toBe(
		"    notes: the limiter\n      is a token bucket",
	);
	expect(wrapWords("  spar trace limiter --run 20261121-230218-3a67", 30)).toBe(
		"  spar trace limiter --run \\\n    20261121-230218-3a67",
	);
});

test("the margin of a line counts for what fits", () => {
	expect([fits("    abcdef", 10), fits("    abcdefg", 10)]).toEqual([true, false]);
});
