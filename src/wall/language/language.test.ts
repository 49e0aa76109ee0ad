import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { PythonRunner } from "../../syntax/python-syntax.ts";
import { javascript } from "./javascript.ts";
import { describeLanguage } from "./language.contract.ts";
import { treeReader } from "./languages.ts";
import { python } from "./python.ts";
import { recordedPython } from "./python-trees.fixture.ts";

const noProgram: PythonRunner = async () => expect.unreachable();

describe("JavaScript", () => {
	const adds = `test("adds", () => {
	assert.equal(add(1, 2), 3);
})`;
	const tests = `import assert from "node:assert";
import { add } from "../src/made.js";
const make = () => 1;
${adds};
test("nothing", () => {});
`;
	describeLanguage(javascript, noProgram, {
		path: "test/a.test.js",
		tests,
		titles: { adds: "adds", nothing: "nothing" },
		adds: `${adds};`,
		wrong: tests.replace("3", "4"),
		choice: "export const f = (n) => {\n\tif (n === 12345) return 1;\n};\n",
		broken: "const = ;",
		module: "../src/made.js",
		place: "src/made.ts",
	});
});

describe("Python", () => {
	const adds = `@slow
def test_adds():
    assert add(1, 2) == 3`;
	const tests = `from made import add
def make():
    return 1
${adds}
def test_nothing():
    """Nothing."""
`;
	describeLanguage(python, recordedPython, {
		path: "tests/test_a.py",
		tests,
		titles: { adds: "test_adds", nothing: "test_nothing" },
		adds,
		wrong: tests.replace("3", "4"),
		choice: "def f(n):\n    if n == 12345: return 1\n",
		broken: "a = (",
		module: "made",
		place: "tests/made.py",
	});
});

const textsIn = (input: string): string[] => z.array(z.string()).parse(JSON.parse(input));
const tree = (name: string) => ({ type: name, start: 0, end: 1 });

test("texts are read by their language, in their order; others have no tree", async () => {
	const read = treeReader(async (_args, input) => {
		const texts = textsIn(input);
		return JSON.stringify(texts.map((text) => tree(text)));
	});
	const found = await read([
		{ path: "a.py", text: "one" },
		{ path: "b.js", text: "two()" },
		{ path: "c.go", text: "three" },
		{ path: "d.py", text: "four" },
	]);
	expect(found.map((each) => each?.type ?? null)).toEqual(["one", "File", null, "four"]);
	expect(await read([{ path: "c.go", text: "" }])).toEqual([null]);
});
