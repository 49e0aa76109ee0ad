import { describe, expect, test } from "vitest";
import { plainly, reordered, rewritten } from "./vanished.ts";

const MODULE = `import { limit } from "../src/limit.js";

test("counts", () => {
	const counter = limit(2);
	counter.take();
	expect(counter.left).toBe(1);
});

test("ends", () => {
	expect(limit(0).left).toBe(0);
});
`;
const PYTHON = `def test_overdraft(book):
    with pytest.raises(Overdraft):
        book.withdraw("b", 21)
    assert book.balances["b"] == 20


def test_empty(book):
    assert book.sum(
        "a",
    ) == 0
`;
const lines = (path: string, base: string, head: string) =>
	reordered(path, base, head, []).map(({ text }) => text);

test("of tests whose heads differ by their names alone the new one is told", () => {
	const added = "def test_full(book):\n    assert book\n\n\n";
	const head = PYTHON.replace("def test_empty", `${added}def test_empty`);
	expect(rewritten(PYTHON, head, []).fresh.map(({ text }) => text)).toEqual([
		"def test_full(book):",
		"assert book",
	]);
});

describe("statements of a test", () => {
	test("in another order are told with their test", () => {
		const [take, expects] = ["\tcounter.take();\n", "\texpect(counter.left).toBe(1);\n"];
		const head = MODULE.replace(take + expects, expects + take);
		expect(lines("a.test.js", MODULE, head)).toContain("counter.take();");
		expect(lines("a.test.js", MODULE, head)).not.toContain("expect(limit(0).left).toBe(0);");
	});

	test("at another depth are told in Python, where depth decides", () => {
		const head = PYTHON.replace("    assert book.balances", "        assert book.balances");
		expect(lines("test_a.py", PYTHON, head)).toContain('assert book.balances["b"] == 20');
	});

	test("are not where it only has more of them, or a list in it has more lines", () => {
		const more = MODULE.replace(
			"	expect(counter",
			"	expect(counter).toBeDefined();\n	expect(counter",
		);
		expect(lines("a.test.js", MODULE, more)).toEqual([]);
		expect(lines("test_a.py", PYTHON, `${PYTHON}    assert book\n`)).toEqual([]);
		const longer = PYTHON.replace('        "a",\n', '        "a",\n        "b",\n');
		expect(lines("test_a.py", PYTHON, longer)).toEqual([]);
		const go = MODULE.replaceAll(/^.*import.*$/gm, "");
		expect(lines("a_test.go", go, go.replace("\tcounter", "\tmake();\n\tcounter"))).not.toEqual([]);
	});

	test("of a script in another order are told, and those of a module of tests may stand anywhere", () => {
		const script =
			"failed=0\nwhile read -r name; do\n\tsame $name || failed=1\ndone\nexit $failed\n";
		const late = `${script.replace("failed=0\n", "").replace("exit", "failed=0\nexit")}`;
		expect(lines("run.sh", script, late)).toContain("failed=0");
		expect(lines("run.sh", script, `set -e\n${script}`)).toEqual([]);
		expect(lines("run.js", "a();\nb();\n", "function c() {}\na();\nc();\nb();\n")).toEqual([]);
		const [one, two] = ["const a = make(1);\n", "const b = make(2);\n"];
		expect(lines("a.test.js", one + two + MODULE, two + one + MODULE)).toEqual([]);
	});

	test("that stand in another test are told", () => {
		const line = "\texpect(counter.left).toBe(1);\n";
		const head = MODULE.replace(line, "").replace("\texpect(limit(0)", `${line}\texpect(limit(0)`);
		expect(lines("a.test.js", MODULE, head)).not.toEqual([]);
	});
});

test("tests that move as a whole, and what a formatter does, are none", () => {
	const [head = "", first = "", second = ""] = MODULE.split(/(?=^test\()/m);
	expect(lines("a.test.js", MODULE, head + second + first)).toEqual([]);
	expect(lines("a.test.js", MODULE, MODULE.replaceAll("\t", "  ").replaceAll(";", ""))).toEqual([]);
	const wrapped = MODULE.replace(
		"expect(counter.left).toBe(1)",
		"expect(\n\t\tcounter.left,\n\t).toBe(1)",
	);
	expect(lines("a.test.js", MODULE, wrapped)).toEqual([]);
	const joined = PYTHON.replace('book.sum(\n        "a",\n    ) == 0', 'book.sum("a") == 0');
	expect(lines("test_a.py", PYTHON, joined)).toEqual([]);
	const inClass = `class TestBook:\n${PYTHON.replaceAll(/^(?=.)/gm, "    ")}`;
	expect(lines("test_a.py", PYTHON, inClass)).toEqual([]);
});

describe("what parts words is told where it is gone", () => {
	const LIST = 'refused = [\n    "a",\n    "b c",\n    "d"\n]\n';

	test.each([
		["a comma between two lines", LIST.replace('"a",', '"a"'), '"a",'],
		["a space in a text", LIST.replace("b c", "bc"), '"b c",'],
	])("%s", (_, head, line) => {
		expect(lines("test_a.py", LIST, head)).toEqual([line]);
	});

	test("commas within a line that is broken", () => {
		const base = 'refused = ["a", "b"]\n';
		expect(lines("test_a.py", base, 'refused = [\n    "a"\n    "b"\n]\n')).toEqual([base.trim()]);
		expect(lines("test_a.py", base, 'refused = [\n    "a",\n    "b",\n]\n')).toEqual([]);
	});

	test("spaces between words of a shell", () => {
		const base = 'same() { [ "$1" = "$2" ]; }\n';
		expect(lines("same.sh", base, base.replace(" = ", "="))).toEqual([base.trim()]);
		expect(lines("same.js", base, base.replace(" = ", "="))).toEqual([]);
	});

	test("and a further entry, or another file that has the lines, is none", () => {
		expect(lines("test_a.py", LIST, LIST.replace('"d"', '"d",\n    "e"'))).toEqual([]);
		expect(reordered("test_a.py", LIST, "", [LIST])).toEqual([]);
	});
});

describe("a case that is added between others takes none of their lines", () => {
	const ONE = '\tit("one", () => {\n\t\texpect(f(1)).toBe(1);\n\t});\n';
	const EACH = '\tit.each(["a", "b"])("each %s", (x) => {\n\t\texpect(f(x)).toBe(x);\n\t});\n';
	const NEW =
		'\tit("two", function () {\n\t\texpect(\n\t\t\tfunction () { f(2); }\n\t\t).toThrow();\n\t});\n';
	const group = (...cases: readonly string[]) => `describe("f", () => {\n${cases.join("\n")}});\n`;

	test("before cases of a table", () => {
		expect(reordered("a.test.js", group(ONE, EACH), group(ONE, NEW, EACH), [])).toEqual([]);
	});

	test("in a group whose cases belong to what they are given", () => {
		const inGroup = (text: string) =>
			text.replaceAll(/\bit\b/g, "t.test").replaceAll("describe", "test");
		const [base, head] = [group(ONE, EACH), group(ONE, NEW, EACH)].map(inGroup) as [string, string];
		expect(reordered("a.js", base, head, [])).toEqual([]);
	});

	test("but a function around lines that stay does", () => {
		const around = ONE.replace(
			"\t\texpect(f(1)).toBe(1);\n",
			"\t\tconst later = () => {\n\t\texpect(f(1)).toBe(1);\n\t\t};\n",
		);
		expect(reordered("a.test.js", group(ONE), group(around), [])).not.toEqual([]);
	});
});

describe("what a linter writes in another way", () => {
	const imports = "import os\n\nfrom a import (\n    b,\n    c,\n)\nx = b\n";

	test("imports over several lines at the top, and members with the name of their value", () => {
		expect(plainly("test_a.py", imports)).toBe("import os\n\n\n\n\n\nx = b\n");
		const module = 'import {\n\ta,\n} from "a";\nuse({ a: a, max: 1 });\n';
		expect(plainly("a.js", "f({ at: 'b', a: a });\n")).toBe("f({ at: 'b', a });\n");
		expect(plainly("a.test.js", module)).toBe("\n\n\nuse({ a, max: 1 });\n");
	});

	test.each([
		["another name", "test_a.py", imports.replace("b,", "b as d,")],
		["a statement behind", "test_a.py", imports.replace(")\n", "); b = len\n")],
		["further down", "test_a.py", `x = 1\n${imports}`],
		["a default", "a.js", 'import {\n\ta,\n} from "a"; globalThis.a = 1;\n'],
		["in a text", "a.js", 'const t = `\nimport {\n\ta,\n} from "a";\n`;\n'],
		["a slice", "test_a.py", "assert t[0, n:n, 1]\n"],
		["a set", "test_a.py", "f({n: n})\n"],
		["a text with members", "a.js", 'f("{ a: a }");\n'],
		["a text over several lines", "a.js", "const t = `\n{ a: a }\n`;\n"],
		["data", "data.txt", "{ a: a }\n"],
	])("but not %s", (_what, path, text) => {
		expect(plainly(path, text)).toBe(text);
	});
});
