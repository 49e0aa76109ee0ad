import { expect, test } from "vitest";
import { allowedChange, isRead } from "../integrity/excuses.ts";
import { changesOf, type Files } from "../integrity/inspect.fixture.ts";
import { sidesOf } from "../reading/sides.fixture.ts";
import { forwardings, planReplay } from "./replay-plan.ts";

const BASE: Files = {
	"package.json": '{"scripts":{"test":"node --test"},"imports":{"#lib":"./a.js"},"version":"1"}',
	"a.js": "export const a = 1;",
	"test/a.test.js": "one",
	"test/data.json": "[]",
};

async function plan(head: Files, allow: Parameters<typeof allowedChange>[0] = []) {
	return await planReplay({
		changes: changesOf(BASE, head),
		sides: await sidesOf(BASE),
		isAllowed: allowedChange(allow),
		readBase: async (file) => BASE[file] ?? null,
		readHead: async (file) => head[file] ?? null,
	});
}

test("a change of the product alone leaves nothing to replay", async () => {
	const head = { ...BASE, "a.js": "export const a = 2;", "b.js": "" };
	expect(await plan(head)).toEqual({ edits: [], restored: [], leftOut: [], differs: "none" });
});

test("new test files are left out", async () => {
	const found = await plan({ ...BASE, "test/b.test.js": "two" });
	expect(found).toMatchObject({ leftOut: ["test/b.test.js"], restored: [], differs: "added" });
});

test("new files that act on old tests are a change of them", async () => {
	const found = await plan({ ...BASE, "test/conftest.py": "" });
	expect(found).toMatchObject({ leftOut: ["test/conftest.py"], differs: "changed" });
});

test("tests and their data are put back, changed or deleted", async () => {
	const { "test/data.json": _gone, ...kept } = BASE;
	const found = await plan({ ...kept, "test/a.test.js": "weaker" });
	expect(found.restored).toEqual(["test/a.test.js", "test/data.json"]);
	expect(found.edits).toContainEqual({
		kind: "put",
		path: "test/data.json",
		mode: "100644",
		oid: "o[]",
	});
	expect(found.differs).toBe("changed");
});

test("package.json keeps the player's keys and the base's commands and import map", async () => {
	const head = {
		...BASE,
		"package.json":
			'{"scripts":{"test":"true"},"imports":{"#lib":"./b.js","#own":"./c.js"},"version":"2"}',
	};
	const { edits, restored, differs } = await plan(head);
	expect({ restored, differs }).toEqual({ restored: ["package.json"], differs: "changed" });
	const [edit] = edits;
	expect(edit?.kind === "write" && JSON.parse(edit.text)).toEqual({
		scripts: { test: "node --test" },
		imports: { "#lib": "./a.js", "#own": "./c.js" },
		version: "2",
	});
});

test("a path that needs the place of a restored file goes", async () => {
	const { "test/data.json": _gone, ...kept } = BASE;
	const found = await plan({ ...kept, "test/data.json/x.md": "" });
	expect(found.leftOut).toEqual(["test/data.json/x.md"]);
});

test("what the task allows counts as the player has it", async () => {
	const head = { ...BASE, "test/a.test.js": "changed", "test/data.json": "[1]" };
	const allow = [{ path: "test/*.js", change: "edit", reason: "asked for" }] as const;
	expect((await plan(head, allow)).restored).toEqual(["test/data.json"]);
	const other = [{ path: "test/*.js", change: "delete", reason: "asked for" }] as const;
	expect((await plan(head, other)).restored).toEqual(["test/a.test.js", "test/data.json"]);
});

test("a module that moved leads from its old place to the new one, for the base's tests", async () => {
	const { "a.js": text = "", ...rest } = BASE;
	const head = { ...rest, "lib/b.js": text, "test/a.test.js": "two" };
	const { edits } = await plan(head);
	expect(edits).toContainEqual({
		kind: "write",
		path: "a.js",
		mode: "100644",
		text: 'export * from "./lib/b.js";\n',
	});
	const other = await plan({ ...rest, "lib/b.js": "export const b = 2;", "test/a.test.js": "two" });
	expect(other.edits.map(({ path }) => path)).toEqual(["test/a.test.js"]);
});

test("a new helper that an allowed file names is not left out", async () => {
	const head = {
		...BASE,
		"test/a.test.js": 'import "./more.js";',
		"test/more.js": "",
		"test/other.js": "",
	};
	const allow = [{ path: "test/a.test.js", change: "edit", reason: "asked for" }] as const;
	expect((await plan(head, allow)).leftOut).toEqual(["test/other.js"]);
});

const of = (base: Files, head: Files) =>
	forwardings({
		changes: changesOf(base, head),
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
	expect(await of({ [from]: text }, { [to]: text })).toEqual([
		{ kind: "write", path: from, mode: "100644", text: expected },
	]);
});

test("a module that was split leads to all of its parts", async () => {
	const one = "export const a = 1;\nexport const b = 2;\n";
	const two = "export const c = 3;\nexport const d = 4;\n";
	const [found] = await of({ "all.js": one + two }, { "one.js": one, "two.js": two });
	expect(found).toMatchObject({ text: 'export * from "./one.js";\nexport * from "./two.js";\n' });
});

test("a module that is gone, or a test, leads nowhere", async () => {
	expect(await of({ "a.js": "export const a = 1;" }, { "b.js": "export const b = 2;" })).toEqual(
		[],
	);
	expect(await of({ "test/a.js": "let a = 1;" }, { "test/b.js": "let a = 1;" })).toEqual([]);
});

test("a file without tests is read by the tests that name it", () => {
	const texts = new Map([
		["test/a.test.js", 'import "./b.test.js";\ntest("a", () => same(load("data.json")));\n'],
		["test/b.test.js", 'test("b", () => {});\n'],
		["test/data.json", '["data.json"]'],
		["test/a.test.js.snap", "1"],
	]);
	expect([...texts.keys()].filter((file) => isRead(file, texts))).toEqual(["test/data.json"]);
});
