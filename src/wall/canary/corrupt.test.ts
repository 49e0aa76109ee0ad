import { beforeAll, describe, expect, test } from "vitest";
import { loadModuleParser, type ModuleParser } from "../../syntax/module-syntax.ts";
import { recordedTree } from "../language/python-trees.fixture.ts";
import { corrupted, corruptions } from "./corrupt.ts";

let parse: ModuleParser;
beforeAll(async () => {
	parse = await loadModuleParser();
});

/** Lines of a file that a wrong value changes, as they become. */
async function changedLines(path: string, text: string): Promise<string[]> {
	const isPython = path.endsWith(".py");
	const tree = isPython
		? await recordedTree(text)
		: path.endsWith(".js")
			? parse(text, path)
			: null;
	const values = corruptions([{ path, text, tree }], true);
	const [file] = corrupted(values, new Map([[path, text]]));
	const lines = text.split("\n");
	return (file?.text ?? text).split("\n").filter((line, at) => line !== lines[at]);
}

describe("in code with a syntax tree", () => {
	const inModule = (text: string) => changedLines("a.test.js", text);

	test.each([
		["assert.equal(add(1, 2), 3, 'adds');", "assert.equal(add(1, 2), 4, 'adds');"],
		["assert.strictEqual('a-b', slug('a b'));", "assert.strictEqual('a-b~', slug('a b'));"],
		["assert.deepEqual(list(1), [1, { two: 2 }]);", "assert.deepEqual(list(1), [1, { two: 3 }]);"],
		["assert(half(4) === 2, 'halves');", "assert(half(4) === 3, 'halves');"],
		["assert.throws(() => half(-1), /low/);", "assert.throws(() => half(-1), /(?!)/);"],
		[
			'it("is 2", () => { expect(half(4)).toBe(2); });',
			'it("is 2", () => { expect(half(4)).toBe(3); });',
		],
		["expect(half(4)).to.equal(2);", "expect(half(4)).to.equal(3);"],
		["expect(isEven(4)).toBe(true);", "expect(isEven(4)).toBe(false);"],
		["half(4).should.equal(2);", "half(4).should.equal(3);"],
		["t.is(half(4), 2);", "t.is(half(4), 3);"],
		["check('halves', half(4), 2);", "check('halves', half(4), 3);"],
		["same(half(4), 2, 'halves');", "same(half(4), 3, 'halves');"],
		["if (half(4) !== 2) process.exit(1);", "if (half(4) !== 3) process.exit(1);"],
		["if (half(4) === 2) passed += 1;", "if (half(4) === 3) passed += 1;"],
		[
			'for (const [a, b] of [["x", "... -"]]) same(f(a), b);',
			'for (const [a, b] of [["x", "... -~"]]) same(f(a), b);',
		],
		[
			'const rows = [{ from: 4, to: 2, name: "halves" }];',
			'const rows = [{ from: 4, to: 3, name: "halves" }];',
		],
	])("%s", async (line, changed) => {
		expect(await inModule(line)).toEqual([changed]);
	});

	test.each([
		["a title", 'describe("halves 4", () => { it("is 2", () => {}); });'],
		["a message", 'assert.ok(half(4), "is 2"); assert(half(4), "is 2");'],
		["a message of what is thrown", 'assert.throws(() => half(-1), "is 2");'],
		["a message of an own function", 'check(half(4) !== 2 || fail("is 2"));'],
		["a value that must not match", "assert.notEqual(half(4), 3); expect(half(4)).not.toBe(3);"],
		["a comparison that must not hold", "if (half(4) === 3) throw new Error('is 3');"],
		["a bound", "expect(half(4)).toBeLessThan(3); assert(half(4) < 3);"],
		["a setting", 'import { a } from "./a.js"; const size = 3; half(size, 4);'],
		["a name of a row", 'const rows = [{ name: "halves" }, ["one"]];'],
	])("%s stays", async (_what, text) => {
		expect(await inModule(text)).toEqual([]);
	});

	test.each([
		["assert mean([1, 3]) == 2, 'is 2'", "assert mean([1, 3]) == 3, 'is 2'"],
		["assert 'a' in names(1)", "assert 'a~' in names(1)"],
		["self.assertEqual(mean([1, 3]), 2, 'is 2')", "self.assertEqual(mean([1, 3]), 3, 'is 2')"],
		["if mean([1, 3]) != 2: raise SystemExit(1)", "if mean([1, 3]) != 3: raise SystemExit(1)"],
		["check('mean', mean([1, 3]), 2)", "check('mean', mean([1, 3]), 3)"],
		["ROWS = [('a b', 'a-b')]", "ROWS = [('a b', 'a-b~')]"],
	])("%s", async (line, changed) => {
		expect(await changedLines("check.py", line)).toEqual([changed]);
	});

	test.each([
		["assert mean([1, 3]) != 3"],
		["assert not mean([1, 3]) == 3"],
		["self.assertNotEqual(mean([1, 3]), 3)"],
		["self.assertTrue(mean([1, 3]), 'is 3')"],
		["if mean([1, 3]) == 3: raise SystemExit('is 3')"],
	])("%s stays", async (line) => {
		expect(await changedLines("check.py", line)).toEqual([]);
	});
});

describe("in lines of other code, and of data", () => {
	test.each([
		["test.sh", '[ "$(sh mean.sh 1 3)" = 2 ] || fail 1', '[ "$(sh mean.sh 1 3)" = 3 ] || fail 1'],
		["a_test.go", "if got := Half(4); got != 2 {", "if got := Half(4); got != 3 {"],
		["a_test.rb", 'assert_equal 2, half(4), "half of 4"', 'assert_equal 2, half(5), "half of 4"'],
		["check.sh", 'check "$(sh mean.sh)" "2"', 'check "$(sh mean.sh)" "2~"'],
		["expected.txt", "mean: 2", "mean: 7"],
		["cases.csv", "a,b", "a,7"],
	])("%s: a wrong value in %s", async (path, line, changed) => {
		expect(await changedLines(path, line)).toEqual([changed]);
	});

	test.each([
		["a_test.rb", 'it "is 2" do'],
		["a_test.go", 't.Run("is 2", func(t *testing.T) {'],
		["a_test.rb", "refute_equal 3, half(4)"],
		["a_test.sh", '# is "2"'],
		["check.sh", "touch 'out/checking'"],
		["check.sh", 'mkdir -p "$out/test"'],
		["suites.txt", "format\nparse\n"],
		["Makefile", "test:\n"],
	])("%s: %s stays", async (path, text) => {
		expect(await changedLines(path, text)).toEqual([]);
	});

	test("data counts only where there are tests that may read it", () => {
		const files = [{ path: "data.txt", text: "1", tree: null }];
		expect(corruptions(files, true)).toMatchObject([{ path: "data.txt", line: 1 }]);
		expect(corruptions(files, false)).toEqual([]);
	});

	test("words of data that keep it from being read stay", async () => {
		expect(await changedLines("data.json", '{ "on": true,\n"to": 1 }')).toEqual(['"to": 7 }']);
	});
});
