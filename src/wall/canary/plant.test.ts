import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { treeReader } from "../language/languages.ts";
import { type Planted, plant } from "./plant.ts";

const T = "t0k3n";

const read = treeReader(async (args, input) => {
	const { status, stdout } = spawnSync("python3", args, { input, encoding: "utf8" });
	return status === 0 ? stdout : null;
});

async function planted(path: string, text: string, ...words: string[]): Promise<Planted | null> {
	const [tree = null] = await read([{ path, text }]);
	return plant({ path, text, tree }, T, { words: new Set(words) });
}

function folder(files: Readonly<Record<string, string>>): string {
	const dir = mkdtempSync(join(tmpdir(), "spar-canary-"));
	onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
	for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
	return dir;
}

/** What a program prints, whatever its exit code. */
function output(dir: string, program: string, ...args: string[]): string {
	try {
		return execFileSync(program, args, { cwd: dir, encoding: "utf8", stdio: "pipe" });
	} catch (error) {
		return (
			String(Reflect.get(Object(error), "stdout")) + String(Reflect.get(Object(error), "stderr"))
		);
	}
}

const PRODUCT = `export class Low extends Error {}
export const half = (n) => { if (n < 0) throw new Low("low"); return n / 2; };
export const list = (n) => [n, "a", { b: true }];
`;

const NODE = `import assert, { strictEqual as same } from "node:assert/strict";
import { describe, test } from "node:test";
import { half, list, Low } from "./product.mjs";
const two = 2;
describe("all", () => {
	test("own", async (t) => {
		assert.equal(half(4), two);
		same(half(two), 1);
		assert.deepEqual(list(1), [1, "a", { b: true }]);
		assert.throws(() => half(-1), Low);
		await assert.rejects(async () => half(-1));
		assert.ok(half(2), "text");
		assert.match(list(1)[1], /a/);
	});
});
for (const n of [1, 2]) test("row " + n, () => { assert.notEqual(half(n), n); assert.equal(half(0), 0); });
test("last", () => assert.strictEqual(half(list(2)[0]), 1)); // the last one`;

test("canaries make a test's own calls with one wrong value each, and all of them fail", async () => {
	const found = await planted("a.test.mjs", NODE);
	expect(found?.names).toHaveLength(9);
	const dir = folder({ "a.test.mjs": found?.text ?? "", "product.mjs": PRODUCT });
	const told = output(dir, process.execPath, "--test", "--test-reporter=tap");
	for (const name of ["own", "row 1", "row 2", "last"])
		expect(told).toMatch(new RegExp(`^ *ok \\d+ - ${name}$`, "m"));
	for (const name of found?.names ?? [])
		expect(told).toMatch(new RegExp(`^ *not ok \\d+ - ${name}$`, "m"));
	expect(told).not.toMatch(/SyntaxError|ReferenceError/);
});

test.each([
	["disarms an assertion", 'import a from "node:assert/strict";\na.equal = () => {};\n', 1],
	[
		"takes every error for one of its own",
		"Object.defineProperty(Low, Symbol.hasInstance, { value: () => true });\n",
		1,
	],
])("a product that %s silences the canaries that it is about", async (_what, text, count) => {
	const found = await planted("a.test.mjs", NODE);
	const dir = folder({ "a.test.mjs": found?.text ?? "", "product.mjs": PRODUCT + text });
	const told = output(dir, process.execPath, "--test", "--test-reporter=tap");
	expect(told.match(/^ *ok .* - canary/gm)).toHaveLength(count);
});

test("a file that is required keeps its way to load things", async () => {
	const text =
		'const assert = require("assert");\nconst { test } = require("node:test");\ntest("own", () => { assert.equal(Math.abs(-1), 1); });\n';
	const found = await planted("a.test.cjs", text);
	const dir = folder({ "a.test.cjs": found?.text ?? "" });
	const told = output(dir, process.execPath, "--test", "--test-reporter=tap");
	expect(told.match(/^not ok .* - canary/gm)).toHaveLength(1);
	expect(told).toMatch(/^ok 1 - own$/m);
});

const UNITTEST = `import unittest

from product import half, Low


class HalfTest(unittest.TestCase):
    def test_own(self):
        self.assertEqual(half(4), 2)
        self.assertIn(half(2), [1])
        self.assertTrue(half(2) == 1)
        self.assertLess(half(2), 3)

    def test_low(self):
        with self.assertRaises(Low):
            half(-1)
        self.assertRaises(Low, half, -1)
        with self.subTest():
            self.assertEqual(half(6), 3)


if __name__ == "__main__":
    unittest.main()
`;
const PYTHON = `class Low(Exception):
    pass


def half(n):
    if n < 0:
        raise Low()
    return n / 2
`;

test("unittest gets methods of the file's own classes, before the line that starts it", async () => {
	const found = await planted("test_half.py", UNITTEST);
	const dir = folder({ "test_half.py": found?.text ?? "", "product.py": PYTHON });
	const told = output(dir, "python3", "test_half.py");
	expect(found?.names).toHaveLength(6);
	expect(told).toContain("Ran 8 tests");
	expect(told).toMatch(/FAILED \(failures=5, errors=1\)/);
});

test("values and exceptions that answer comparisons themselves silence canaries", async () => {
	const found = await planted("test_half.py", UNITTEST);
	const lying = `${PYTHON}
class Any(float):
    def __eq__(self, other):
        return True


exact = half
half = lambda n: Any(exact(n))
from abc import ABCMeta


class Low(Exception, metaclass=ABCMeta):
    __subclasshook__ = classmethod(lambda cls, other: True)
`;
	const dir = folder({ "test_half.py": found?.text ?? "", "product.py": lying });
	const told = output(dir, "python3", "-m", "unittest", "-v", "test_half");
	const quiet = told.match(/^test_z_canary_\S+ .*ok$/gm) ?? [];
	expect(quiet.length).toBeGreaterThanOrEqual(2);
});

const PYTEST = `import pytest

from product import half


@pytest.mark.parametrize("n", [2, 4])
def test_halves(n):
    assert half(n) == n / 2


async def test_later():
    assert half(2)


@pytest.mark.skip
def test_never():
    assert half(9) == 1
`;

test("pytest functions are copied with their decorators, but for those that do not run", async () => {
	const found = await planted("test_a.py", PYTEST);
	expect(found?.names).toHaveLength(2);
	expect(found?.text).toContain(
		`@pytest.mark.parametrize("n", [2, 4])\ndef test_z_canary_${T}_0(n):\n    assert half(n) == wrong_${T}(n / 2)`,
	);
	expect(found?.text).toContain(`async def test_z_canary_${T}_1():\n    assert False`);
});

test("matchers of expect and chai get wrong values where they have one", async () => {
	const text = `it("a", () => {
	expect(f(1)).toBeCents(1);
	expect(f(2)).not.toBe(3);
	expect(f(3)).toMatchSnapshot();
	expect(f(4)).to.be.true;
	expect(() => f(5)).toThrow("x");
	expect(f(6)).resolves.toBeLessThan(7);
	expect(f(7)).toBeGreaterThan(8);
	expect(f(8)).toBeDefined();
	expect(f(...all)).toBe(...all);
});
`;
	expect(await planted("a.test.ts", text)).toBeNull();
	const found = await planted("a.test.ts", text, "jest");
	expect(found?.names).toHaveLength(7);
	for (const part of [
		`expect(f(1)).toBeCents(wrong_${T}(1))`,
		"expect(false).to.be.true",
		'expect(() => {}).toThrow("x")',
		`expect(() => { throw { canary: "${T}" }; }).toThrow("x")`,
		"expect(Infinity).resolves.toBeLessThan(7)",
		"expect(f(7)).toBeGreaterThan(Infinity)",
		"expect(undefined).toBeDefined()",
	])
		expect(found?.text).toContain(part);
});

test("a file whose assertions nobody knows gets a test that throws", async () => {
	const script = 'import { test } from "vitest";\ntest("a", () => {\n\tcheck(1);\n});\n';
	expect((await planted("a.test.ts", script))?.text).toContain(`throw new Error("${T}");})`);
	const python = "def test_a():\n    check(1)\n";
	expect((await planted("test_a.py", python))?.text).toContain(`raise Stray_${T}(); check(1)`);
});

test.each([
	["helper.js", "export const a = 1;"],
	["rows.test.js", 'import { test } from "node:test";\nif (a) test("a", () => { assert.ok(1); });'],
	["conftest.py", "import pytest\n"],
	["run.sh", "test 1 = 1"],
])("%s has no test that can be copied", async (file, text) => {
	expect(await planted(file, text)).toBeNull();
});
