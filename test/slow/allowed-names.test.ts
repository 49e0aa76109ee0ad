import { expect, test } from "vitest";
import { repository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";

type Files = Readonly<Record<string, string>>;

const PACKAGE = { "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n' };

/** What a check says of changed files, with these allowances. */
function changing(base: Files, work: Readonly<Record<string, string | null>>) {
	const repo = repository({ files: base });
	tidyLater(() => repo.remove());
	for (const [path, text] of Object.entries(work)) {
		if (text === null) repo.git("rm", "--quiet", path);
		else repo.write({ [path]: text });
	}
	return async (args: readonly string[], ...allow: readonly string[]) => {
		const given = allow.flatMap((one) => ["--allow", `${one}:it is meant`]);
		const { stdout, code } = await spar(repo, ["check", ...args, ...given]);
		return { stdout: stdout.replaceAll(/\s+/g, " "), code };
	};
}

const ADD = "export const add = (a, b) => a + b;\n";
const OFF = "export const add = (a, b) => a + b + (a && b ? 1 : 0);\n";
const IMPORTS =
	'import assert from "node:assert/strict";\nimport { test, describe } from "node:test";\n';
const OF_ADD = `${IMPORTS}import { add } from "../src/add.js";\n`;

test("a skip that is allowed in one file lets no case of that name go in another", async () => {
	const unit = (name: string, cases: string) =>
		`import unittest\nfrom ${name} import ${name}\n\n\nclass Tests(unittest.TestCase):\n${cases}`;
	const works = (value: string) => `    def test_works(self):\n        ${value}\n\n`;
	const skip = "    @unittest.skip('flaky')\n";
	const check = changing(
		{
			".gitignore": "__pycache__\n",
			"add.py": "def add(a, b):\n    return a + b\n",
			"sub.py": "def sub(a, b):\n    return a - b\n",
			"test_sub.py": unit("sub", works("self.assertEqual(sub(2, 1), 1)")),
			"test_add.py": unit(
				"add",
				`${works("self.assertEqual(add(2, 1), 3)")}    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n`,
			),
		},
		{
			"add.py": "def add(a, b):\n    return a + b + (1 if a and b else 0)\n",
			"test_sub.py": unit("sub", skip + works("self.assertEqual(sub(2, 1), 1)")),
			"test_add.py": unit(
				"add",
				`${works("self.assertGreater(add(2, 1), 0)")}${skip}    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n`,
			),
		},
	);
	const tests = ["--command", "python3 -m unittest -v"];
	const { stdout, code } = await check(tests, "test_sub.py:skip", "test_add.py:skip");
	expect(stdout).toMatch(/^fail/);
	expect(code).toBe(1);
});

test("a file that may be deleted lets no case of another file go, whatever its comments say", async () => {
	const check = changing(
		{
			...PACKAGE,
			"src/add.js": ADD,
			"src/old.js": "export const old = 1;\n",
			"test/old.test.js": `${IMPORTS}import { old } from "../src/old.js";\n// adds is tested elsewhere\ntest("old", () => assert.equal(old, 1));\n`,
			"test/add.test.js": `${OF_ADD}test("adds", { timeout: 9_000 }, () => assert.equal(add(2, 1), 3));\ntest("adds zero", () => assert.equal(add(2, 0), 2));\n`,
		},
		{
			"src/add.js": OFF,
			"src/old.js": null,
			"test/old.test.js": null,
			"test/add.test.js": `${OF_ADD}test("adds", { timeout: 9_000 }, () => assert.equal(typeof add(2, 1), "number"));\ntest("adds zero", () => assert.equal(add(2, 0), 2));\n`,
		},
	);
	const { stdout } = await check([], "test/old.test.js:delete");
	expect(stdout).toMatch(/^fail/);
	expect(stdout).not.toContain("the product passes the original");
});

test("of two groups with a test of one name, the one that is skipped is let go by its allowance, and only that", async () => {
	const twins = (ofAdd: string, ofSub: string, skip = "") =>
		`${OF_ADD}import { sub } from "../src/sub.js";\ndescribe("add", () => {\n\ttest("works", () => ${ofAdd});\n});\ndescribe("sub", () => {\n\ttest${skip}("works", () => ${ofSub});\n});\n`;
	const [ofAdd, ofSub] = ["assert.equal(add(2, 1), 3)", "assert.equal(sub(2, 1), 1)"];
	const base = {
		...PACKAGE,
		"src/add.js": ADD,
		"src/sub.js": "export const sub = (a, b) => a - b;\n",
		"test/both.test.js": twins(ofAdd, ofSub),
	};
	const honest = changing(base, { "test/both.test.js": twins(ofAdd, ofSub, ".skip") });
	expect((await honest([])).stdout).toContain("--allow 'test/both.test.js:skip:the reason'");
	const { stdout } = await honest([], "test/both.test.js:skip");
	expect(stdout).toMatch(/^pass, 1 test not counted/);
	expect(stdout).toContain(
		"the base's tests on the work pass, 1 of 1 passed: 1 test of the base left out, as the task allows",
	);
	const wrong = changing(base, {
		"src/add.js": OFF,
		"test/both.test.js": twins("assert.equal(typeof add(2, 1), 'number')", ofSub, ".skip"),
	});
	expect((await wrong([], "test/both.test.js:skip")).stdout).toMatch(/^fail/);
});

test("more skipped tests than are named are let go by the allowance that is printed", async () => {
	const cases = (skip: string) =>
		Array.from(
			{ length: 13 },
			(_, at) =>
				`test${at < 12 ? skip : ""}("adds ${at}", () => assert.equal(add(${at}, 1), ${at + 1}));\n`,
		).join("");
	const check = changing(
		{ ...PACKAGE, "src/add.js": ADD, "test/add.test.js": OF_ADD + cases("") },
		{ "test/add.test.js": OF_ADD + cases(".skip") },
	);
	const first = await check([]);
	expect(first.stdout).toMatch(/^fail/);
	expect(first.stdout.match(/--allow '[^']*'/g)).toEqual([
		"--allow 'test/add.test.js:skip:the reason'",
	]);
	expect((await check([], "test/add.test.js:skip")).stdout).toMatch(/^pass, 12 tests not counted/);
});

test("beside a skip that is allowed, tests that expect something else are asked about, and nothing else is", async () => {
	const sub = (skip: string) =>
		`${IMPORTS}import { sub } from "../src/sub.js";\ntest${skip}("subtracts", () => assert.equal(sub(2, 1), 1));\ntest("keeps", () => assert.equal(sub(2, 0), 2));\n`;
	const check = changing(
		{
			...PACKAGE,
			"src/add.js": ADD,
			"src/sub.js": "export const sub = (a, b) => a - b;\n",
			"test/sub.test.js": sub(""),
			"test/add.test.js": `${OF_ADD}test("adds", () => assert.equal(add(2, 1), 3));\n`,
		},
		{
			"src/add.js": "export const add = (a, b) => a + b + 1;\n",
			"test/sub.test.js": sub(".skip"),
			"test/add.test.js": `${OF_ADD}test("adds", () => assert.equal(add(2, 1), 4));\n`,
		},
	);
	const { stdout } = await check([], "test/sub.test.js:skip");
	expect(stdout).toMatch(/^review, 1 test not counted/);
	expect(stdout).toContain("the product fails what it asked before");
	expect(stdout).not.toContain("notice less");
});

test("a root file that is called as node:test calls every file lets no case of another one go", async () => {
	const of = (name: string, cases: string) =>
		`${IMPORTS}import { ${name} } from "./src/${name}.js";\n${cases}`;
	const check = changing(
		{
			...PACKAGE,
			"src/add.js": ADD,
			"src/sub.js": "export const sub = (a, b) => a - b;\n",
			"test.js": of("add", 'test("adds", () => assert.equal(add(1, 2), 3));\n'),
			"sub.test.js": of(
				"sub",
				'test("subtracts", () => assert.equal(sub(5, 2), 3));\ntest("takes nothing", () => assert.equal(sub(5, 0), 5));\n',
			),
		},
		{
			"test.js": null,
			"src/sub.js": "export const sub = (a, b) => a;\n",
			"sub.test.js": of(
				"sub",
				'test("subtracts", () => assert.equal(sub(5, 0), 5));\ntest("takes nothing", () => assert.equal(sub(5, 0), 5));\n',
			),
		},
	);
	const { stdout } = await check([], "test.js:delete");
	expect(stdout).toMatch(/^fail/);
	expect(stdout).toContain("sub.test.js: this test file was weakened");
});

test("a deleted file takes its cases along, also those whose titles it puts together or escapes", async () => {
	const hole = ["$", "{n}"].join("");
	const check = changing(
		{
			...PACKAGE,
			"src/add.js": ADD,
			"src/sub.js": "export const sub = (a, b) => a - b;\n",
			"test/add.test.js": `${OF_ADD}for (const n of [1, 2]) test(\`adds ${hole} well\`, () => assert.equal(add(n, 0), n));\ntest('doesn\\'t overflow', () => assert.equal(add(0, 0), 0));\n`,
			"test/sub.test.js": `${IMPORTS}import { sub } from "../src/sub.js";\ntest("subtracts", () => assert.equal(sub(5, 2), 3));\n`,
		},
		{ "src/add.js": null, "test/add.test.js": null },
	);
	expect((await check([])).stdout).toMatch(/^review/);
	expect((await check([], "test/add.test.js:delete")).stdout).toMatch(/^pass/);
});

test("a skip that is allowed goes through where its title speaks of the data that it alone reads", async () => {
	const reading = (skip: string) =>
		`import { readFileSync } from "node:fs";\n${OF_ADD}test${skip}("adds as test/data/sum.json says", () => {\n\tconst { a, b, c } = JSON.parse(readFileSync(new URL("./data/sum.json", import.meta.url), "utf8"));\n\tassert.equal(add(a, b), c);\n});\ntest("adds nothing", () => assert.equal(add(2, 0), 2));\n`;
	const check = changing(
		{
			...PACKAGE,
			"src/add.js": ADD,
			"test/data/sum.json": '{ "a": 2, "b": 1, "c": 3 }\n',
			"test/add.test.js": reading(""),
		},
		{ "test/add.test.js": reading(".skip") },
	);
	expect((await check([])).stdout).toContain("--allow 'test/add.test.js:skip:the reason'");
	expect((await check([], "test/add.test.js:skip")).stdout).toMatch(/^pass, 1 test not counted/);
});
