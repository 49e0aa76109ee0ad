import fc from "fast-check";
import { expect, test } from "vitest";
import { describeJsonError } from "./json-error.ts";

function parses(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

test.each([
	['{"a": yes}', 'expected a value and found "yes}" at line 1, column 7'],
	['{"a": 1,\n}', 'expected a name in double quotes and found "}" at line 2, column 1'],
	["{a: 1}", 'expected a name in double quotes or "}" and found "a: 1}" at line 1, column 2'],
	['{"a" 1}', 'expected ":" and found "1}" at line 1, column 6'],
	["[1 2]", 'expected "," or the end of the list or object and found "2]" at line 1, column 4'],
	["[1}", 'expected "," or the end of the list or object and found "}" at line 1, column 3'],
	["[,]", 'expected a value or "]" and found ",]" at line 1, column 2'],
	[
		'{"a": 1',
		'the text ends where "," or the end of the list or object is expected at line 1, column 8',
	],
	["", "the text ends where a value is expected at line 1, column 1"],
	["{} {}", "something follows the end of the JSON value at line 1, column 4"],
	['"a\nb"', "a line break or control character inside a text at line 1, column 3"],
	['"a\\x"', "an unknown escape inside a text at line 1, column 3"],
	['"a', "the end inside a text at line 1, column 3"],
])("%j: %s", (text, reason) => {
	expect(describeJsonError(text)).toBe(reason);
});

test("it finds an error exactly where the engine does", () => {
	const pieces = fc.constantFrom(
		...Array.from('{}[]:,"\\ \n1-.e0'),
		'"a"',
		"true",
		"null",
		'\\u00e4"',
		"x",
	);
	fc.assert(
		fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
			const text = parts.join("");
			expect(describeJsonError(text) === null).toBe(parses(text));
		}),
		{ numRuns: 3_000 },
	);
	fc.assert(
		fc.property(fc.json(), (text) => {
			expect(describeJsonError(text)).toBeNull();
		}),
	);
});
