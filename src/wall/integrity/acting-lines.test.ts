import { describe, expect, test } from "vitest";
import { disarmingLines } from "./disarming-lines.ts";
import { rewritten } from "./vanished.ts";

const acting = (path: string, base: string, head: string): string[] =>
	disarmingLines(rewritten(base, head, []).fresh, { path, base, head }).map(({ text }) => text);

const JS = `import { expect, test } from "vitest";
import { make } from "../src/make.js";

const table = {
	x: 1,
};
const rows = [
	["a", 1],
];

test("a", () => {
	const one = make(
		1,
	);
	expect(one.size).toBe(1);
});
`;
const PY = `import pytest
from tests.case import Case


class MakeTest(Case):
    limit = 3

    def test_all(self):
        with self.assertRaises(ValueError):
            make(-1)
        self.assertEqual(make(1), 1)


def test_sizes(size):
    assert size == 1
`;
const TAPE = `test("parses", function (t) {
	t.test("one", function (st) {
		st.equal(parse("1"), 1);
		st.end();
	});
});
`;
const SH = `same() { [ "$1" = "$2" ]; }
`;

describe("what is added to tests acts on none that are there", () => {
	test.each<[string, string, string]>([
		[
			"a test",
			"a.test.js",
			`${JS}test("b", () => {\n	make(2);\n	expect(make(3)).toBe(3);\n});\n`,
		],
		[
			"a loop of tests",
			"a.test.js",
			`${JS}for (const size of [1, 2]) {\n	test("of " + size, () => {\n		make(size);\n	});\n}\n`,
		],
		[
			"a case of a group, whose end is that of the one before",
			"test/parse.js",
			TAPE.replace(
				"\n});\n",
				'\n\n	t.test("two", function (st) {\n		var deep = {};\n		for (var i = 0; i < 9; i++) {\n			deep.a = {};\n		}\n		st.equal(parse(deep), 2);\n		st.end();\n	});\n});\n',
			),
		],
		["an entry of a list", "a.test.js", JS.replace("	[", '	["b", 2],\n	[')],
		["an assertion", "a.test.js", JS.replace("	expect", "	expect(one).toBeTruthy();\n	expect")],
		["an own name", "a.test.js", JS.replace("	expect", "	const two = one;\n	expect")],
		["a key of a table", "a.test.js", JS.replace("\tx: 1,", "\tx: 1,\n\ty: 2,")],
		["a type", "a.test.ts", `${JS}interface Size {\n	readonly width: number;\n}\n`],
		["what a test does last", "a.test.js", JS.replace("(1);\n}", "(1);\n	make(2);\n}")],
		["lines of a text", "a.test.js", `${JS}const text = \`\nmake(1);\n\`;\n`],
		[
			"what a new test sets of its own",
			"a.test.js",
			`${JS}test("b", (one) => {\n	one.at = 1;\n});\n`,
		],
		[
			"a decorated test",
			"test_a.py",
			`${PY}\n\n@pytest.mark.usefixtures("home")\ndef test_more(size):\n    size.at = 2\n    assert size\n`,
		],
		[
			"a test of a class",
			"test_a.py",
			PY.replace("    def test_all", "    def test_b(self):\n        make(2)\n\n    def test_all"),
		],
		[
			"an assertion about a part",
			"a.test.js",
			`${JS}test("b", () => {\n	assert.equal(make.of, "size");\n	t.equal(make, "size");\n	self.assertEqual(make.of, "size");\n});\n`,
		],
		["two names", "test_a.py", `${PY}\n\nfirst, second = 1, 2\n`],
		["a check of types", "a.test-d.ts", `${JS}make("gold");\n`],
		["a language that is read by its signs alone", "a_test.go", `${JS}make(1)\n`],
	])("%s", (_, path, head) => {
		const base = path.endsWith(".py") ? PY : JS;
		expect(acting(path, base, head)).toEqual([]);
	});
});

describe("what is added to tests and may act on those that are there", () => {
	test.each<[string, string, string, string]>([
		[
			"a call among the tests",
			"a.test.js",
			`${JS}expect.addTesters([]);\n`,
			"expect.addTesters([]);",
		],
		[
			"a call before an assertion",
			"a.test.js",
			JS.replace("	expect", "	one.grow();\n	expect"),
			"one.grow();",
		],
		[
			"a member of what all share, in a new test as well",
			"a.test.js",
			`${JS}test("b", () => {\n	Math.floor = Math.round;\n});\n`,
			"Math.floor = Math.round;",
		],
		[
			"the same within a value",
			"a.test.js",
			`${JS}const own = (Math.floor = Math.round);\n`,
			"const own = (Math.floor = Math.round);",
		],
		["a further argument", "a.test.js", JS.replace("		1,", "		1,\n		9,"), "9,"],
		[
			"a value that goes on",
			"a.test.js",
			JS.replace("(1);\n}", "(1)\n	|| make(2);\n}"),
			"|| make(2);",
		],
		[
			"a decorator of a test that is there",
			"test_a.py",
			PY.replace("def test_sizes", "@patched\ndef test_sizes"),
			"@patched",
		],
		[
			"a part of an import that is given by its name, in a new test as well",
			"a.test.js",
			`${JS}test("b", () => {\n	mock.getter(make.prototype, "size", () => 2);\n});\n`,
			'mock.getter(make.prototype, "size", () => 2);',
		],
		[
			"a mock, in a new test as well",
			"a.test.js",
			`${JS}test("b", () => {\n	vi.mock("../src/make.js");\n});\n`,
			'vi.mock("../src/make.js");',
		],
		[
			"a key of a table that is known",
			"a.test.js",
			JS.replace("\tx: 1,", "\tx: 1,\n\tsize: 2,"),
			"size: 2,",
		],
		[
			"a list of settings",
			"vitest.config.js",
			JS.replace('\t["a', '\t["b", 2],\n\t["a'),
			'["b", 2],',
		],
		[
			"a hook of a class",
			"test_a.py",
			PY.replace("    limit", "    def setUp(self):\n        pass\n\n    limit"),
			"def setUp(self):",
		],
		[
			"a value of a class",
			"test_a.py",
			PY.replace("    limit", "    maxDiff = 1\n    limit"),
			"maxDiff = 1",
		],
		[
			"a hook of a module",
			"test_a.py",
			`${PY}\n\ndef setup_module():\n    pass\n`,
			"def setup_module():",
		],
		[
			"a name that tests resolve",
			"test_a.py",
			`${PY}\n\n@pytest.fixture\ndef size():\n    return 1\n`,
			"def size():",
		],
		[
			"an assertion where an error is expected",
			"test_a.py",
			PY.replace("            make", "            assert make(2)\n            make"),
			"assert make(2)",
		],
		["a function of a shell", "compare.sh", `${SH}cat() { true; }\n`, "cat() { true; }"],
	])("%s", (_, path, head, line) => {
		const base = path.endsWith(".py") ? PY : path.endsWith(".sh") ? SH : JS;
		expect(acting(path, base, head)).toContain(line);
	});

	test("a file of which the lines are beyond number is asked about as a whole", () => {
		const many = (word: string): string =>
			`${Array.from({ length: 2_100 }, (_, at) => `${word}${at}();`).join("\n")}\n`;
		expect(acting("a.test.js", many("one"), many("two"))).toHaveLength(2_100);
	});
});

describe("data", () => {
	test.each<[string, string, string, string]>([
		["further rows", "a.csv", "a,1\n", 'a,1\nb,"2, 3"\n'],
		[
			"further entries",
			"a.json",
			'{"a": [1, {"b": null}]}',
			'{"c": "\\": \\"d\\": ",\n"a": [0, 1, {"b": null, "d": "x"}]}',
		],
		["texts beyond a depth", "a.json", "[".repeat(9_000), `${"[".repeat(9_000)}\n1`],
		["further lines", "cases.list", "one\n", "one\nit's\n"],
	])("%s act on none that are there", (_, path, base, head) => {
		expect(acting(path, base, head)).toEqual([]);
	});

	test.each<[string, string, string, string]>([
		["a row that does not end", "a.csv", "a,1\nb,2\n", 'c,"3\na,1\nb,2\n'],
		["a line that goes on", "a.mk", "ALL = a\n", "# more \\\nALL = a\n"],
		["a key that stands twice", "a.json", '{\n"a": 1\n}\n', '{\n"a": 1,\n"a": 2\n}\n'],
		[
			"a value of another place",
			"a.json",
			'{\n"a": [\n1\n]\n}\n',
			'{\n"b": [\n1\n],\n"a": {}\n}\n',
		],
		["what is no list any more", "a.json", "[\n1\n]\n", '{"a": [\n1\n]}\n'],
		["what cannot be read", "a.json", "[\n1\n]\n", "[\n1\n], 2\n"],
	])("%s may", (_, path, base, head) => {
		expect(acting(path, base, head)).not.toEqual([]);
	});
});

test("a word in a sentence of the base is no name that it uses", () => {
	const base = JS.replace('test("a"', 'test("never holds more"');
	const helper = "function holds(one, size) {\n\texpect(one.size).toBe(size);\n}\n\n";
	const head = base.replace("test(", `${helper}test(`);
	expect(acting("a.test.js", base, head)).toEqual([]);
	const used = base.replace("1,\n\t);", "1,\n\t);\n\tholds(one, 1);");
	expect(acting("a.test.js", used, used.replace("test(", `${helper}test(`))).not.toEqual([]);
});

test("an assertion of tape more acts on nothing, and what takes part in none does", () => {
	const base = 'test("a", (t) => {\n\tconst x = f();\n\tt.equal(x.host, "a");\n\n\tt.end();\n});\n';
	const more = (line: string) => base.replace('"a");\n\n', `"a");\n\t${line}\n\n`);
	for (const line of [
		't.equal(x.error, "b");',
		"t.notDeepEqual(x, {});",
		"t.doesNotThrow(f);",
		"t.ok(x);",
	])
		expect(acting("a.test.js", base, more(line))).toEqual([]);
	for (const line of ["t.end();", "t.skip();", "x.equal(1);"])
		expect(acting("a.test.js", base, more(line))).toEqual([line]);
});

test("entries more of a table of objects act on nothing, whatever stands before them", () => {
	const entry = (path: string) =>
		`\t{\n\t\tpath: "${path}",\n\t\toptions: {\n\t\t\tend: false,\n\t\t},\n\t\ttests: [\n\t\t\t{ input: "${path}" },\n\t\t],\n\t},\n`;
	const table = (rows: string) => `import x from "x";\nexport const TESTS = [\n${rows}];\n`;
	const [one, two] = [entry("/a"), `\n\t/**\n\t * Two.\n\t */\n${entry("/b")}`];
	const more = `\n\t/**\n\t * More.\n\t */\n${entry("/a")}${entry("/c")}`;
	expect(acting("a.spec.ts", table(one + two), table(one + more + two))).toEqual([]);
});

describe("lines that a change adds among those of the base", () => {
	test("in a block that a brace alone opens acts on what stands below it", () => {
		const base = 'test("a", () => {\n\tlet v = x(1);\n\texpect(v).toBe(2);\n});\n';
		const head = base.replace("\texpect", "\t{\n\t\tv = 2;\n\t}\n\texpect");
		expect(acting("a.test.js", base, head)).toEqual(["v = 2;"]);
	});

	test("in new cases whose other lines stand in the base as well acts on nothing", () => {
		const one = (title: string, last: string) =>
			`test("${title}", (done) => {\n\tconst req = make();\n${last}\treq.end(done);\n});\n`;
		const set = '\treq.set("type", "json");\n';
		const base = `import x from "x";\n${one("a", "")}${one("b", set)}`;
		const more = one("c", set);
		const head = base
			.replace('test("b"', `${more}test("b"`)
			.replace('"x";\n', '"x";\nconst ONE = 1;\n');
		expect(acting("a.test.js", base, head)).toEqual([]);
		const inOld = base.replace("\treq.end", `${set}\treq.end`);
		expect(acting("a.test.js", base, inOld)).toEqual([set.trim()]);
	});
});
