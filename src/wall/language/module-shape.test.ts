import { beforeAll, describe, expect, test } from "vitest";
import { loadModuleParser, type ModuleParser } from "../../syntax/module-syntax.ts";
import { extentOf, helpersOf } from "../integrity/compare-shapes.ts";
import { moduleShape } from "./module-shape.ts";

let parse: ModuleParser;

beforeAll(async () => {
	parse = await loadModuleParser();
});

const shapeOf = (text: string) =>
	moduleShape(parse(text, "a.test.js") ?? expect.unreachable(text), text);

const ASSERT = 'import assert from "node:assert/strict";\n';
const body = (text: string) => `${ASSERT}test("a", async () => { ${text} });\n`;
const flawsIn = (text: string) => shapeOf(text).assertions.map(({ flaw }) => flaw);

describe("what cannot fail", () => {
	test.each([
		["unreached", "return; assert.equal(f(), 1);"],
		["unreached", "throw new Error(); assert.equal(f(), 1);"],
		["unreached", "{ { return; } } assert.equal(f(), 1);"],
		["unreached", "if (true) return; assert.equal(f(), 1);"],
		["unreached", "switch (x) { case 1: break; assert.equal(f(), 1); }"],
		["never", "if (false) { assert.equal(f(), 1); }"],
		["never", "if (!1) {} else if (0) assert.equal(f(), 1);"],
		["never", "if (1) {} else assert.equal(f(), 1);"],
		["never", "false && assert.equal(f(), 1);"],
		["never", "'' && assert.equal(f(), 1);"],
		["never", "true || assert.equal(f(), 1);"],
		["never", "while (null) assert.equal(f(), 1);"],
		["never", "for (const x of []) assert.equal(f(x), 1);"],
		["never", "const late = () => assert.equal(f(), 1);"],
		["never", "function late() { assert.equal(f(), 1); }"],
		["never", "() => assert.equal(f(), 1);"],
		["swallowed", "try { assert.equal(f(), 1); } catch {}"],
		["swallowed", "try { assert.equal(f(), 1); } catch (error) { console.log(error); }"],
		["swallowed", "try { assert.equal(f(), 1); } finally { return; }"],
		["swallowed", "return p().then(() => assert.equal(f(), 1)).catch(() => undefined);"],
		["swallowed", "return p().then(() => assert.equal(f(), 1)).then(g, () => {});"],
		["unawaited", "p().then(() => assert.equal(f(), 1));"],
		["unawaited", "void p().then(() => assert.equal(f(), 1));"],
		["unawaited", "setTimeout(() => assert.equal(f(), 1), 0);"],
		["unawaited", "[1].forEach(async (n) => assert.equal(await f(n), 1));"],
		["unawaited", "assert.rejects(f());"],
		["unawaited", "expect(f()).resolves.toBe(1);"],
		["constant", "assert.ok(true);"],
		["constant", "assert.ok(f() || true);"],
		["constant", "assert(() => f());"],
		["constant", "assert.equal(1 + 1, 2);"],
		["constant", "assert.equal(x, x);"],
		["constant", "assert.notEqual(1, 2);"],
		["constant", "assert.ok(1);"],
		["constant", "expect(0).toBeFalsy();"],
		["constant", "expect(1).not.toBe(2);"],
		["constant", "expect(1).toBe(1);"],
		["constant", "expect([`a`, null]).toEqual(other);"],
		["constant", "expect({ a: undefined }).toEqual(other);"],
		["constant", "assert.throws(() => { f(); throw new RangeError(); });"],
	])("%s: %s", (flaw, text) => {
		expect(flawsIn(body(text))).toEqual([flaw]);
	});

	test.each([
		"if (x) return; assert.equal(f(), 1);",
		"function check() { assert.equal(f(), 1); } check(); return;",
		"return check(); function check() { assert.equal(f(), 1); }",
		"if (x) { assert.equal(f(), 1); } else {}",
		"x && assert.equal(f(), 1);",
		"for (const x of xs) assert.equal(f(x), 1);",
		"try { assert.equal(f(), 1); } catch (error) { throw new Error(text, { cause: error }); }",
		"try { assert.equal(f(), 1); } catch (error) { seen = error; }",
		"try { assert.equal(f(), 1); } finally { close(); }",
		"return p().then(() => assert.equal(f(), 1));",
		"await p().then(() => assert.equal(f(), 1));",
		"all.push(p().then(() => assert.equal(f(), 1)));",
		"return new Promise((done) => { setTimeout(() => { assert.equal(f(), 1); done(); }); });",
		"[1].forEach((n) => assert.equal(f(n), 1));",
		"await assert.rejects(f());",
		"return expect(f()).resolves.toBe(1);",
		"assert.ok(f());",
		"assert.equal(f(), f());",
		"assert.equal(1, x);",
		"assert.fail();",
		"assert(false, 'to do');",
		"assert.ok(0);",
		"assert.equal(1, 2);",
		"assert.strictEqual('a', 'b');",
		"assert.notEqual(1, 1);",
		"expect(true).toBe(false);",
		"expect(1).not.toBe(1);",
		"expect(null).toBeTruthy();",
		"expect(1).toBeFalsy();",
		"assert.throws(() => f());",
		"expect(x).to.be.true;",
		"x.should.equal(1);",
		"t.is(f(), 1);",
		"this.assertSame(f(), 1);",
	])("not: %s", (text) => {
		expect(flawsIn(body(text)).filter((flaw) => flaw !== null)).toEqual([]);
	});

	test.each([
		"expect(x);",
		"assert.equal;",
		"read('expected.txt');",
		"const expected = f(); use(expected.length);",
		"expect.extend({ toBeSmall });",
		"use(expect.objectContaining({ a: 1 }));",
		"new assert.AssertionError({});",
	])("no assertion: %s", (text) => {
		expect(flawsIn(body(text))).toEqual([]);
	});
});

describe("what a helper of the project is given by a test is no constant", () => {
	test.each([
		"function assertDoubled(a, b) { assert.equal(f(a), b); }",
		"const assertDoubled = (a, b) => assert.equal(f(a), b);",
		'import { assertDoubled } from "./helpers.js";',
	])("%s", (declared) => {
		const flaws = flawsIn(`${declared}\ntest("a", () => { assertDoubled(2, 4); });`);
		expect(flaws.filter((flaw) => flaw !== null)).toEqual([]);
	});

	test("unlike what an assertion of a library is given", () => {
		const text = 'import { assertSame } from "asserts";\ntest("a", () => { assertSame(4, 4); });';
		expect(flawsIn(text)).toEqual(["constant"]);
	});
});

describe("how much is asserted", () => {
	const comparisons = (text: string) => {
		const shape = shapeOf(ASSERT + text);
		return extentOf(shape, helpersOf([shape])).comparisons;
	};

	test.each([
		[1, 'test("a", () => { assert.equal(f(), 1); });'],
		[3, 'test("a", () => { assert.deepEqual([f(), g(), h()], [1, 2, 3]); });'],
		[2, 'test("a", () => { assert.deepEqual({ a: f(), b: g() }, x); });'],
		[3, 'it.each([[1], [2], [3]])("%s", (n) => { expect(f(n)).toBe(n); });'],
		[2, 'const rows = [1, 2]; for (const n of rows) test("a", () => { assert.equal(f(n), 1); });'],
		[2, 'test("a", () => { [1, 2].forEach((n) => assert.equal(f(n), 1)); });'],
		[1, 'test("a", () => { for (const n of unknown) assert.equal(f(n), 1); });'],
		[2, 'function both(n) { assert.equal(n, 1); }\ntest("a", () => { both(f()); both(g()); });'],
		[2, 'const both = (n) => assert.equal(n, 1);\ntest("a", () => { both(f()); both(g()); });'],
		[
			2,
			'function assertBoth(a, b) { assert.equal(f(a), b); }\ntest("a", () => { assertBoth(1, 2); assertBoth(3, 4); });',
		],
		[
			2,
			'function check(rows) { for (const [a, b] of rows) assert.equal(f(a), b); }\ntest("a", () => { check([[1, 2], [3, 4]]); });',
		],
		[
			1,
			'function same(a, b) { if (a !== b) throw new Error(a); }\ntest("a", () => { same(f(), 1); });',
		],
		[0, 'function load(a) { if (!a) throw new Error(a); }\ntest("a", () => { load(f()); });'],
		[0, 'test("a", () => { return; assert.equal(f(), 1); });'],
	])("%i: %s", (count, text) => {
		expect(comparisons(text)).toBe(count);
	});
});

describe("tests", () => {
	test("the test, its line, and whether it is empty", () => {
		const text = [
			"test('a', () => {});",
			"",
			`it(\`b \${x}\`, () => { f(); });`,
			"t.test(name, g, () => 1);",
		].join("\n");
		expect(shapeOf(text).tests).toEqual([
			{ name: "a", line: 1, isEmpty: true },
			{ name: "b *", line: 3, isEmpty: false },
			{ name: "(test)", line: 4, isEmpty: false },
		]);
	});

	test.each([
		['import t from "node:test";', "t"],
		['import { default as t } from "node:test";', "t.only"],
		['import { it as t } from "vitest";', "t.each([1])"],
		['import { "test" as t } from "@jest/globals";', "t"],
		['import run, { mock } from "ava";', "run.serial"],
		['import * as library from "vitest";', "library.it.concurrent"],
		['import library = require("mocha");', 'library["specify"]'],
		['const t = require("tape");', "t"],
		['const t = require("node:test").it;', "t"],
		['const { test: t = other } = require("node:test");', "t"],
		['const { it: t } = await import("vitest");', "t"],
		['const t = (await import("node:test")).default;', "t.skip"],
		["const t = test;", "t"],
		['import * as library from "uvu"; const { test: t } = library;', "t"],
		["", "globalThis.it"],
	])("a test under the name that the file gives its function: %s %s", (from, call) => {
		const text = `${from} ${call}("vac", () => {});`;
		const tree = parse(text, "a.test.ts") ?? expect.unreachable(text);
		expect(moduleShape(tree, text).tests).toEqual([{ name: "vac", line: 1, isEmpty: true }]);
	});

	test.each([
		['import t from "./other.js";', "t"],
		['import { describe as t } from "vitest";', "t"],
		['import * as library from "vitest";', "library.vi.mock"],
		['import t from "node:test";', "t.before"],
		['import t from "node:test";', "t.mock.method"],
		['import test from "node:test";', "test.mock.method"],
		['import t from "tap";', "t.throws"],
		['const { mock: t } = require("node:test");', "t"],
		["const t = test();", "t"],
	])("no test: %s %s", (from, call) => {
		expect(shapeOf(`${from} ${call}("vac", () => {});`).tests).toEqual([]);
	});
});

describe("assertions that are replaced", () => {
	test.each([
		"const assert = { equal: () => true };",
		"function expect(x) { return { toBe: () => {} }; }",
		"const expect = (x) => proxy;",
		"assert.equal = () => {};",
		'assert["equal"] = () => {};',
		"Object.assign(assert, { equal() {} });",
		'vi.mock("node:assert", () => ({}));',
		'jest.doMock("chai");',
		"expect.extend({ toBe() { return { pass: true }; } });",
		'mock.method(assert, "equal", () => {});',
	])("%s", (text) => {
		expect(shapeOf(text).shadowed).toEqual([1]);
	});

	test.each([
		"function assert(x) { if (!x) throw new Error('no'); }",
		"const { expect } = require('chai');",
		"const expect = base.extend({});",
		"expect.extend({ toBeSmall() {} });",
		"result.value = 1;",
		'vi.mock("../src/clock.js");',
		'mock.method(clock, "now");',
		"Object.assign(options, { a: 1 });",
		"f();",
	])("not: %s", (text) => {
		expect(shapeOf(text).shadowed).toEqual([]);
	});
});
