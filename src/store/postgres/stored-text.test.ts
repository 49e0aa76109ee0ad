import fc from "fast-check";
import { expect, test } from "vitest";
import { readText, storedText } from "./stored-text.ts";

/** Texts of what the marks are made of, and of nothing else. */
const marked = fc.string({ unit: fc.constantFrom("\0", "\u001a", "0", "1", "a") });

test("any text comes back as it was stored, without a NUL in between", () => {
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
