import fc from "fast-check";
import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { JsonLines } from "./json-lines.ts";

function valuesIn(...pieces: readonly string[]): unknown[] {
	const values: unknown[] = [];
	const lines = new JsonLines((value) => values.push(value));
	for (const piece of pieces) lines.add(piece);
	lines.end();
	return values;
}

function asParsed(object: object): unknown {
	return JSON.parse(JSON.stringify(object));
}

thorough("each line that is an object is handed over, wherever the stream is cut", () => {
	const line = fc.dictionary(fc.string(), fc.jsonValue());
	fc.assert(
		fc.property(fc.array(line), fc.array(fc.nat()), (objects, cuts) => {
			const text = objects.map((object) => `${JSON.stringify(object)}\n`).join("");
			const marks = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted(
				(a, b) => a - b,
			);
			const pieces = marks.map((mark, index) => text.slice(mark, marks[index + 1] ?? mark));
			expect(valuesIn(...pieces)).toEqual(objects.map(asParsed));
		}),
	);
});

test("warnings, broken lines, and values that are not objects are passed over", () => {
	const noise = ["warning: {x}", '{"a":', "[1]", "7", "null", "", " \t", '"{}"'];
	expect(valuesIn([...noise, '  {"a":1}\r', ...noise].join("\n"))).toEqual([{ a: 1 }]);
});

test("the last line may lack its newline", () => {
	expect(valuesIn('{"a":1}\n{"b"', ":2}")).toEqual([{ a: 1 }, { b: 2 }]);
});

test("a line of 50 MB is passed over, and the next one is read", () => {
	const piece = "x".repeat(1_000_000);
	const flood = ['{"a":"', ...Array.from({ length: 50 }, () => piece), '"}\n{"b":2}\n'];
	expect(valuesIn(...flood)).toEqual([{ b: 2 }]);
});

thorough("a line just within the limit is read", () => {
	const text = "x".repeat(16_000_000 - '{"a":""}'.length);
	expect(valuesIn(`{"a":"${text}"}\n`)).toEqual([{ a: text }]);
	expect(valuesIn(`{"a":"${text}x"}\n`)).toEqual([]);
});
