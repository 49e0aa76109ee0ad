import { expect, test } from "vitest";
import { assertionNames } from "../language/bound-names.ts";
import { testTallies, weakenings, weakeningText } from "./test-markers.ts";

const waysOf = (base: string, head: string, path: string): string[] =>
	weakenings(testTallies(base, head, path)).map(weakeningText);

test.each([
	['import assert from "node:assert";', ["assert"]],
	['import a, { equal as eq, deepEqual } from "node:assert/strict";', ["a", "eq", "deepEqual"]],
	['import * as check from "uvu/assert";', ["check"]],
	["const { ok, equal: same } = require('assert');", ["ok", "same"]],
	['import { type Test, test } from "vitest";', []],
])("%s names %j", (text, names) => {
	expect(assertionNames(text)).toEqual(names);
});

const HEAD = 'import { equal } from "node:assert/strict";\n';

test("a test that lost the only call of an imported assertion is weaker", () => {
	const base = `${HEAD}test("f", () => { equal(f(2), 2); });\n`;
	const gutted = `${HEAD}test("f", () => {});\n`;
	expect(waysOf(base, gutted, "test/f.test.js")).toHaveLength(1);
	expect(waysOf(base, base.replace("2);", "3);"), "test/f.test.js")).toEqual([]);
});

test("assertions on the same line as the import count", () => {
	const base = 'import a from "node:assert"; test("f", () => { a.equal(f(), 1); a(f()); });';
	const gutted = 'import a from "node:assert"; test("f", () => { a(f()); });';
	expect(waysOf(base, gutted, "test/f.test.js")).toHaveLength(1);
});

test("an imported name that is also a usual one counts once", () => {
	const base = 'import assert from "node:assert";\nassert.equal(1, 1);\n';
	expect(waysOf(base, `${base}assert.ok(1);\n`, "t.test.js")).toEqual([]);
	expect(waysOf(`${base}assert.ok(1);\n`, base, "t.test.js")[0]).toContain("(2, now 1)");
});
