import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { plant } from "./plant.ts";

const none = { words: new Set<string>() };
const T = "t0k3n";

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

const NODE = `import assert from "node:assert/strict";
import { test } from "node:test";
test("own", () => { assert.equal(1, 1); assert.deepEqual([1], [1]); assert.throws(() => { throw new Error("x"); }); });
`;

test("canaries of node:test use the file's own assertions, and all of them fail", () => {
	const planted = plant("a.test.mjs", NODE, T, none);
	expect(planted?.names).toHaveLength(6);
	const dir = folder({ "a.test.mjs": planted?.text ?? "" });
	const told = output(dir, process.execPath, "--test", "--test-reporter=tap");
	expect(told).toContain("ok 1 - own");
	for (const name of planted?.names ?? [])
		expect(told).toMatch(new RegExp(`^not ok \\d+ - ${name}$`, "m"));
	expect(told).toContain("AssertionError");
});

test("a product that disarms an assertion silences its canaries alone", () => {
	const planted = plant("a.test.mjs", `import "./product.mjs";\n${NODE}`, T, none);
	const dir = folder({
		"a.test.mjs": planted?.text ?? "",
		"product.mjs": 'import a from "node:assert/strict";\na.equal = () => {};\n',
	});
	const told = output(dir, process.execPath, "--test", "--test-reporter=tap");
	expect(told.match(/^ok .* - canary/gm)).toHaveLength(3);
	expect(told.match(/^not ok .* - canary/gm)).toHaveLength(3);
});

test("a file that is required gets canaries by require", () => {
	const text =
		'const assert = require("assert");\nconst { test } = require("node:test");\ntest("own", () => assert.ok(1));\n';
	const planted = plant("a.test.cjs", text, T, none);
	const dir = folder({ "a.test.cjs": planted?.text ?? "" });
	const told = output(dir, process.execPath, "--test", "--test-reporter=tap");
	expect(told.match(/^not ok .* - canary/gm)).toHaveLength(planted?.names.length ?? 0);
});

test("unittest gets a class of the file's own kind, before the line that starts it", () => {
	const text = `import unittest


class SlugTest(unittest.TestCase):
    def test_own(self):
        self.assertEqual(1, 1)
        self.assertIn(1, [1])


if __name__ == "__main__":
    unittest.main()
`;
	const planted = plant("test_slug.py", text, T, none);
	const dir = folder({ "test_slug.py": planted?.text ?? "" });
	const told = output(dir, "python3", "test_slug.py");
	expect(told).toContain(`FAILED (failures=${planted?.names.length ?? 0})`);
	expect(planted?.names).toHaveLength(4);
});

test("matchers and assertions that the project defines are tried too", () => {
	const vitest =
		'import { expect, test } from "vitest";\ntest("a", () => { expect(1).toBeCents(1); });\n';
	expect(plant("a.test.ts", vitest, T, none)?.text).toContain(
		"({ canary: 1 }).toBeCents({ canary: 2 })",
	);
	const python = "class A(UnitsCase):\n    def test_a(self):\n        self.assert_close(1, 1)\n";
	expect(plant("test_a.py", python, T, none)?.text).toContain(
		"self.assert_close(object(), object())",
	);
});

test("pytest functions get a plain assertion; globals need the runner's name in the command", () => {
	expect(plant("test_a.py", "def test_a():\n    assert 1\n", T, none)?.names).toEqual([
		`test_canary_${T}_0`,
	]);
	const globals = 'describe("a", () => { it("b", () => { expect(1).toBe(1); }); });\n';
	expect(plant("a.test.js", globals, T, none)).toBeNull();
	expect(plant("a.test.js", globals, T, { words: new Set(["jest"]) })?.text).toContain(
		"globalThis.test",
	);
	const mocha = 'const { expect } = require("chai");\nit("b", () => { expect(1).to.equal(1); });\n';
	expect(plant("a.js", mocha, T, { words: new Set(["mocha"]) })?.text).toContain("globalThis.it");
});

test.each([
	["helper.js", "export const a = 1;"],
	["conftest.py", "import pytest\n"],
	["run.sh", "test 1 = 1"],
])("%s belongs to no known runner", (file, text) => {
	expect(plant(file, text, T, none)).toBeNull();
});
