import { expect, test } from "vitest";
import { allCorrupted, corruptions } from "./corrupt.ts";

const changedLines = (path: string, text: string): (string | undefined)[] =>
	corruptions(new Map([[path, text]]), true).map((found) => found.text.split("\n")[found.line - 1]);

test.each([
	["run.js", 'if (encode(text) !== "a b") fail();', 'if (encode(text) !== "a b~") fail();'],
	["run.js", '	["sos", "... ---"],', '	["sos", "... ---~"],'],
	["test.sh", '[ "$(sh mean.sh 1 3)" = 2 ] || fail 1', '[ "$(sh mean.sh 1 3)" = 3 ] || fail 2'],
	["check.py", "assert mean([1, 3]) == 2.5", "assert mean([1, 3]) == 3.5"],
	[
		"run.js",
		"if (mean([1, 3]) !== 2) process.exit(1);",
		"if (mean([1, 3]) !== 3) process.exit(1);",
	],
	["expected.txt", "mean: 2", "mean: 7"],
	["cases.csv", "a,b", "a,7"],
])("%s: a wrong value in %s", (path, line) => {
	const [changed] = changedLines(path, line);
	expect(changed).not.toBe(line);
	expect(changed).toHaveLength(line.length + (changed?.includes("~") === true ? 1 : 0));
});

test("imports, comments, and lines that tell something or have no value stay", () => {
	const text =
		'import { a } from "./a.js";\n// equal to 1\ncheck(a);\nif (a === b) throw new Error("x");\nequal(a(), 1);\n';
	expect(changedLines("run.js", text)).toEqual(["equal(a(), 2);"]);
});

test("data counts only where there are tests that may read it", () => {
	const texts = new Map([["data.txt", "1"]]);
	expect(corruptions(texts, true)).toEqual([{ path: "data.txt", line: 1, text: "7" }]);
	expect(corruptions(texts, false)).toEqual([]);
});

test("words of data that keep it from being read stay", () => {
	const texts = new Map([["data.json", '{ "on": true,\n"to": 1 }']]);
	expect(corruptions(texts, true)).toMatchObject([{ line: 2 }]);
});

test("all wrong values at once", () => {
	const texts = new Map([
		["run.js", "equal(a(), 1);\nrun();\nequal(b(), 2);"],
		["data.txt", "1"],
	]);
	expect(allCorrupted(corruptions(texts, true), texts)).toEqual([
		{ path: "run.js", text: "equal(a(), 2);\nrun();\nequal(b(), 3);" },
		{ path: "data.txt", text: "7" },
	]);
});

test("lists of names and names of tests are left alone", () => {
	expect(changedLines("suites.txt", "format\nparse\n")).toEqual([]);
	expect(changedLines("Makefile", "test:\n")).toEqual([]);
	expect(changedLines("run.js", 'same("adds " + n, n);')).toEqual([]);
});
