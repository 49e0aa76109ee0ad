import { describe, expect, test } from "vitest";
import { extentOf, helpersOf } from "../integrity/compare-shapes.ts";
import { pythonShape } from "./python-shape.ts";
import { recordedTree } from "./python-trees.fixture.ts";

const shapeOf = async (text: string) => pythonShape(await recordedTree(text), text);
const inTest = (...lines: readonly string[]) =>
	`def test_a(x):\n${lines.map((line) => `    ${line}\n`).join("")}`;
const flawsIn = async (...lines: readonly string[]) =>
	(await shapeOf(inTest(...lines))).assertions.map(({ flaw }) => flaw);

describe("what cannot fail", () => {
	test.each([
		["unreached", "return", "assert f() == 1"],
		["unreached", "raise ValueError", "assert f() == 1"],
		["unreached", "if True:", "    return", "assert f() == 1"],
		["never", "if False:", "    assert f() == 1"],
		["never", "if 1:", "    pass", "else:", "    assert f() == 1"],
		["never", "while not 1:", "    assert f() == 1"],
		["never", "for y in []:", "    assert f() == 1"],
		["never", "def late():", "    assert f() == 1"],
		["swallowed", "try:", "    assert f() == 1", "except Exception:", "    pass"],
		["swallowed", "try:", "    assert f() == 1", "except:", "    print('no')"],
		["swallowed", "try:", "    assert f() == 1", "except (A, AssertionError):", "    return"],
		["swallowed", "try:", "    assert f() == 1", "finally:", "    return"],
		["swallowed", "with contextlib.suppress(AssertionError):", "    assert f() == 1"],
		["constant", "assert True"],
		["constant", "assert (f() == 1, 'text')"],
		["constant", "assert f() or True"],
		["constant", "assert 1 + 1 == 2"],
		["constant", "assert x == x"],
		["constant", "assert lambda: f()"],
		["constant", "self.assertTrue(True)"],
		["constant", "self.assertEqual(1, 1)"],
		["constant", "self.assertEqual(x, x)"],
		["constant", "with pytest.raises(E):", "    raise E"],
	])("%s: %s %s %s", async (flaw, ...lines) => {
		expect(await flawsIn(...lines)).toEqual([flaw]);
	});

	test.each([
		["assert f() == 1"],
		["if x:", "    return", "assert f() == 1"],
		["def late():", "    assert f() == 1", "late()"],
		["try:", "    assert f() == 1", "except KeyError:", "    pass"],
		["try:", "    assert f() == 1", "except Exception as e:", "    raise F from e"],
		["try:", "    assert f() == 1", "finally:", "    close()"],
		["with contextlib.suppress(KeyError):", "    assert f() == 1"],
		["for y in (1, 2):", "    assert f() == y"],
		["assert f() == f()"],
		["assert x is not None"],
		["self.assertEqual(f(), 1)"],
		["with pytest.raises(E):", "    f()"],
		["while f():", "    assert f() == 1"],
		["assert_doubled(2, 4)"],
		["assert False, 'to do'"],
		["assert 1 == 2"],
		["self.assertTrue(False)"],
		["self.assertEqual('a', 'b')"],
		["helpers.assert_doubled(f(), 4)"],
	])("not: %s %s %s %s", async (...lines) => {
		expect(await flawsIn(...lines)).toEqual([null]);
	});

	test("what a helper is given by a test is no constant, whatever it is called", async () => {
		const text = `def assert_doubled(n, m):\n    assert f(n) == m\n\n${inTest("assert_doubled(2, 4)")}`;
		expect((await shapeOf(text)).assertions.map(({ flaw }) => flaw)).toEqual([null, null]);
	});

	test("what an assertion of a library is given is one", async () => {
		const text = `from numpy.testing import assert_equal\n\n${inTest("assert_equal(2, 2)")}`;
		expect((await shapeOf(text)).assertions.map(({ flaw }) => flaw)).toEqual(["constant"]);
	});
});

describe("how much is asserted", () => {
	test.each([
		[1, inTest("assert f() == 1")],
		[2, inTest("assert (f(), g()) == (1, 2)")],
		[3, inTest("for y in [1, 2, 3]:", "    assert f() == y")],
		[2, `@pytest.mark.parametrize("y", [1, 2])\n${inTest("assert f() == x")}`],
		[2, `ROWS = [1, 2]\n@pytest.mark.parametrize("y", ROWS)\n${inTest("assert f() == x")}`],
		[2, `def both(n):\n    assert n\n\n${inTest("both(f())", "both(g())")}`],
		[1, `def check(n):\n    if not n:\n        raise E\n\n${inTest("check(f())")}`],
		[2, `def assert_both(n):\n    assert f(n)\n\n${inTest("assert_both(1)", "assert_both(2)")}`],
		[2, `def check(rows):\n    for a in rows:\n        assert f(a)\n\n${inTest("check([1, 2])")}`],
		[2, inTest("assert f() == RGB(1, 2)")],
		[
			1,
			`@pytest.fixture\ndef check():\n    def _check(n):\n        assert f(n)\n    return _check\n\n${inTest("check(1)")}`,
		],
		[0, `def load(n):\n    if not n:\n        raise E\n\n${inTest("load(f())")}`],
		[0, inTest("return", "assert f() == 1")],
	])("%i: %s", async (count, text) => {
		const shape = await shapeOf(text);
		expect(extentOf(shape, helpersOf([shape])).comparisons).toBe(count);
	});
});

test("tests are functions of modules and classes, with their lines", async () => {
	const text = `class TestA:\n    def test_b(self):\n        "why"\n\n\nasync def test_c():\n    def test_d():\n        f()\n    test_d()\n`;
	expect((await shapeOf(text)).tests).toEqual([
		{ name: "test_b", line: 2, isEmpty: true },
		{ name: "test_c", line: 6, isEmpty: false },
	]);
});

test.each([
	[true, "class A:\n    def assertEqual(self, a, b):\n        pass\n"],
	[true, "TestCase.assertEqual = print\n"],
	[true, "def test_a():\n    assert f()\n\ndef test_a():\n    pass\n"],
	[true, "raises = suppress\n"],
	[true, 'monkeypatch.setattr("unittest.TestCase.assertEqual", f)\n'],
	[true, 'setattr(TestCase, "assertEqual", f)\n'],
	[false, "class A:\n    def assertEqual(self, a, b):\n        super().assertEqual(a, b)\n"],
	[false, "class A:\n    def assertEqual(self, a, b):\n        if a != b:\n            raise E\n"],
	[false, "class A:\n    def assertClose(self, a, b):\n        pass\n"],
	[false, 'setattr(clock, "now", f)\n'],
	[false, "value = f()\n"],
])("replaced: %s: %s", async (isReplaced, text) => {
	expect((await shapeOf(text)).shadowed.length > 0).toBe(isReplaced);
});
