import fc from "fast-check";
import { expect, test } from "vitest";
import { amount } from "../../test/support/amount.ts";
import { lastJsonObject } from "./json-text.ts";

test.each([
	["talk before and after", 'Done: {"a": 1} bye', '{"a": 1}'],
	["fences", 'x\n```json\n{"a": [1, {"b": 2}]}\n```\n', '{"a": [1, {"b": 2}]}'],
	["the last of several", '{"a":1} {"b":2}', '{"b":2}'],
	["an outer object, not its parts", '{"a":{"b":{}}}', '{"a":{"b":{}}}'],
	["braces and quotes in texts", '{"a":"}{ \\" {"}', '{"a":"}{ \\" {"}'],
	["braces in talk", 'if (x) { y(); } {"a":1} {oops', '{"a":1}'],
	["an object inside what only looks like one", '{placeholder: {"a":1}}', '{"a":1}'],
	["an object behind an odd quote", 'x {"note: {"a":1} {oops', '{"a":1}'],
	["empty members", '{ } [ ] {"a" : [ ] , "b" : { } }', '{"a" : [ ] , "b" : { } }'],
])("%s", (_name, text, found) => {
	expect(lastJsonObject(text)).toBe(found);
});

test.each([
	"",
	"no braces",
	"{",
	'{"a":1',
	"[1,2]",
	'{"a" 1}',
	'{"a":1;}',
	'{"a":\n"x\ny"}',
	'{"a:1}',
])("none in %j", (text) => {
	expect(lastJsonObject(text)).toBeNull();
});

test("an object is found whatever plain talk surrounds it", () => {
	const talk = fc.string().map((text) => text.replaceAll(/["{}[\]]/g, ""));
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), talk, talk, (value, before, behind) => {
			const json = JSON.stringify(value);
			expect(lastJsonObject(before + json + behind)).toBe(json);
		}),
	);
});

test("what is found parses as an object", () => {
	const pieces = fc.constantFrom("{", "}", "[", "]", '"', ":", ",", "1", '"a":', "\\", " ", "\n");
	fc.assert(
		fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
			const found = lastJsonObject(parts.join(""));
			if (found !== null) expect(JSON.parse(found)).toBeTypeOf("object");
		}),
		{ numRuns: amount(2_000) },
	);
});

test.each([
	["{", 2_000_000],
	['{"', 1_000_000],
	['{"a":', 400_000],
	['{"a":1,', 300_000],
	['[{"a":"', 300_000],
	["[".concat(" "), 1_000_000],
])("much of %j takes linear time", (piece, count) => {
	// Quadratic time would be hours, not the seconds that a slow machine may take.
	expect(lastJsonObject(piece.repeat(amount(count, count / 10)))).toBeNull();
});
