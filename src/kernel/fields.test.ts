import fc from "fast-check";
import { expect, test } from "vitest";
import { countAt, fieldAt, fieldsOf, textAt, tokensAt } from "./fields.ts";

test("a path leads through objects only, and only over their own fields", () => {
	expect(fieldAt({ a: { b: 1 } }, "a", "b")).toBe(1);
	expect(fieldAt({ a: [1] }, "a", "0")).toBeUndefined();
	expect(fieldAt({}, "constructor")).toBeUndefined();
	expect(fieldAt("text", "length")).toBeUndefined();
	expect(fieldAt(JSON.parse('{"__proto__":{"b":2}}'), "__proto__", "b")).toBe(2);
});

test("a field of the wrong type counts as none", () => {
	expect(textAt({ a: 1 }, "a")).toBeNull();
	expect(textAt({ a: "x" }, "a")).toBe("x");
	for (const wrong of [-1, "1", null, Number.NaN, Number.POSITIVE_INFINITY, {}]) {
		expect(countAt({ a: wrong }, "a")).toBeNull();
	}
	expect(countAt({ a: 0 }, "a")).toBe(0);
	expect(fieldsOf([1])).toEqual({});
});

test("an impossible count of tokens is unknown", () => {
	for (const wrong of [0.5, 1e12 + 1, 1e300, -1, "1", null]) {
		expect(tokensAt({ a: wrong }, "a")).toBeNull();
	}
	for (const count of [0, 7, 1e12]) expect(tokensAt({ a: count }, "a")).toBe(count);
});

test("no value makes them throw", () => {
	fc.assert(
		fc.property(fc.anything(), fc.array(fc.string()), (value, path) => {
			fieldAt(value, ...path);
			fieldsOf(value);
		}),
	);
});
