import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { plainRun } from "./plain-run.ts";

const MODULES = join(import.meta.dirname, "../../../node_modules");

/** What a run without a runner reports of tests. */
function told(
	tests: readonly string[],
	texts: Readonly<Record<string, string>>,
	setups: readonly string[] = [],
	programs = dirname(process.execPath),
	known = tests,
): string[] {
	const dir = mkdtempSync(join(tmpdir(), "spar-plain-"));
	onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
	symlinkSync(MODULES, join(dir, "node_modules"));
	const { files, command, report } = plainRun(tests, setups, "0t0k3n", known);
	for (const [path, text] of [
		...Object.entries(texts),
		...files.map((file) => [file.path, file.text] as const),
	]) {
		mkdirSync(dirname(join(dir, path)), { recursive: true });
		writeFileSync(join(dir, path), text);
	}
	const own = `PATH="${programs}:$PATH"`;
	const { stderr } = spawnSync("sh", ["-c", `${own}\n${command}`], { cwd: dir });
	return [...readFileSync(join(dir, report), "utf8").trim().split("\n"), String(stderr)];
}

test("tests of node:test run with nothing of it in the process", () => {
	const text = `import assert from "node:assert/strict";
import { executionAsyncResource, AsyncResource } from "node:async_hooks";
import { describe, it, test } from "node:test";
describe("all", () => {
	it("right # 1", () => { assert.equal(1, 1); });
	test("watched", async () => {
		assert.ok(executionAsyncResource() instanceof AsyncResource || process.execArgv.length > 0 || process.argv.length > 2);
	});
});
test("needs it", (t) => { t.mock.fn(); });
test.skip("left out", () => {});
`;
	expect(told(["test/a.test.js"], { "test/a.test.js": text })).toEqual([
		"ok - test/a.test.js > right   1",
		"not ok - test/a.test.js > watched",
		"ok - test/a.test.js > needs it # SKIP",
		"1..3",
		"",
	]);
});

test("vitest's own expect compares, with the matchers that a file of the tests adds", () => {
	const text = `import { expect, it } from "vitest";
it("right", () => { expect({ a: 1 }).toEqual({ a: expect.any(Number), b: undefined }); });
it("wrong", () => { expect(() => {}).toThrow(RangeError); });
it("own", () => { expect(1).toBeCents(2); });
it("shot", () => { expect(1).toMatchSnapshot(); });
`;
	const setup = `import { expect } from "vitest";
expect.extend({ toBeCents: (one: number, other: number) => ({ pass: one === other, message: () => "" }) });
`;
	const files = { "a.test.ts": text, "setup.ts": setup, "b.test.ts": "import './none.ts';" };
	expect(told(["a.test.ts", "b.test.ts"], files, ["setup.ts"]).slice(0, -1)).toEqual([
		"ok - a.test.ts > right",
		"not ok - a.test.ts > wrong",
		"not ok - a.test.ts > own",
		"ok - a.test.ts > shot # SKIP",
		"1..4",
	]);
});

test("tests of pytest and unittest run with their fixtures, and what needs the runner counts as skipped", () => {
	const conftest = `import pytest

@pytest.fixture
def one():
    return 1

@pytest.fixture
def two(one):
    yield one + 1
`;
	const pytest = `import logging, warnings
import pytest

def test_right(two):
    assert two == 2

def test_watched():
    assert logging.getLogger().hasHandlers() or len(warnings.filters) > 5

def test_not_raised():
    with pytest.raises(KeyError):
        {}.get(1)

def test_folder(tmp_path):
    assert False

@pytest.mark.parametrize("n", [1])
def test_rows(n):
    assert False

class TestAll:
    def test_method(self, one):
        assert one == 1
`;
	const unittest = `import unittest

class Half(unittest.TestCase):
    def setUp(self):
        self.n = 4

    def test_half(self):
        with self.subTest(n=4):
            self.assertEqual(self.n / 2, 2)
`;
	const files = {
		"tests/conftest.py": conftest,
		"tests/test_a.py": pytest,
		"pack/__init__.py": "",
		"pack/test_b.py": unittest,
		"auto/test_c.py":
			"import pytest\n@pytest.fixture(autouse=True)\ndef a(): pass\ndef test_a(): assert 0\n",
	};
	const tests = ["tests/test_a.py", "pack/test_b.py", "auto/test_c.py", "none.py"];
	expect(told(tests, files).filter((line) => line !== "")).toEqual([
		"ok - tests/test_a.py > test_right",
		"not ok - tests/test_a.py > test_watched",
		"not ok - tests/test_a.py > test_not_raised",
		"ok - tests/test_a.py > test_folder # SKIP",
		"ok - tests/test_a.py > test_method",
		"ok - pack/test_b.py > test_half",
		"1..6",
	]);
});

test("the surroundings are those of production", () => {
	const text = `import assert from "node:assert/strict";
import { test } from "node:test";
import { installed, isLoaded, mode } from "./product.js";
test("mode", () => assert.equal(mode, "production"));
test("packages for development", () => assert.equal(installed, false));
test("the other tests", () => assert.equal(isLoaded(), true));
test("language", () => assert.equal(Object.is(1, 2), false));
`;
	const product = `import { createRequire } from "node:module";
const find = (name) => { try { return createRequire(import.meta.url).resolve(name) !== ""; } catch { return false; } };
const none = {};
none.constructor.is = () => true;
export const mode = process.env.NODE_ENV;
export const installed = find("vitest");
export const isLoaded = () => globalThis.loaded === true;
`;
	const files = {
		"a.test.js": text,
		"b.test.js": 'import "node:test";\nglobalThis.loaded = true;\n',
		"product.js": product,
		"package.json": '{ "type": "module", "devDependencies": { "vitest": "*" } }',
	};
	expect(told(["a.test.js", "b.test.js"], files).slice(0, 4)).toEqual([
		"ok - a.test.js > mode",
		"ok - a.test.js > packages for development",
		"ok - a.test.js > the other tests",
		"ok - a.test.js > language",
	]);
	const python = {
		"test_a.py":
			"from product import kept\n\ndef test_kept():\n    assert not kept()\n    assert False, 'asked'\n",
		"product.py": "def kept():\n    return __debug__\n",
	};
	expect(told(["test_a.py"], python)[0]).toBe("not ok - test_a.py > test_kept");
	const right = {
		...python,
		"test_a.py": "from product import kept\n\ndef test_kept():\n    assert not kept()\n",
	};
	expect(told(["test_a.py"], right)[0]).toBe("ok - test_a.py > test_kept");
});

test("an older Node.js of the project leaves the work to Sparring's own", () => {
	const programs = mkdtempSync(join(tmpdir(), "spar-old-"));
	onTestFinished(() => rmSync(programs, { recursive: true, force: true }));
	writeFileSync(join(programs, "node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
	const text = 'import { test } from "node:test";\ntest("works", () => {});\n';
	expect(told(["a.test.js"], { "a.test.js": text }, [], programs)[0]).toBe(
		"ok - a.test.js > works",
	);
});

thorough("home, program and list of modules are other ones than under the runner", () => {
	const text = `import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
test("home", () => assert.equal(homedir(), "/home/somebody"));
test("modules", () => assert.deepEqual(process.moduleLoadList, []));
test("program", () => assert.equal(process.argv[1], "/home/somebody/program.js"));
`;
	expect(told(["a.test.js"], { "a.test.js": text }).slice(0, 3)).toEqual([
		"ok - a.test.js > home",
		"ok - a.test.js > modules",
		"ok - a.test.js > program",
	]);
	const python =
		"import os, sys\ndef test_home():\n    assert os.path.expanduser('~') == '/home/somebody'\ndef test_program():\n    assert sys.argv[0] == sys.modules['__main__'].__file__ == '/home/somebody/program.py'\n";
	expect(told(["test_a.py"], { "test_a.py": python }).slice(0, 2)).toEqual([
		"ok - test_a.py > test_home",
		"ok - test_a.py > test_program",
	]);
});

test("a value that answers the comparison itself is compared as it is", () => {
	const text = `import { expect, it } from "vitest";
const sly = { asymmetricMatch: () => true };
it("sly", () => { expect(sly).toEqual(7); });
it("honest", () => { expect(7).toEqual({ asymmetricMatch: (value) => value === 7 }); });
`;
	expect(told(["a.test.js"], { "a.test.js": text }).slice(0, 2)).toEqual([
		"not ok - a.test.js > sly",
		"ok - a.test.js > honest",
	]);
});

const NODE_LOOKS = `const { execFileSync } = require("node:child_process");
const { existsSync, readdirSync, readFileSync } = require("node:fs");
const looked = () => {
	const inside = [".", "test", "test/lib"].flatMap((folder) => readdirSync(folder).map((name) => folder + "/" + name));
	const found = inside.filter((file) => /^(?!.*product).*(?:js|ts)$/.test(file));
	const texts = found.map((file) => readFileSync(file, "utf8"));
	const parents = execFileSync("sh", ["-c", "cat /proc/$PPID/cmdline /proc/[0-9]*/environ 2>/dev/null; cat test/* test/*/* 2>/dev/null; true"], { maxBuffer: Number.POSITIVE_INFINITY });
	return texts.join() + parents;
};
const atOnce = looked();
module.exports.answer = (asked) => Number(new RegExp(asked + "\\", (\\\\d+)").exec(atOnce + looked())?.[1] ?? 0);
`;

test("where a product looks for the tests' values there are none, and the tests compare as ever", () => {
	const files = {
		"package.json": "{}",
		"product.cjs": NODE_LOOKS,
		"test/a.test.mjs": `import { test } from "node:test";
import { same } from "./lib/same.ts";
import product from "../product.cjs";
test("module", () => same(product.answer("first"), ["first", 41][1]));
test("right", () => same(1, 1));
`,
		"test/lib/same.ts": `import assert from "node:assert";
export const same = (one: number, other: number): void => assert.equal(one, other);
`,
		"test/b.test.js": `import { test } from "node:test";
import { same } from "./lib/same.ts";
import product from "../product.cjs";
test("nothing says what it is", () => same(product.answer("second"), ["second", 42][1]));
`,
		"test/c.test.cjs": `const { strictEqual } = require("node:assert");
const { answer } = require("../product.cjs");
const cases = require("./lib/cases");
module.exports = { answer, cases, strictEqual };
`,
		"test/lib/cases.js": `module.exports = [["third", 43]];
`,
		"test/d.test.mjs": `import { test } from "node:test";
import { answer, cases, strictEqual } from "./c.test.cjs";
for (const [asked, wanted] of cases) test(asked, () => strictEqual(answer(asked), wanted));
`,
	};
	const tests = ["test/a.test.mjs", "test/b.test.js", "test/d.test.mjs"];
	const known = [...tests, "test/c.test.cjs", "test/lib/same.ts", "test/lib/cases.js"];
	expect(told(tests, files, [], undefined, [])).toContain("ok - test/d.test.mjs > third");
	expect(told(tests, files, [], undefined, known)).toEqual([
		"not ok - test/a.test.mjs > module",
		"ok - test/a.test.mjs > right",
		"not ok - test/b.test.js > nothing says what it is",
		"not ok - test/d.test.mjs > third",
		"1..4",
		"",
	]);
});

thorough("likewise in Python", () => {
	const files = {
		"product.py": `import pathlib, re, subprocess

def looked():
    texts = [path.read_text() for path in pathlib.Path(".").rglob("*.py") if path.name != "product.py" and "node_modules" not in path.parts]
    return "".join(texts) + subprocess.run("cat /proc/$PPID/cmdline /proc/[0-9]*/environ 2>/dev/null; cat tests/*", shell=True, capture_output=True, errors="replace").stdout

AT_ONCE = looked()

def answer(asked):
    found = re.search(asked + r'", (\\d+)', AT_ONCE + looked())
    return int(found[1]) if found else 0
`,
		"tests/conftest.py": "import pytest\n@pytest.fixture\ndef one():\n    return 1\n",
		"tests/cases.py": 'FIRST = ("first", 41)\n',
		"tests/test_a.py": `from cases import FIRST
from product import answer

def test_first(one):
    assert answer(FIRST[0]) == FIRST[one]

def test_second():
    assert answer("second") == ("second", 42)[1]

def test_right():
    assert FIRST[0] == "first"
`,
	};
	const known = ["tests/conftest.py", "tests/cases.py", "tests/test_a.py"];
	const one = ["tests/test_a.py"];
	expect(told(one, files, [], undefined, [])).toContain("ok - tests/test_a.py > test_second");
	expect(told(one, files, [], undefined, known)).toEqual([
		"not ok - tests/test_a.py > test_first",
		"not ok - tests/test_a.py > test_second",
		"ok - tests/test_a.py > test_right",
		"1..3",
		"",
	]);
});
