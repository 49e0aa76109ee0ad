import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { spread, thorough } from "../../../test/support/amount.ts";
import { type PythonRunner, pythonTrees } from "../../syntax/python-syntax.ts";
import { PYTHON_PROBE, pythonProbeName } from "../measure/python-probe.ts";
import { pythonMeasured } from "./python-measured.ts";
import { spliced } from "./splice.ts";

const TOKEN = "t0k3n4711";

const run: PythonRunner = async (args, input) =>
	spawnSync("python3", args, { input, encoding: "utf8" }).stdout;

async function rewritten(path: string, text: string): Promise<string | null> {
	const [tree] = await pythonTrees([text], run);
	if (tree == null) throw new Error(`no tree: ${text}`);
	const isProduct = (module: string): boolean => /^shop\b/.test(module);
	const splices = pythonMeasured(tree, text, { path, token: TOKEN, isProduct });
	return splices && spliced(text, splices);
}

const SHOP = `
import asyncio, collections.abc, contextlib, dataclasses, os, sys, threading
def fee(x): return 21 if x == 200 else 0
def caller(): return sys._getframe(1).f_globals["__name__"]
def give(value): return value
def fail(x): raise ValueError("bad")
def miss(): raise KeyError("a")
def count():
    for i in range(2): yield i
def adder(n): return lambda m: n + m
async def later(x): return x + 1
@contextlib.contextmanager
def opened(): yield 5
@dataclasses.dataclass(eq=False)
class Point:
    x: int
    y: int
def point(): return Point(1, 2)
class Line:
    def __init__(self, y): self.y = y
    def here(self): return self
class Sum(int): pass
def summed(): return Sum(3)
class Read(property): pass
class Bag(dict): pass
class Row(collections.abc.Mapping):
    def __getitem__(self, key): return {"a": 1}[key]
    def __iter__(self): return iter("a")
    def __len__(self): return 1
class Box:
    __slots__ = ["w"]
    def __init__(self, w): self.w = w
    @Read
    def size(self): return 5
    def __getattr__(self, name): return 6
class Cart:
    def __init__(self, n=0):
        if n < 0: raise ValueError("below")
        self._n = n
    def add(self, k): self._n += k; return self
    @property
    def total(self): return self._n
    @classmethod
    def of(cls, n): return cls(n)
    @staticmethod
    def rate(): return 4
    def __len__(self): return self._n
    async def pay(self): return True
calls = []
def once(): calls.append(1); return len(calls)
`;

const PYTEST = "pytest -q -p no:cacheprovider --tb=no --basetemp=tmp".split(" ");

/** Runs tests as they are and with the measure; both must report the same. Gives the table. */
async function table(
	files: Readonly<Record<string, string>>,
	command: readonly string[] = PYTEST,
): Promise<readonly string[]> {
	const outcomes: string[] = [];
	let notices = "";
	for (const isMeasured of [false, true]) {
		const dir = mkdtempSync(join(tmpdir(), "spar-measured-"));
		onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
		const put = (path: string, text: string): void => {
			mkdirSync(dirname(join(dir, path)), { recursive: true });
			writeFileSync(join(dir, path), text);
		};
		put("shop.py", SHOP);
		for (const [path, text] of Object.entries(files))
			put(path, (isMeasured ? await rewritten(path, text) : null) ?? text);
		if (isMeasured) put(`${pythonProbeName(TOKEN)}.py`, PYTHON_PROBE);
		if (isMeasured) put(TOKEN, "");
		const ended = spawnSync("python3", ["-B", "-m", ...command], { cwd: dir, encoding: "utf8" });
		const told = `${ended.stdout}${ended.stderr}`.replaceAll(/ in [\d.]+s|\b0x[0-9a-f]+/g, "");
		outcomes.push(`${String(ended.status)} ${told.replaceAll(dir, "")}`);
		if (isMeasured)
			notices = readFileSync(join(dir, TOKEN), "utf8").replaceAll(
				/ instead of .*$|\d+ times /gm,
				"",
			);
	}
	expect(outcomes[1]).toBe(outcomes[0]);
	return notices.split("\n").filter(Boolean);
}

/** Lines told of cases with these bodies: `+` before what is noticed, `-` before what is not, and the end of each. */
async function ofBodies(bodies: readonly string[]): Promise<readonly (readonly string[])[]> {
	const cases = bodies.map(
		(body, at) => `def test_${String(at)}():\n    ${body.replaceAll("\n", "\n    ")}\n`,
	);
	const text = `import asyncio, datetime, os, pytest, subprocess, threading\nfrom pathlib import PurePosixPath\nimport shop\nfrom shop import *\n${cases.join("")}`;
	const found: string[][] = [[]];
	for (const line of await table({ "tests/test_a.py": text })) {
		const end = /# SKIP (.*)|> (measured)$/.exec(line);
		const [, sign, words] = /^(ok|not ok) - tests\/test_a\.py\S* > (.*)/.exec(line) ?? [];
		found.at(-1)?.push(end?.[1] ?? end?.[2] ?? `${sign === "ok" ? "-" : "+"} ${String(words)}`);
		if (end !== null) found.push([]);
	}
	return found.slice(0, -1);
}

const exact = (value: string, ...others: readonly string[]) =>
	[
		`assert shop.give(${value}) == ${value}`,
		...others.map((other) => `+ give(${value}) gives ${other}`),
		"measured",
	] as const;
const [LESS, MORE] = ["one element less", "one element more"];
const REPEATED = "it cannot be repeated";

const BODIES: readonly (readonly [string, ...string[]])[] = [
	[
		"with pytest.raises(LookupError): miss()",
		"+ miss() does not throw",
		"- miss() throws a longer message",
		"- miss() throws another message",
		"+ miss() throws another class",
		"- miss() throws a LookupError",
		"measured",
	],
	exact("7", "8", "6"),
	exact("0.5", "0.501", "1.5", "-0.5"),
	["assert give(float('inf')) > 1", "+ give(inf) gives 0.0", "measured"],
	exact("True", "False"),
	exact("None", '"x"', "False"),
	exact('"ab"', '"abx"', '"xab"', '"ax"', '"Ab"', '"a"', '"ab "'),
	exact('"/a"', '"/ax"'),
	exact("b'a'", "b'ax'", "b'xa'"),
	exact("range(0, 2)", "range(0, 3)"),
	exact("datetime.time(12, 30)", "datetime.time(13, 30)", "datetime.time(12, 30, 1)"),
	exact("PurePosixPath('a')", "PurePosixPath('a/x')"),
	exact("[1, 2]", LESS, MORE, "its elements reversed", "another 0", "another 1"),
	exact("(1, 1)", LESS, MORE, "another 0", "another 1"),
	exact('{"a": 1}', "another a", "one key more"),
	[
		"assert give({1}) == {1}",
		`+ give(set(1)) gives ${LESS}`,
		`+ give(set(1)) gives ${MORE}`,
		"measured",
	],
	[
		"x = shop.point(); assert (x.x, x.y) == (1, 2)",
		"+ point() gives another x",
		"+ point() gives another y",
		"measured",
	],
	["assert fee(200) > 0", "- fee(200) gives 22", "- fee(200) gives 20", "measured"],
	[
		"assert isinstance(fee(1), int)",
		"- fee(1) gives 1",
		"- fee(1) gives -1",
		"+ fee(1) gives None",
		"measured",
	],
	[
		"assert fee(1) == fee(1)",
		"- fee(1) gives 1",
		"- fee(1) gives -1",
		"- fee(1) gives None",
		"measured",
	],
	[
		"assert len(give([5])) == 1",
		`+ give([5]) gives ${LESS}`,
		`+ give([5]) gives ${MORE}`,
		"- give([5]) gives another 0",
		"measured",
	],
	[
		"with pytest.raises(ValueError): fail(1)",
		"+ fail(1) does not throw",
		"- fail(1) throws a longer message",
		"- fail(1) throws another message",
		"+ fail(1) throws another class",
		"measured",
	],
	[
		"assert list(count()) == [0, 1]",
		"+ count() gives another 0",
		"+ count() gives another 1",
		`+ count() gives ${LESS}`,
		`+ count() gives ${MORE}`,
		"measured",
	],
	["assert adder(2)(3) == 5", "+ adder(2)(3) gives 6", "+ adder(2)(3) gives 4", "measured"],
	["assert asyncio.run(later(1)) == 2", "+ later(1) gives 3", "+ later(1) gives 1", "measured"],
	["with opened() as x: assert x == 5", "+ opened() gives another 0", "measured"],
	[
		"assert Cart.of(2).add(1).total == 3",
		"+ Cart.total gives 4",
		"+ Cart.total gives 2",
		"measured",
	],
	["assert len(Cart(1)) == 1", "+ Cart.__len__() gives 2", "+ Cart.__len__() gives 0", "measured"],
	["assert Line(4).here().y == 4", "+ Line(4) gives another y", "measured"],
	["assert Box(4).w == 4", "+ Box(4) gives another w", "measured"],
	[
		"assert Box(4).size == 5",
		"- Box(4) gives another w",
		"+ Box.size gives 6",
		"+ Box.size gives 4",
		"measured",
	],
	["assert 'a' in Row()", '+ Row.__contains__("a") gives False', "measured"],
	["assert len(Bag(a=1)) == 1", "+ Bag.__len__() gives 2", "+ Bag.__len__() gives 0", "measured"],
	["assert summed() == 3", "+ summed() gives 4", "+ summed() gives 2", "measured"],
	// Each line gets its own notice, although the call is the same.
	[
		"assert fee(1) == 0\nassert fee(1) == 0",
		"+ fee(1) gives 1",
		"+ fee(1) gives 1",
		"+ fee(1) gives -1",
		"+ fee(1) gives None",
		"measured",
	],
	// What the product gives back of the tests stays what it is.
	[
		"same = lambda: 4\nassert give(same) is same and fee(1) == 0",
		"+ fee(1) gives 1",
		"+ fee(1) gives -1",
		"+ fee(1) gives None",
		"measured",
	],
	["assert Cart.rate() == 4", "+ Cart.rate() gives 5", "+ Cart.rate() gives 3", "measured"],
	["assert asyncio.run(Cart().pay()) is True", "+ Cart.pay() gives False", "measured"],
	[
		"with pytest.raises(ValueError, match='below'): Cart(-1)",
		"+ Cart(-1) does not throw",
		"- Cart(-1) throws a longer message",
		"+ Cart(-1) throws another message",
		"+ Cart(-1) throws another class",
		"measured",
	],
	// A product that looks at its caller, one that gives something else each time, and one that a test replaces.
	["assert caller() == __name__", REPEATED],
	["assert once() > 0", REPEATED],
	[
		"with pytest.MonkeyPatch.context() as patch:\n    patch.setattr(shop, 'fee', lambda x: 5)\n    assert shop.fee(1) == 5\nassert shop.fee(1) == 0",
		"+ fee(1) gives 1",
		"+ fee(1) gives -1",
		"+ fee(1) gives None",
		"measured",
	],
	// Altered answers end no process but those that the case started.
	[
		"child = subprocess.Popen(['sleep', '60'])\nos.kill(child.pid, 15)\nassert child.wait() == -15\nassert fee(1) == 0",
		"+ fee(1) gives 1",
		"+ fee(1) gives -1",
		"+ fee(1) gives None",
		"measured",
	],
	[
		"os.kill(os.getppid() if fee(1) else os.getpid(), fee(1))",
		"+ fee(1) gives None",
		"not measured to its end",
	],
	["if fee(1): os.abort()", "- fee(1) gives None", "not measured to its end"],
	[
		"if fee(1): os.execv('/bin/false', ['false'])",
		"- fee(1) gives None",
		"not measured to its end",
	],
	// The trial would not end, and the process would wait for its thread.
	[
		"done = threading.Event()\nthreading.Thread(target=done.wait).start()\nwhile fee(200) != 21: pass\ndone.set()",
		"not measured to its end",
	],
];

test("each answer that a case looks at is noticed, and no other", async () => {
	expect(await ofBodies(BODIES.map(([body]) => body))).toEqual(BODIES.map(([, ...told]) => told));
}, 30_000);

thorough(
	"cases for which no time is left are told",
	async () => {
		vi.stubEnv("SPAR_MEASURE_UNTIL", "0");
		onTestFinished(() => void vi.unstubAllEnvs());
		expect(await ofBodies(["assert fee(1) == 0"])).toEqual([["there was no time"]]);
	},
	20_000,
);

thorough(
	"fixtures, parameters, helpers and hooks are set up for each repetition; red cases are left alone",
	async () => {
		const lines = await table({
			"tests/conftest.py":
				"import pytest\nfrom shop import Cart\n@pytest.fixture\ndef cart(): return Cart(1)\n",
			"tests/helping.py": "from shop import fee\ndef is_fee(x, y):\n    assert fee(x) == y\n",
			"tests/test_a.py": `"""words"""
from __future__ import annotations
import pytest
from helping import is_fee
@pytest.mark.parametrize("k", [1, 2])
def test_a(cart, k, tmp_path, capsys):
    (tmp_path / "x").mkdir()
    print("told")
    assert capsys.readouterr().out == "told\\n"
    assert cart.add(k).total == 1 + k
class TestB:
    def setup_method(self): self.seen = []
    def test_b(self, subtests):
        self.seen.append(1)
        assert self.seen == [1]
        with subtests.test():
            is_fee(200, 21)
def test_red():
    from shop import fee
    assert fee(1) == 1
`,
		});
		expect(lines).toEqual([
			"not ok - tests/test_a.py:10 > Cart.total gives 3",
			"not ok - tests/test_a.py:10 > Cart.total gives 1",
			"ok - tests/test_a.py:6 > measured",
			"not ok - tests/helping.py:3 > fee(200) gives 22",
			"not ok - tests/helping.py:3 > fee(200) gives 20",
			"ok - tests/test_a.py:13 > measured",
			"not ok - tests/test_a.py:10 > Cart.total gives 4",
			"not ok - tests/test_a.py:10 > Cart.total gives 2",
			"ok - tests/test_a.py:6 > measured",
		]);
	},
	20_000,
);

const UNITTEST = `import unittest
from unittest import mock
class A(unittest.TestCase):
    def setUp(self):
        from shop import Cart
        self.cart = Cart(1)
    def test_a(self):
        self.assertEqual(
            self.cart.total,
            1,
        )
        self.cart.add(3)
    def test_in(self):
        from shop import give
        self.assertIn(2, give({2}))
    def test_sub(self):
        from shop import fee
        with self.subTest(x=1):
            self.assertEqual(fee(1), 0)
    @mock.patch("shop.fee")
    def test_mock(self, fee):
        import shop as other
        fee.return_value = 4
        self.assertEqual(other.fee(1), 4)
class Late(unittest.IsolatedAsyncioTestCase):
    async def test_later(self):
        from shop import later
        self.assertEqual(await later(1), 2)
`;

test.each(
	spread(
		[
			["unittest", ["unittest", "-v", "tests.test_u"]],
			["pytest", PYTEST],
		] as const,
		1,
	),
)(
	"cases of unittest are measured under %s",
	async (_, command) => {
		const lines = await table({ "tests/test_u.py": UNITTEST, "tests/__init__.py": "" }, command);
		expect(lines.toSorted()).toEqual(
			[
				"not ok - tests/test_u.py:8 > Cart.total gives 2",
				"not ok - tests/test_u.py:8 > Cart.total gives 0",
				"ok - tests/test_u.py:7 > measured",
				"not ok - tests/test_u.py:15 > give(set(2)) gives one element less",
				"ok - tests/test_u.py > give(set(2)) gives one element more",
				"ok - tests/test_u.py:13 > measured",
				"not ok - tests/test_u.py:19 > fee(1) gives 1",
				"not ok - tests/test_u.py:19 > fee(1) gives None",
				"not ok - tests/test_u.py:19 > fee(1) gives -1",
				"ok - tests/test_u.py:16 > measured",
				"ok - tests/test_u.py:21 > measured",
				"not ok - tests/test_u.py:28 > later(1) gives 3",
				"not ok - tests/test_u.py:28 > later(1) gives 1",
				"ok - tests/test_u.py:26 > measured",
			].toSorted(),
		);
	},
	20_000,
);

test("lines stay, and a file that imports nothing of the product is left alone", async () => {
	const text = "from shop import (fee,\n  give as g)  # both\nimport os, shop.a.b as b; x = 1\n";
	const lines = (await rewritten("tests/test_a.py", text))?.split("\n") ?? [];
	expect(lines).toHaveLength(4);
	expect(lines[1]).toMatch(
		/^ {2}give as g\); fee = .*\.product\("fee", fee\); g = .*\.product\("give", g\) {2}# both$/,
	);
	expect(lines[2]).toMatch(/^import os, shop\.a\.b as b; b = .*\.product\("b", b\); x = 1$/);
	expect(await rewritten("tests/test_a.py", "import os\ndef test_a(): pass\n")).toBeNull();
});
