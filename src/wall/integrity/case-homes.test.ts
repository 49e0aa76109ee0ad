import { expect, test } from "vitest";
import { caseHomes } from "./case-homes.ts";

const HOLE = ["$", "{n}"].join("");
const PATHS = [
	"test.js",
	"test/data.json",
	"tests/test_b.py",
	"test_b.py",
	"lib/a.test.js",
	"a.test.js",
];
const { fileOf } = caseHomes(PATHS, new Map());

test.each([
	["tests.test_b > test_works", "tests/test_b.py"],
	["tests.test_b.TestCart > test_works", "tests/test_b.py"],
	["test_b > test_works", "test_b.py"],
	["lib/a.test.js > adds", "lib/a.test.js"],
	["a.test.js > adds", "a.test.js"],
	["a.test.js > reads tests/test_b.py.txt", "a.test.js"],
	["test_works (test_b.Tests.test_works)", "test_b.py"],
	["tests.test_bc > test_works", null],
	["test > is like test_b", null],
	["test > as lib/a.test.js says", null],
	["test/data.json > adds", null],
	["as lib/a.test.js says", null],
	["lib/a.test.js: does not load", "lib/a.test.js"],
	["test > works", null],
])("%s names %s", (id, file) => {
	expect(fileOf(id)).toBe(file);
	expect(fileOf(id)).toBe(file);
});

test("a case that names no file may be of each that declares its title, and a comment declares nothing", () => {
	const texts = new Map([
		["a.test.js", 'test("adds", f); // doubles is elsewhere'],
		["lib/a.test.js", "test('adds', f); test(`doubles`, f);"],
		["tests/test_b.py", "def test_doubles():\n    doubles(1)\n"],
	]);
	const { mayBeOf, hasTests } = caseHomes(PATHS, texts);
	expect(mayBeOf("test > adds")).toEqual(["a.test.js", "lib/a.test.js"]);
	expect(mayBeOf("test > doubles")).toEqual(["lib/a.test.js"]);
	expect(mayBeOf("test > test_doubles[2]")).toEqual(["tests/test_b.py"]);
	expect(mayBeOf("tests.test_b > adds")).toEqual(["tests/test_b.py"]);
	expect([hasTests("a.test.js"), hasTests("none.js")]).toEqual([true, false]);
});

test("a title that a file puts together, escapes or parts by its own sign is declared there", () => {
	const texts = new Map([
		["a.test.js", `for (const n of all) test(\`adds ${HOLE} well\`, f); test('doesn\\'t add', f);`],
		[
			"lib/a.test.js",
			'test("sub > works", f); test("subtracts " + n, f); test.each(all)("is %d long", f);',
		],
		["test.js", `test(\`${HOLE}\`, f); test('works', f);`],
	]);
	const { mayBeOf } = caseHomes(PATHS, texts);
	expect(mayBeOf("test > adds 7 well")).toEqual(["a.test.js"]);
	expect(mayBeOf("test > doesn't add")).toEqual(["a.test.js"]);
	expect(mayBeOf("test > subtracts 3")).toEqual(["lib/a.test.js"]);
	expect(mayBeOf("test > is 12 long")).toEqual(["lib/a.test.js"]);
	expect(mayBeOf("test > sub > works")).toEqual(["lib/a.test.js", "test.js"]);
	expect(mayBeOf("test > anything")).toEqual([]);
});
