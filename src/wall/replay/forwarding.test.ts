import { expect, test } from "vitest";
import { changesOf, type Files } from "../integrity/inspect.fixture.ts";
import { forwardings } from "./forwarding.ts";

const of = (base: Files, head: Files) =>
	forwardings(changesOf(base, head), {
		readBase: async (file) => base[file] ?? null,
		readHead: async (file) => head[file] ?? null,
	});

test.each([
	["src/a.js", "lib/b.js", "export const a = 1;", 'export * from "../lib/b.js";\n'],
	[
		"a.ts",
		"b.ts",
		"export default 1;\nexport const a = 2;",
		'export * from "./b.ts";\nexport { default } from "./b.ts";\n',
	],
	[
		"a.cjs",
		"b.cjs",
		"exports.a = 1;",
		'module.exports = Object.assign(module.exports, require("./b.cjs"));\n',
	],
	[
		"book/money.py",
		"book/amount.py",
		"RATE = 1",
		'import importlib as _i\nglobals().update(vars(_i.import_module("book.amount")))\n',
	],
])("%s leads to %s", async (from, to, text, expected) => {
	expect(await of({ [from]: text }, { [to]: text })).toEqual([{ path: from, text: expected }]);
});

test("a module that was split leads to all of its parts", async () => {
	const one = "export const a = 1;\nexport const b = 2;\n";
	const two = "export const c = 3;\nexport const d = 4;\n";
	const [found] = await of({ "all.js": one + two }, { "one.js": one, "two.js": two });
	expect(found?.text).toBe('export * from "./one.js";\nexport * from "./two.js";\n');
});

test("a module that is gone, or a test, leads nowhere", async () => {
	expect(await of({ "a.js": "export const a = 1;" }, { "b.js": "export const b = 2;" })).toEqual(
		[],
	);
	expect(await of({ "test/a.js": "let a = 1;" }, { "test/b.js": "let a = 1;" })).toEqual([]);
});
