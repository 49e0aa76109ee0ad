import fc from "fast-check";
import { expect, test } from "vitest";
import { joinLines, joinPieces, joinQuoted } from "./joined-text.ts";

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
	expect(joined?.lineStart(2)).toBe(2);
	expect(joined?.lineStart(3)).toBe(2);
	expect(joined?.lineStart(0)).toBe(0);
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

test.each([
	["ab\rcd", 3],
	["ab\\\ncd", 4],
	["ab\\\r\n  cd", 7],
	["ab\\rcd", 4],
	["ab\u200bcd", 3],
	["ab\x1b[31;1mcd", 9],
])("%j is joined in pieces, and its third character stands at %d", (text, place) => {
	expect(joinPieces(text)?.text).toBe("abcd");
	expect(joinPieces(text)?.at(2)).toBe(place);
});

test.each(["ab\n+cd", "ab\n> cd", "ab\r\n  | cd", "ab\\n- cd", "ab\n> > cd"])(
	"%j is joined without the signs before the line",
	(text) => {
		expect(joinQuoted(text)?.text).toBe("abcd");
		expect(joinQuoted(text)?.at(2)).toBe(text.length - 2);
	},
);

test("of the signs before a line one of a diff goes, since the next may belong to what was torn", () => {
	expect(joinQuoted("ab\n++cd")?.text).toBe("ab+cd");
	expect(joinQuoted("ab\n| -cd")?.text).toBe("ab-cd");
});

test("a text in which no line begins with a sign is not joined a second time", () => {
	expect(joinQuoted("+ab\ncd -e\n")).toBeUndefined();
});
