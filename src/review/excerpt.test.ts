import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/support/any-character.ts";
import { excerpt } from "./excerpt.ts";

test("white space and control characters become single spaces", () => {
	expect(excerpt(" a\r\n\u001b\u2028 b\t")).toBe("a b");
});

test("a cut is marked, also where only white space was left out", () => {
	expect(excerpt("abcdef", 4)).toBe("abc…");
	expect(excerpt(`${" ".repeat(90)}a`, 4)).toBe("…");
	expect(excerpt("abcd", 4)).toBe("abcd");
});

test("it is one well-formed line within its limit", () => {
	fc.assert(
		fc.property(
			fc.string({ unit: anyCharacter }),
			fc.integer({ min: 1, max: 20 }),
			(text, limit) => {
				const line = excerpt(text, limit);
				expect(line.length).toBeLessThanOrEqual(limit);
				expect(line).not.toMatch(/[\r\n\p{Cc}\u2028\u2029]/u);
				expect(line.isWellFormed()).toBe(true);
			},
		),
	);
});
