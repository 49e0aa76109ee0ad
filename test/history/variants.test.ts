import { expect, test } from "vitest";
import {
	failedLines,
	isProductFile,
	isTestFile,
	mutations,
	withoutAssertions,
	withoutCase,
} from "./variants.ts";

test("paths of code are tests or product, and what belongs to neither is no variant's", () => {
	expect(
		["test/a.js", "src/a.spec.ts", "tests/test_a.py", "test/data.json"].map(isTestFile),
	).toEqual([true, true, true, false]);
	expect(
		["lib/a.js", "a.d.ts", "docs/conf.py", "eslint.config.mjs", "README.md"].map(isProductFile),
	).toEqual([true, false, false, false, false]);
});

test("a case goes with its whole block, and the last of a file never does", () => {
	const text =
		"describe('a', () => {\n\tit('one', () => {\n\t\tcheck();\n\t});\n\tit('two', () => {});\n});\n";
	expect(withoutCase(text)).toEqual({
		gone: "it('two', () => {});",
		text: "describe('a', () => {\n\tit('one', () => {\n\t\tcheck();\n\t});\n});\n",
	});
	expect(withoutCase(text, "it('one', () => {")?.text).toBe(
		"describe('a', () => {\n\tit('two', () => {});\n});\n",
	);
	expect(withoutCase(text, "it('three', () => {});")).toBeUndefined();
	expect(withoutCase("def test_a():\n    assert f()\n")).toBeUndefined();
	expect(withoutCase("def test_a():\n    assert f()\n\n\ndef test_b():\n    pass\n")?.text).toBe(
		"def test_a():\n    assert f()\n\n",
	);
});

test("a product is broken in the line that is nearest to a change", () => {
	const text = "// a === b\nif (a === b) {\n\treturn i + 1;\n}\n";
	expect(mutations(text, [3], 2).map(({ gone }) => gone)).toEqual([
		"return i + 2;",
		"if (a !== b) {",
	]);
});

test("assertions go as statements, and a line that asserts nothing ends it", () => {
	const text = "const a = 1;\nassert.deepEqual(f(\n\t'(',\n), [1]);\nt.end();\n";
	expect(withoutAssertions(text, [2])).toBe("const a = 1;\nt.end();\n");
	expect(withoutAssertions(text, [1])).toBeUndefined();
	expect(withoutAssertions("def test_a():\n    assert f() == 1\n", [2])).toBe(
		"def test_a():\n    pass\n",
	);
});

test("what a runner names of test files are the lines that were red", () => {
	const output = 'at test/a.js:12:3\nFile "tests/test_b.py", line 7, in test_b\nsrc/a.js:9\n';
	expect(failedLines(output, ["test/a.js", "tests/test_b.py"])).toEqual(
		new Map([
			["test/a.js", [12]],
			["tests/test_b.py", [7]],
		]),
	);
});
