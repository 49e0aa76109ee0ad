import fc from "fast-check";
import { expect, test } from "vitest";
import { amount } from "../../test/support/amount.ts";
import { describeJsonError } from "./parse-report.ts";

function parses(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

test.each([
	['{"a": yes}', 'invalid symbol at line 1, column 7: "yes}"'],
	['{"a": 1,\n}', 'property name expected at line 2, column 1: "}"'],
	["{a: 1}", 'invalid symbol at line 1, column 2: "a: 1}"'],
	['{"a" 1}', 'colon expected at line 1, column 6: "1}"'],
	["[1 2]", 'comma expected at line 1, column 4: "2]"'],
	["[,]", 'value expected at line 1, column 2: ",]"'],
	['{"a": 1', "close brace expected at line 1, column 8, at the end of the text"],
	["", "value expected at line 1, column 1, at the end of the text"],
	["{} {}", 'end of file expected at line 1, column 4: "{}"'],
	['"a\nb"', 'unexpected end of string at line 1, column 1: "\\"a\\nb\\""'],
	['"a\\x"', 'invalid escape character at line 1, column 1: "\\"a\\\\x\\""'],
	['{"a": 1 // one\n}', 'invalid comment token at line 1, column 9: "// one\\n}"'],
	["[".repeat(1e6), "nested too deeply"],
])("%j", (text, reason) => {
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
		"//",
		"/*",
		"*/",
		"\u0001",
		"\u00a0",
	);
	fc.assert(
		fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
			const text = parts.join("");
			expect(describeJsonError(text) === null).toBe(parses(text));
		}),
		{ numRuns: amount(3_000) },
	);
	fc.assert(
		fc.property(fc.json(), (text) => {
			expect(describeJsonError(text)).toBeNull();
		}),
	);
});
