import { expect, test } from "vitest";
import { isMeasured } from "./kept-tests.ts";
import type { Notices } from "./notices.ts";

const path = "test/fee.test.js";
const base = `import assert from "node:assert";
import { fee } from "../fee.js";

test("fee", () => {
	assert.equal(fee(200), 20);
	assert.equal(fee(0), 0);
});
`;
const told = (lines: number[], more: Partial<Notices> = {}): Notices => ({
	trials: new Map(),
	times: new Map(),
	lines: new Set(lines.map((line) => `${path}:${line}`)),
	measured: new Set([`${path}:4`]),
	left: new Set(),
	late: new Set(),
	...more,
});
const isMeasuredIn = (head: string, notices: Notices): boolean =>
	isMeasured({ path, text: base, head }, notices);

const rewritten = base.replace("assert.equal(fee(200), 20)", "assert.ok(fee(200) === 20)");

test("lines that are gone and noticed something are measured", () => {
	expect(isMeasuredIn(rewritten, told([5]))).toBe(true);
});

test("a line that asserts, is gone and noticed nothing is not", () => {
	expect(isMeasuredIn(rewritten, told([6]))).toBe(false);
});

test("lines of a case that could not be measured are not, and those of other cases are", () => {
	const two = `${base}test("day", () => {\n\tconst day = 2;\n\tassert.equal(fee(0, day), 0);\n});\n`;
	const left = { left: new Set([`${path}:8`]) };
	const isKept = (from: string, to: string) =>
		isMeasured({ path, text: two, head: two.replace(from, to) }, told([5, 6], left));
	expect(isKept("assert.equal(fee(200), 20)", "assert.ok(fee(200) === 20)")).toBe(true);
	expect(isKept("const day = 2", "const day = 3")).toBe(false);
});

test("a file whose cases nobody told of is not measured", () => {
	const nobody = told([], { measured: new Set() });
	expect(isMeasuredIn(base.replace("import assert", "import  assert"), nobody)).toBe(false);
});

test("a file without cases of its own is measured where no case was left out", () => {
	const helper = { path: "test/lib.js", text: "export const two = 2;\n", head: "" };
	expect(isMeasured(helper, told([5, 6]))).toBe(true);
	expect(isMeasured(helper, told([5, 6], { left: new Set(["test/other.js:9"]) }))).toBe(false);
});

test("what stands in for the product is measured instead of it", () => {
	const mocked = base.replace("\ntest(", '\nvi.mock("../fee.js");\ntest(');
	expect(isMeasuredIn(mocked, told([5, 6]))).toBe(false);
});

test("what may disarm lines that noticed nothing is not measured", () => {
	const left = base.replace(
		"\tassert.equal(fee(0)",
		"\tif (fee.off) return;\n\tassert.equal(fee(0)",
	);
	expect(isMeasuredIn(left, told([5]))).toBe(false);
	expect(isMeasuredIn(left, told([5, 6]))).toBe(true);
	expect(isMeasuredIn(base.replace("node:assert", "node:assert/strict"), told([5, 6]))).toBe(true);
});
