import { describe, expect, test } from "vitest";
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
const FACTS = { isTest: (file: string) => file.startsWith("test/"), heads: new Map() };
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
	isMeasured({ path, text: base, head }, notices, FACTS);

const rewritten = base.replace("assert.equal(fee(200), 20)", "assert.ok(fee(200) === 20)");

test("lines that are gone and noticed something are measured", () => {
	expect(isMeasuredIn(rewritten, told([5]))).toBe(true);
});

test("a line that asserts, is gone and noticed nothing is not", () => {
	expect(isMeasuredIn(rewritten, told([6]))).toBe(false);
});

test("a line of a case with the same text as one that noticed is measured, too", () => {
	const twice = base.replace("\tassert.equal(fee(0), 0);", "\tassert.equal(fee(200), 20);");
	const head = twice
		.replaceAll(/\tassert.*\n/g, "")
		.replace("{\n", "{\n\tassert.deepEqual([fee(200), fee(200)], [20, 20]);\n");
	expect(isMeasured({ path, text: twice, head }, told([5]), FACTS)).toBe(true);
	const apart = twice.replace(/(\tassert.*\n)(\tassert)/, '$1});\ntest("again", () => {\n$2');
	const [first = "", second = ""] = apart.split("again");
	const less = `${first}again${second.replace("fee(200), 20", "1, 1")}`;
	const notices = told([5], { measured: new Set([`${path}:4`, `${path}:7`]) });
	expect(isMeasured({ path, text: apart, head: less }, notices, FACTS), "in another case").toBe(
		false,
	);
});

test("what opens a block in a case acts on no blind line of another one", () => {
	const blind = `${base}test("day", () => {\n\tassert.ok(now());\n});\n`;
	const isKept = (from: string, to: string) =>
		isMeasured({ path, text: blind, head: blind.replace(from, to) }, told([5, 6]), FACTS);
	const within = (line: string) => `\tif (isOpen()) {\n${line}\n\t}`;
	const [noticed, other] = ["\tassert.equal(fee(0), 0);", "\tassert.ok(now());"];
	expect(isKept(noticed, within(noticed))).toBe(true);
	expect(isKept(other, within(other))).toBe(false);
	expect(isKept(noticed, `${noticed}\n\tMath.max = () => 1;`)).toBe(false);
});

test("lines of a case that could not be measured are not, and those of other cases are", () => {
	const two = `${base}test("day", () => {\n\tconst day = 2;\n\tassert.equal(fee(0, day), 0);\n});\n`;
	const left = { left: new Set([`${path}:8`]) };
	const isKept = (from: string, to: string) =>
		isMeasured({ path, text: two, head: two.replace(from, to) }, told([5, 6], left), FACTS);
	expect(isKept("assert.equal(fee(200), 20)", "assert.ok(fee(200) === 20)")).toBe(true);
	expect(isKept("const day = 2", "const day = 3")).toBe(false);
});

test("a file whose cases nobody told of is not measured", () => {
	const nobody = told([], { measured: new Set() });
	expect(isMeasuredIn(base.replace("import assert", "import  assert"), nobody)).toBe(false);
});

test("of a file without cases each line that is gone has noticed something", () => {
	const helper = { path: "test/lib.js", text: "export const two = 2;\nassert(two);\n" };
	const noticed = told([], { lines: new Set(["test/lib.js:2"]) });
	const isKept = (head: string) => isMeasured({ ...helper, head }, noticed, FACTS);
	expect(isKept("export const two = 2;\nassert.ok(two);\n")).toBe(true);
	expect(isKept("export const two = 3;\nassert(two);\n")).toBe(false);
});

test.each([
	["sets what all share", "export const half = (Math.floor = Math.round);\n"],
	["puts something in the place of the product", 'vi.mock("../src/rates.js");\n'],
	["acts after each test", "afterEach(({ task }) => {\n\ttask.result.state = 'pass';\n});\n"],
])("a file without cases that %s now is not measured", (_what, added) => {
	const helper = { path: "test/lib.js", text: "export const two = 2;\n" };
	const isKept = (more: string) =>
		isMeasured({ ...helper, head: helper.text + more }, told([]), FACTS);
	expect(isKept("export const three = 3;\n")).toBe(true);
	expect(isKept(added)).toBe(false);
});

describe("what tests do between their assertions is in no answer:", () => {
	const stepped = base.replace("\tassert.equal(fee(0)", "\tmove(60);\n\tassert.equal(fee(0)");
	const isKept = (text: string, head: string, heads: readonly string[] = []) =>
		isMeasured({ path, text, head }, told([5, 6, 7, 8]), {
			...FACTS,
			heads: new Map(heads.map((one, at) => [`test/${at}.js`, one])),
		});

	test("a step that goes or becomes another one is not measured", () => {
		expect(isKept(stepped.replace("move(60);", "move(60); // on"), stepped)).toBe(true);
		const told6 = told([5, 7]);
		const isStepKept = (head: string) => isMeasured({ path, text: stepped, head }, told6, FACTS);
		expect(isStepKept(stepped.replace("move(60)", "move(6)"))).toBe(false);
		expect(isStepKept(stepped.replace("fee(0), 0", "fee(0), 0, 'none'"))).toBe(true);
		expect(isStepKept(stepped.replace("move(60)", "assert.equal(move(60), 60)"))).toBe(true);
	});

	test("neither is an assertion before the step that it stood behind", () => {
		const [step, assertion] = ["\tmove(60);\n", "\tassert.equal(fee(0), 0);\n"];
		expect(isKept(stepped, stepped.replace(step + assertion, assertion + step))).toBe(false);
	});

	test("nor is a helper under the same name from elsewhere", () => {
		const text = `import { move } from "./clock.js";\n${stepped}`;
		expect(isKept(text, text.replace("./clock.js", "../src/clock.js"))).toBe(false);
		expect(isKept(text, text.replace("fee(0), 0", "fee(0), 0, 'none'"))).toBe(true);
	});

	test("what stands in another file of the tests only moved", () => {
		expect(isMeasured({ path, text: stepped, head: "" }, told([5, 7]), FACTS)).toBe(false);
		const moved = { ...FACTS, heads: new Map([["test/all.test.js", stepped]]) };
		expect(isMeasured({ path, text: stepped, head: "" }, told([5, 7]), moved)).toBe(true);
	});
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
	const strict = base.replace("node:assert", "node:assert/strict");
	expect(isMeasuredIn(strict, told([5, 6]))).toBe(true);
	const loosened = { path, text: strict, head: base };
	expect(isMeasured(loosened, told([5, 6]), FACTS), "other assertions").toBe(false);
});

test("nothing is measured where a new line puts something in the place of what is imported", () => {
	for (const line of [
		'Object.defineProperty(Fee.prototype, "total", { get: () => 1 });',
		"fee.rate = () => 2;",
		'fee["rate"] = 2;',
	])
		expect(isMeasuredIn(`${base}${line}\n`, told([5, 6])), line).toBe(false);
	expect(isMeasuredIn(`${base}const other = {};\nother.rate = 2;\n`, told([5, 6]))).toBe(true);
});

test("a value that was expected is still written somewhere", () => {
	const trials = new Map([["fee(200) gives 21 instead of 20", `${path}:5`]]);
	const isKept = (to: string) =>
		isMeasuredIn(base.replace("assert.equal(fee(200), 20)", to), told([5, 6], { trials }));
	expect(isKept("assert.ok(fee(200) === 20)")).toBe(true);
	const derived = "assert.equal(fee(200), 2 * fee(100))";
	expect(isKept(derived)).toBe(false);
	const file = { path, text: base, head: base.replace("assert.equal(fee(200), 20)", derived) };
	const facts = { ...FACTS, heads: new Map([["test/more.test.js", "equal(fee(200), 20);"]]) };
	expect(isMeasured(file, told([5, 6], { trials }), facts), "in another file").toBe(true);
});
