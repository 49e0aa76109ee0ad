import fc from "fast-check";
import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { readText, storedText, withPlaceholders } from "./records.ts";

test.each([
	["a = ? AND b = ?", "a = $1 AND b = $2"],
	["a = ?1 AND b = ?2 AND c = ?1", "a = $1 AND b = $2 AND c = $1"],
	["a = ?3 AND b = ?", "a = $3 AND b = $4"],
	["a = '?' AND b = ?", "a = '?' AND b = $1"],
	["a = 'it''s ?' AND b = ?", "a = 'it''s ?' AND b = $1"],
	["a = 1", "a = 1"],
])("%s is %s", (sql, expected) => {
	expect(withPlaceholders(sql)).toBe(expected);
	expect(withPlaceholders(sql)).toBe(expected);
});

/** Texts of what the marks are made of, and of nothing else. */
const marked = fc.string({ unit: fc.constantFrom("\0", "\u001a", "0", "1", "a") });

thorough("any text comes back as it was stored, without a NUL in between", () => {
	fc.assert(
		fc.property(fc.oneof(marked, fc.string({ unit: "binary" })), (text) => {
			const stored = storedText(text);
			expect(stored).not.toContain("\0");
			expect(readText(stored)).toBe(text);
		}),
	);
});

test("what needs no mark is stored as it is, JSON of any text too", () => {
	expect(storedText("plain ✓ \n")).toBe("plain ✓ \n");
	const json = JSON.stringify({ text: "a\0b\u001a" });
	expect(storedText(json)).toBe(json);
});
