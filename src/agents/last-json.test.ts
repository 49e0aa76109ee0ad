import { expect, test } from "vitest";
import { lastJsonObject } from "./json-text.ts";

test.each([
	["alone", ' {"a": 1}\n', '{"a": 1}'],
	["talk before and after", 'Done:\n{"a": 1} bye', '{"a": 1}'],
	["talk on its line", 'Here it is: {"a": 1}.', '{"a": 1}'],
	["fences", 'x\n```json\n{"a": [1, {"b": 2}]}\n```\n', '{"a": [1, {"b": 2}]}'],
	["the last of several lines", '{"a":1}\n{"b":2}\n', '{"b":2}'],
	[
		"an object of several lines",
		'x\n{\n  "a": {\n    "b": 1\n  }\n}\n',
		'{\n  "a": {\n    "b": 1\n  }\n}',
	],
	["braces and quotes in texts", 'x\n{"a":"}{ \\" {"}', '{"a":"}{ \\" {"}'],
	["braces in talk before", 'if (x) { y(); }\n{"a":1}', '{"a":1}'],
])("%s", (_name, text, found) => {
	expect(lastJsonObject(text)).toBe(found);
});

test.each([
	"",
	"no braces",
	"{",
	"[1,2]",
	'{"a":1',
	'First {"a":1}, then {"b":2}',
	'{"a":1}\n{oops}',
])("none in %j", (text) => {
	expect(lastJsonObject(text)).toBeNull();
});

test.each(["{", "\n{", '\n{"a":', "\n[{"])("much of %j takes linear time", (piece) => {
	expect(lastJsonObject(piece.repeat(1_000_000))).toBeNull();
});
