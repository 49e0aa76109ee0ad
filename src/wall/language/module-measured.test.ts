import { expect, test } from "vitest";
import { spread, thorough } from "../../../test/support/amount.ts";
import { measuredRun, NODE_TEST, rewritten, VITEST } from "./measured.fixture.ts";

const PRODUCT = `export function fee(n) { if (n < 0) throw new RangeError("negative"); return Math.round(n * 0.1) + 1; }
export const label = (n) => "fee " + n;
export const isFree = (n) => n === 0;
class Missing extends RangeError {}
export const miss = () => { throw new Missing("a"); };
export const digits = () => "7";
export const read = (text) => ({ data: text === "" ? {} : { text } });
export const parsed = (text) => ({ size: text.length, list: [...text] });
export async function later(n) { await null; if (n < 0) throw new Error("late"); return n * 2; }
export const matcher = (part) => (text) => text.startsWith(part);
export class Cart {
	#items = [];
	constructor(first) { if (first !== undefined) this.add(first); }
	get size() { return this.#items.length; }
	add(n) { if (n < 0) throw new RangeError("negative"); this.#items.push(n); return this; }
	total() { return this.#items.reduce((one, other) => one + other, 0); }
	static #made = 0;
	static of(...all) { Cart.#made += 1; const cart = new this(); for (const n of all) cart.add(n); return cart; }
}
export default fee;
`;

const PACKAGE = JSON.stringify({ type: "module" });
const IMPORTS = `import assert from "node:assert/strict"; import { test, describe, it, beforeEach } from "node:test"; import calc, { fee, label, isFree, digits, miss, read, parsed, later, matcher, Cart } from "../src/fee.js"; import * as all from "../src/fee.js";
`;

/** The table of cases of node:test, and the result of the run. */
async function tableOf(cases: string, others: Readonly<Record<string, string>> = {}) {
	const { table, status, output } = await measuredRun(
		{
			"package.json": PACKAGE,
			"src/fee.js": PRODUCT,
			"test/fee.test.js": IMPORTS + cases,
			...others,
		},
		[...NODE_TEST, "test/fee.test.js"],
	);
	expect(status, output).toBe(0);
	return table;
}

test("an exact assertion notices each other number, in the line of its statement", async () => {
	const cases = `test("exact", () => {
	const got = fee(200);
	assert.equal(got, 21);
});
`;
	expect(await tableOf(cases)).toEqual([
		"not ok - test/fee.test.js:4 > fee(200) gives 22",
		"not ok - test/fee.test.js:4 > fee(200) gives 20",
		"ok - test/fee.test.js:2 > measured",
	]);
});

test.each(
	spread(
		[
			["assert.ok(fee(200) > 0)", ["fee(200) gives 22", "fee(200) gives 20"], []],
			['assert.equal(typeof fee(200), "number")', ["fee(200) gives 22", "fee(200) gives 20"], []],
			["assert.equal(fee(200), fee(200))", ["fee(200) gives 22", "fee(200) gives 20"], []],
			[
				"assert.match(label(1), /fee/)",
				[
					'label(1) gives "fee 1x"',
					'label(1) gives "xfee 1"',
					'label(1) gives "fee "',
					'label(1) gives "fee 1 "',
				],
				['label(1) gives "fex 1"', 'label(1) gives "Fee 1"'],
			],
			// Loose assertions take a number for its text.
			[
				'(await import("node:assert")).default.equal(digits(), "7")',
				["digits() gives 7"],
				['digits() gives "7x"'],
			],
			[
				"assert.throws(miss, RangeError)",
				[
					"miss() throws a longer message",
					"miss() throws another message",
					"miss() throws a RangeError",
				],
				["miss() does not throw", "miss() throws another class"],
			],
			[
				'assert.equal(read("a").data.text, "a")',
				[
					'read("a") gives one key more',
					'read("a") gives one key more, undefined',
					'read("a") gives another data.x',
				],
				['read("a") gives another data', 'read("a") gives another data.text'],
			],
			[
				'assert.deepEqual(read("").data, {})',
				['read("") gives one key more', 'read("") gives one key more, undefined'],
				[
					'read("") gives another data',
					'read("") gives another data.x',
					'read("") gives another data, a list',
				],
			],
			[
				'assert.equal(parsed("ab").list.length, 2)',
				[
					'parsed("ab") gives another size',
					'parsed("ab") gives one key more',
					'parsed("ab") gives one key more, undefined',
					'parsed("ab") gives another list.0',
					'parsed("ab") gives another list.1',
				],
				['parsed("ab") gives another list'],
			],
			[
				"assert.throws(() => fee(-1))",
				[
					"fee(-1) throws a longer message",
					"fee(-1) throws another message",
					"fee(-1) throws another class",
				],
				["fee(-1) does not throw"],
			],
		],
		3,
	),
)("`%s` leaves unnoticed what it does not compare", async (assertion, unnoticed, noticed) => {
	const table = await tableOf(`test("weak", async () => { ${assertion}; });\n`);
	const names = (start: string): string[] =>
		table
			.filter((line) => line.startsWith(start) && !line.endsWith("measured"))
			.map((line) => line.replace(/^.* > /, ""));
	expect({ unnoticed: names("ok"), noticed: names("not ok") }).toEqual({ unnoticed, noticed });
});

thorough(
	"what vitest's cases notice is told as well, with spies and mocks of the product at work",
	async () => {
		const texts = {
			"package.json": PACKAGE,
			"src/fee.js": PRODUCT,
			"test/fee.test.ts": `import { afterEach, expect, it, vi } from "vitest"; import { fee, later, isFree } from "../src/fee.js"; import * as all from "../src/fee.js";
vi.mock("../src/fee.js", async (original) => ({ ...(await original<typeof import("../src/fee.js")>()), isFree: vi.fn(() => 5) }));
afterEach(() => { vi.clearAllMocks(); });
it.each([[200, 21]])("fee of %d", (n: number, to: number) => { expect(fee(n)).toBe(to); });
it.concurrent("one", async () => { expect(await later(1)).toBe(2); });
it.concurrent("two", async () => { expect(await later(2)).toBe(4); });
it("mocked", () => { expect(isFree(1)).toBe(5); expect(isFree).toHaveBeenCalledTimes(1); });
it("spied", () => { const spy = vi.spyOn(all, "fee").mockReturnValue(7); expect(all.fee(1)).toBe(7); expect(spy).toHaveBeenCalledTimes(1); spy.mockRestore(); });
`,
		};
		const { table, status, output } = await measuredRun(texts, VITEST);
		expect(status, output).toBe(0);
		expect(table.toSorted()).toEqual(
			[
				"not ok - test/fee.test.ts:4 > fee(200) gives 20",
				"not ok - test/fee.test.ts:4 > fee(200) gives 22",
				"not ok - test/fee.test.ts:5 > later(1) gives 1",
				"not ok - test/fee.test.ts:5 > later(1) gives 3",
				"not ok - test/fee.test.ts:6 > later(2) gives 3",
				"not ok - test/fee.test.ts:6 > later(2) gives 5",
				...[4, 5, 6, 7, 8].map((line) => `ok - test/fee.test.ts:${line} > measured`),
			].toSorted(),
		);
	},
);

test("lines of a file stay where they are", async () => {
	const text = `${IMPORTS}test("one", () => {\n\tassert.equal(fee(1), 1)\n\tassert.equal(fee(2), 1)\n})\n`;
	const made = await rewritten("test/a.test.ts", text);
	expect(made.split("\n")).toHaveLength(text.split("\n").length);
});

test("calls through classes, returned functions, getters, promises and helpers are told by their names", async () => {
	const cases = `describe("group", () => {
	let cart;
	beforeEach(() => { cart = new Cart(); });
	it("class", () => {
		cart.add(1).add(2);
		assert.equal(cart.total(), 3);
		assert.equal(cart.size, 2);
		assert.equal(cart.constructor, Cart);
		assert.ok(cart instanceof all.Cart);
	});
	it("static", () => { assert.equal(Cart.of(1, 2).total(), 3); });
	it("constructor", () => { assert.throws(() => new Cart(-1), RangeError); });
	it("function", () => { assert.ok(matcher("a")("ab")); });
	it("late", async () => {
		assert.equal(await later(3), 6);
		await assert.rejects(later(-1), /late/);
	});
	it("helper", () => { check(10, 2); });
});
import { check } from "./help.js";
`;
	const helper = `import assert from "node:assert"; import { fee } from "../src/fee.js";
export function check(n, expected) {
	assert.equal(fee(n), expected);
}
`;
	const table = await tableOf(cases, { "test/help.js": helper });
	expect(table.filter((line) => line.startsWith("not"))).toEqual([
		"not ok - test/fee.test.js:7 > Cart.total() gives 4",
		"not ok - test/fee.test.js:8 > Cart.size gives 3",
		"not ok - test/fee.test.js:7 > Cart.total() gives 2",
		"not ok - test/fee.test.js:8 > Cart.size gives 1",
		"not ok - test/fee.test.js:12 > Cart.of(1, 2) gives null",
		"not ok - test/fee.test.js:12 > Cart.total() gives 4",
		"not ok - test/fee.test.js:12 > Cart.total() gives 2",
		"not ok - test/fee.test.js:13 > new Cart(-1) does not throw",
		"not ok - test/fee.test.js:13 > new Cart(-1) throws another class",
		'not ok - test/fee.test.js:14 > matcher("a")("ab") gives false',
		"not ok - test/fee.test.js:16 > later(3) gives 7",
		"not ok - test/fee.test.js:17 > later(-1) does not throw",
		"not ok - test/fee.test.js:16 > later(3) gives 5",
		"not ok - test/fee.test.js:17 > later(-1) throws another message",
		"not ok - test/help.js:3 > fee(10) gives 3",
		"not ok - test/help.js:3 > fee(10) gives 1",
	]);
	expect(table.filter((line) => line.endsWith("measured"))).toHaveLength(6);
});

test("a case that cannot be repeated is told as such, and stays green", async () => {
	const cases = `let n = 0;
test("counts", () => { n += 1; assert.equal(fee(n), 1); assert.equal(n, 1); });
test("planned", (t) => { t.plan(1); t.assert.equal(fee(1), 1); });
test("called back", (t, done) => { assert.equal(fee(1), 1); done(); });
test("other calls", () => { fee(Math.random()); });
`;
	expect((await tableOf(cases)).toSorted()).toEqual([
		"ok - test/fee.test.js:3 > counts # SKIP it cannot be repeated",
		"ok - test/fee.test.js:4 > planned # SKIP it cannot be repeated",
		"ok - test/fee.test.js:5 > called back # SKIP it cannot be repeated",
		"ok - test/fee.test.js:6 > other calls # SKIP it cannot be repeated",
	]);
});

test("what is red stays red, and says nothing of answers", async () => {
	const texts = {
		"package.json": PACKAGE,
		"src/fee.js": PRODUCT,
		"test/fee.test.js": `${IMPORTS}test("red", () => { assert.equal(fee(200), 5); });\n`,
	};
	const { table, status } = await measuredRun(texts, [...NODE_TEST, "test/fee.test.js"]);
	expect({ table, status }).toEqual({ table: [], status: 1 });
});

test("nothing that trials leave behind reaches the runner", async () => {
	const product = `import { createServer } from "node:http";
export const opened = (server) => { server.listen(0); return true; };
export const served = () => createServer();
export const failing = async () => { throw new Error("late"); };
export const count = () => 1;
`;
	const cases = `import assert from "node:assert"; import { test } from "node:test"; import { count, failing } from "../src/made.js";
test("a promise that nobody waits for", async () => {
	const waiting = failing().catch((error) => { if (error.message !== "late") throw error; });
	assert.equal(count(), 1);
	await waiting;
});
test("a timer that is not stopped", () => {
	const timer = setInterval(() => {}, 1000);
	assert.equal(count(), 1);
	clearInterval(timer);
});
`;
	const texts = { "package.json": PACKAGE, "src/made.js": product, "test/made.test.js": cases };
	const { table, status, output } = await measuredRun(texts, [...NODE_TEST, "test/made.test.js"]);
	expect(status, output).toBe(0);
	expect(table).toContain("not ok - test/made.test.js:4 > count() gives 2");
	expect(table).toContain("not ok - test/made.test.js:9 > count() gives 2");
});

test("the same call of two objects that answer otherwise is two calls, and what a helper hands on is measured", async () => {
	const texts = {
		"package.json": PACKAGE,
		"src/made.js": `export class Line {
	constructor(at) { this.at = at; }
	place() { return { at: this.at }; }
}
export const twice = (n) => n * 2;
`,
		"test/help.js": 'export { twice } from "../src/made.js";\n',
		"test/made.test.js": `import assert from "node:assert"; import { test } from "node:test"; import { Line } from "../src/made.js"; import { twice } from "./help.js";
test("one", () => { assert.deepEqual(new Line(1).place(), { at: 1 }); });
test("other", () => { assert.strictEqual(twice(2), 4); twice(2); new Line(2).place(); });
`,
	};
	const { names, status, output } = await measuredRun(texts, [...NODE_TEST, "test/made.test.js"]);
	expect(status, output).toBe(0);
	expect(names).toContain(
		"not ok - test/made.test.js:2 > 1 times Line.place() gives another at instead of {at: 1}",
	);
	expect(names).toContain(
		"ok - test/made.test.js > 1 times Line.place() gives another at instead of {at: 2}",
	);
	expect(names).toContain("not ok - test/made.test.js:3 > 2 times twice(2) gives 5 instead of 4");
	expect(names).toContain('not ok - test/made.test.js:3 > 2 times twice(2) gives "4" instead of 4');
});

test("CommonJS: a function, its members, and a name with a default are measured", async () => {
	const texts = {
		"package.json": "{}",
		"src/fee.js":
			"module.exports = function fee(n) { return n + 1; };\nmodule.exports.twice = (n) => n * 2;\n",
		"test/fee.test.js": `"use strict"; const assert = require("node:assert"); const { test } = require("node:test");
const fee = require("../src/fee.js"), { twice: double = null } = require("../src/fee.js");
test("all", () => { assert.equal(fee(1), 2); assert.equal(double(2), 4); assert.equal(fee.twice(3), 6); });
`,
	};
	const { table, status, output } = await measuredRun(texts, [...NODE_TEST, "test/fee.test.js"]);
	expect(status, output).toBe(0);
	expect(table.filter((line) => line.startsWith("not"))).toEqual(
		[
			"fee(1) gives 3",
			"fee.twice(2) gives 5",
			"fee.twice(3) gives 7",
			"fee(1) gives 1",
			"fee.twice(2) gives 3",
			"fee.twice(3) gives 5",
		].map((name) => `not ok - test/fee.test.js:3 > ${name}`),
	);
});

thorough("an altered answer is a copy: what the product keeps stays as it was", async () => {
	const product = `const kept = { bytes: Buffer.from("abc"), list: [1], map: new Map([["a", 1]]), at: new Date(5) };
export const bytes = () => kept.bytes;
export const rest = () => kept;
export class Maker { made = () => 1; loose() { return this === undefined; } }
`;
	const cases = `import assert from "node:assert"; import { test } from "node:test"; import { bytes, rest, Maker } from "../src/made.js";
for (const n of [1, 2]) test("kept", () => { assert.equal(bytes().toString(), "abc"); assert.deepEqual(rest(), { bytes: Buffer.from("abc"), list: [1], map: new Map([["a", 1]]), at: new Date(5) }); });
test("own function", () => { const { made, loose } = new Maker(); assert.equal(made(), 1); assert.equal(loose(), true); });
`;
	const texts = { "package.json": PACKAGE, "src/made.js": product, "test/made.test.js": cases };
	const { table, status, output } = await measuredRun(texts, [...NODE_TEST, "test/made.test.js"]);
	expect(status, output).toBe(0);
	expect(table).toContain("not ok - test/made.test.js:2 > rest() gives another map");
	expect(table).toContain("not ok - test/made.test.js:3 > Maker.made() gives 2");
	expect(table).toContain("not ok - test/made.test.js:3 > Maker.loose() gives false");
});

thorough(
	"names that a file imports do not stand for those of the language in the runtime",
	async () => {
		const texts = {
			"package.json": PACKAGE,
			"src/made.js":
				"export const Map = () => 1; export const Object = Map; export const process = Map;",
			"test/made.test.js": `import assert from "node:assert"; import { test } from "node:test"; import { Map, Object, process } from "../src/made.js";
test("own names", () => { assert.equal(Map(), 1); });
`,
		};
		const { table, status, output } = await measuredRun(texts, [...NODE_TEST, "test/made.test.js"]);
		expect(status, output).toBe(0);
		expect(table[0]).toBe("not ok - test/made.test.js:2 > Map() gives 2");
	},
);
