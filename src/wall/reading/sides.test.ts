import { expect, test } from "vitest";
import { sidesOf } from "./sides.fixture.ts";

const NODE = {
	"package.json":
		'{"scripts":{"test":"node --test"},"main":"slug.mjs","imports":{"#check":"./lib/check.mjs"}}',
	"slug.mjs": 'import { trim } from "./lib/trim.mjs";\nexport const slug = trim;\n',
	"lib/trim.mjs":
		'const rules = new URL("rules.json", import.meta.url);\nexport const trim = (s) => s;\n',
	"lib/rules.json": "{}",
	"lib/check.mjs": 'import assert from "node:assert";\nexport const same = assert.equal;\n',
	"vendor/expect.mjs": "export const expect = () => {};\n",
	"slug.test.mjs":
		'import { slug } from "./slug.mjs";\nimport { same } from "#check";\nimport "./vendor/expect.mjs";\nread("data", "cases.json");\nread("docs/slug.svg");\n',
	"data/cases.json": "[]",
	"data/unused.csv": "",
	"docs/notes.txt": "",
	"docs/slug.svg": "<svg/>",
	"docs/other.svg": "<svg/>",
};

test("the unit under test is product; helpers, vendored libraries and data that only tests use are not", async () => {
	const { tests } = await sidesOf(NODE);
	expect(Object.fromEntries(tests)).toEqual({
		"slug.test.mjs": "name",
		"lib/check.mjs": "imported",
		"vendor/expect.mjs": "imported",
		"data/cases.json": "read",
		"data/unused.csv": "read",
		"docs/slug.svg": "read",
	});
});

test("a document at the root is data where tests name it there, and not where they make up a file of that name", async () => {
	const tests = `isMatch("a/b/.verb.md", "*.md");\nread("../USAGE.md");\nread(root + "/notes.txt");`;
	const files = { "test/a.test.mjs": tests, ".verb.md": "", "USAGE.md": "", "notes.txt": "" };
	const sides = await sidesOf({ ...NODE, ...files });
	expect(Object.keys(files).map((file) => sides.tests.get(file))).toEqual([
		"name",
		undefined,
		"read",
		"read",
	]);
});

test("scripts behind a command, what they source, and lists that they read are the tests'", async () => {
	const { tests } = await sidesOf(
		{
			Makefile: "include more.mk\ntest: build\n\tsh ci/run.sh < ci/cases.txt\nbuild:\n\techo\n",
			"more.mk": "",
			"ci/run.sh": ". ./shell/common.sh\nwhile read name; do sh app.sh $name; done\n",
			"ci/cases.txt": "one\n",
			"shell/common.sh": "assert_same() { test $1 = $2; }\n",
			"app.sh": "echo app\n",
			"other.txt": "",
		},
		{ run: "make test" },
	);
	expect([...tests.keys()].sort()).toEqual([
		"Makefile",
		"ci/cases.txt",
		"ci/run.sh",
		"more.mk",
		"shell/common.sh",
	]);
});

test("what a check runs from the product's folder is the tests' when its name says so", async () => {
	const files = { "src/run-tests.mjs": "", "src/main.mjs": "", ".env.ci": "A=1" };
	const run = "node --env-file=.env.ci src/run-tests.mjs && node src/main.mjs";
	const { tests } = await sidesOf(files, { run });
	expect([...tests.keys()].sort()).toEqual([".env.ci", "src/run-tests.mjs"]);
});

test("Python finds helpers by the usual roots", async () => {
	const { tests } = await sidesOf(
		{
			"tests/test_slug.py": "from slug import slug\nimport support.checks\n",
			"slug.py": "",
			"support/checks.py": "def check(): raise AssertionError\n",
			"conftest.py": "",
		},
		{ run: "pytest" },
	);
	expect([...tests.keys()].sort()).toEqual([
		"conftest.py",
		"support/checks.py",
		"tests/test_slug.py",
	]);
});

test("a module that is the project is its product, whatever words it has", async () => {
	const files = {
		"tests/test_a.py": "import parse_it\nimport compare\n",
		"parse_it.py": "raise AssertionError\n",
		"compare.py": "raise AssertionError\n",
	};
	const helpers = async (manifest: Record<string, string>) =>
		[...(await sidesOf({ ...files, ...manifest })).tests.keys()].slice(1).toSorted();
	expect(await helpers({})).toEqual(["compare.py", "parse_it.py"]);
	expect(await helpers({ "pyproject.toml": '[project]\nname = "parse-it"\n' })).toEqual([
		"compare.py",
	]);
	const listed = { "setup.py": "setup(py_modules=['parse_it',\n  'compare'])\n" };
	expect(await helpers(listed)).toEqual([]);
});

test("globs of the check replace what would be found; its command stays", async () => {
	const { tests, isTestWhenNew } = await sidesOf(
		{ "spec.js": "", "a.test.js": "", "check.sh": "", "expected.txt": "" },
		{ run: "sh check.sh", tests: ["spec.js", "expected.txt"] },
	);
	expect([...tests.keys()].sort()).toEqual(["check.sh", "expected.txt", "spec.js"]);
	expect(isTestWhenNew("b.test.js")).toBe(true);
});

test.each([
	["conftest.py", true],
	["test/helper.txt", true],
	["vitest.config.ts", true],
	["src/a.test.ts", true],
	["data/more.json", true],
	["src/a.ts", false],
	["notes.txt", false],
])("a new file %s is on the tests' side: %s", async (file, expected) => {
	const { isTestWhenNew } = await sidesOf(NODE);
	expect(isTestWhenNew(file)).toBe(expected);
});
