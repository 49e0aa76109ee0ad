import fc from "fast-check";
import { expect, test } from "vitest";
import { amount, thorough } from "../../test/support/amount.ts";
import { anyCharacter } from "../../test/support/any-character.ts";
import { duplicateKey } from "./json-text.ts";

test.each([
	['{"decision":"feedback","decision":"approve"}', "decision"],
	['{"a":1,\n"\\u0061" : 2}', "a"],
	['[{"a":[{"b":1,"c":{},"b":2}]}]', "b"],
	['{"a":{"x":1},"b":{"x":1},"a":0}', "a"],
	['{"":1,"":2}', ""],
	['{"__proto__":1,"__proto__":2}', "__proto__"],
	[`{"${"k".repeat(90)}":1,"${"k".repeat(90)}":2}`, "k".repeat(80)],
])("%s: a key stands twice", (text, key) => {
	expect(duplicateKey(text)).toBe(key);
});

test.each([
	'{"a":"a","b":"a"}',
	'{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
	'{"a":"\\"a\\":1,\\"a\\":2","A":0}',
	'["a","a",{"a":"{\\"a\\":"}]',
	'"a"',
	"12",
	"{}",
])("%s: none", (text) => {
	expect(duplicateKey(text)).toBeNull();
});

test("what one object writes has none, and has one as soon as a key is written again", () => {
	const value = fc.json();
	fc.assert(
		fc.property(value, (text) => {
			expect(duplicateKey(text)).toBeNull();
		}),
	);
	fc.assert(
		fc.property(
			fc.string({ maxLength: 20, unit: anyCharacter }),
			value,
			value,
			(name, one, two) => {
				const key = JSON.stringify(name);
				expect(duplicateKey(`[1,{${key}:${one},\n${key} :${two}}]`)).toBe(name);
			},
		),
	);
});

thorough("half a million keys and a million brackets are read", () => {
	const keys = Array.from({ length: amount(500_000, 20_000) }, (_, index) => `"${index}":1`);
	expect(duplicateKey(`{${keys.join(",")}}`)).toBeNull();
	expect(duplicateKey("[".repeat(amount(1e6, 2e5)) + "]".repeat(amount(1e6, 2e5)))).toBeNull();
});
