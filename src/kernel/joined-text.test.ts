import fc from "fast-check";
import { expect, test } from "vitest";
import { joinLines } from "./joined-text.ts";

test("a text without line ends has nothing to join", () => {
	expect(joinLines("one line, C:\\temp and \\r alone")).toBeUndefined();
});

test.each([
	["ab\ncd", 3],
	["ab\r\n\t cd", 6],
	["ab\\ncd", 4],
	["ab\\r\\n  cd", 8],
	["ab\\\\ncd", 5],
])("%j is joined, and its third character stands at %d", (text, place) => {
	const joined = joinLines(text);
	expect(joined?.text).toBe("abcd");
	expect(joined?.at(1)).toBe(1);
	expect(joined?.at(2)).toBe(place);
	expect(joined?.nextBreak(0)).toBe(2);
	expect(joined?.nextBreak(2)).toBe(4);
	expect(joined?.isBreak(2)).toBe(true);
	expect(joined?.isBreak(3)).toBe(false);
	expect(joined?.isBreak(0)).toBe(false);
});

test("of an indentation 80 characters go", () => {
	expect(joinLines(`a\n${" ".repeat(82)}b`)?.text).toBe("a  b");
});

test("every character stands where it is said to stand", () => {
	const unit = fc.constantFrom("a", "b", "\\", "n", "r", "\n", "\r\n", " ", "\t");
	fc.assert(
		fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
			const joined = joinLines(text);
			for (const [index, character] of Array.from(joined?.text ?? "").entries()) {
				expect(text[joined?.at(index) ?? -1]).toBe(character);
			}
		}),
	);
});
