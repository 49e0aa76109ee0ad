import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { nearSuspicions } from "./judge-near.ts";
import { nearRun } from "./near-run.ts";

type Files = Readonly<Record<string, string>>;

/** Texts of the suspicions about a product that changed. */
function suspected(
	tests: readonly string[],
	known: Files,
	base: Files,
	head: Files,
	asked: readonly string[] = [],
): string[] {
	const dir = mkdtempSync(join(tmpdir(), "spar-near-"));
	onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
	const input = { tests, known: new Map(Object.entries(known)) };
	const product = new Map(Object.entries(base));
	const { files, command, report } = nearRun({ ...input, product, asked }, "0t0k3n");
	for (const [path, text] of [
		...Object.entries({ ...known, ...base, ...head }),
		...files.map((file) => [file.path, file.text] as const),
	]) {
		mkdirSync(dirname(join(dir, path)), { recursive: true });
		writeFileSync(join(dir, path), text);
	}
	const own = `PATH="${dirname(process.execPath)}:$PATH"`;
	spawnSync("sh", ["-c", `${own}\n${command}`], { cwd: dir });
	const cases = readFileSync(join(dir, report), "utf8")
		.split("\n")
		.filter((line) => line.startsWith("ok - "))
		.map((line) => ({ id: line.slice("ok - ".length) }));
	return nearSuspicions(cases, tests).map(({ text }) => text);
}

const ABS = "export const steps = (x, y) => Math.abs(x) + Math.abs(y);\n";
const DIGIT = `const bare = (n) => Number(String(n).replace(/^-(.)$/, "$1"));
export const steps = (x, y) => bare(x) + bare(y);
`;
const STEPS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { steps } from "../src/steps.js";
test("counts", () => {
	assert.equal(steps(0, 0), 0);
	assert.equal(steps(-3, 4), 7);
});
`;
const MODULE = { "package.json": '{ "type": "module" }' };

test("a product that is right only for the tests' own values shows in JavaScript", () => {
	const known = { "test/steps.test.js": STEPS };
	const product = { ...MODULE, "src/steps.js": ABS };
	const of = (text: string) =>
		suspected(["test/steps.test.js"], known, product, { ...MODULE, "src/steps.js": text });
	const fitted = { ...MODULE, "src/steps.js": DIGIT };
	expect(suspected(["test/steps.test.js"], known, product, fitted, ["steps"])).toEqual([]);
	expect(of(DIGIT)).toEqual([expect.stringMatching(/^counts, .+:\n- \d+(?:\.\d+)?\n\+ -?[\d.]+$/)]);
	expect(of(`const { abs } = Math;\nexport const steps = (x, y) => abs(x) + abs(y);\n`)).toEqual(
		[],
	);
});

test("data that tests read, helpers and CommonJS get near values too", () => {
	const known = {
		"test/rows.json": '[["ab", "AB"]]',
		"test/load.cjs":
			'const fs = require("node:fs");\nmodule.exports = () => JSON.parse(fs.readFileSync(__dirname + "/rows.json", "utf8"));\n',
		"test/up.test.cjs": `const assert = require("node:assert");
const { test } = require("node:test");
const up = require("../src/up.cjs");
const load = require("./load.cjs");
for (const [text, upper] of load()) test("up", () => assert.equal(up(text), upper));
`,
	};
	const base = { "src/up.cjs": "module.exports = (text) => text.toUpperCase();\n" };
	const head = {
		"src/up.cjs": "module.exports = (text) => text.replace('a', 'A').replace('b', 'B');\n",
	};
	expect(suspected(["test/up.test.cjs"], known, base, head)).toEqual([
		"up, with other letters:\n- 'FG'\n+ 'fg'",
	]);
});

test("a product that is right only for the tests' own values shows in Python", () => {
	const known = {
		"tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef limit():\n    return 50\n",
		"tests/test_take.py": `import pytest
from take import take

@pytest.mark.parametrize("count, left", [(10, 40), (20, 30)])
def test_takes(limit, count, left):
    assert take(limit, count) == left

def test_refuses(limit):
    with pytest.raises(ValueError):
        take(limit, 51)
`,
	};
	const base = {
		"take.py":
			"def take(limit, count):\n    if count > limit:\n        raise ValueError(count)\n    return limit - count\n",
	};
	const head = { "take.py": base["take.py"].replace("count > limit", "count - limit == 1") };
	expect(suspected(["tests/test_take.py"], known, base, head)).toEqual([
		expect.stringMatching(/^test_refuses, with longer numbers:\n- nothing\n\+ throws Failed$/m),
	]);
	const same = { "take.py": base["take.py"].replace("count > limit", "limit < count") };
	expect(suspected(["tests/test_take.py"], known, base, same)).toEqual([]);
});

thorough("methods of unittest and files that tests open count in Python", () => {
	const known = {
		"tests/__init__.py": "",
		"tests/words.txt": "ab cd\n",
		"tests/test_up.py": `import unittest
from pathlib import Path
from up import up

class UpTest(unittest.TestCase):
    def test_words(self):
        for word in (Path(__file__).parent / "words.txt").read_text().split():
            self.assertEqual(up(word), word.upper())
`,
	};
	const base = { "up.py": "def up(text):\n    return text.upper()\n" };
	const head = {
		"up.py": "WORDS = 'ab cd'\ndef up(text):\n    return text.upper() if text in WORDS else text\n",
	};
	expect(suspected(["tests/test_up.py"], known, base, head, ["up"])).toEqual([]);
	expect(suspected(["tests/test_up.py"], known, base, head)).toEqual([
		expect.stringContaining("test_words, with other letters:\n- 'FG'\n+ 'fg'"),
	]);
});

thorough("a set is the same in each process", () => {
	const known = {
		"test_names.py": "from names import names\ndef test_names(): assert names(3) != 4\n",
	};
	const base = {
		"names.py": "def names(n): return [{str(n), 'a', 'b', 'c', 'd', 'e', 'f'}]\n",
	};
	const head = { "names.py": `${base["names.py"]}# more\n` };
	expect(suspected(["test_names.py"], known, base, head)).toEqual([]);
});

thorough("results that no two calls have in common are none, and a product that hangs ends", () => {
	const random = {
		"test/a.test.js": `import assert from "node:assert";
import { test } from "node:test";
import { draw } from "../src/draw.js";
test("draws", () => assert.ok(draw(3) < 3));
`,
	};
	const drawn = (how: string) => ({
		...MODULE,
		"src/draw.js": `export const draw = (n) => ${how};\n`,
	});
	const base = drawn("Math.random() * n");
	expect(
		suspected(["test/a.test.js"], random, base, drawn("Math.random() * Math.min(n, 4)")),
	).toEqual([]);
	const hangs = drawn("{ for (;;) if (n === 3) return 1; }");
	expect(suspected(["test/a.test.js"], random, drawn("1"), hangs)).toEqual([
		"draws, with longer numbers:\n- true\n+ no end",
	]);
});
