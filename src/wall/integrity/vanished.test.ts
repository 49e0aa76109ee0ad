import { describe, expect, test } from "vitest";
import { reordered } from "./vanished.ts";

const MODULE = `import { limit } from "../src/limit.js";

test("counts", () => {
	const counter = limit(2);
	counter.take();
	expect(counter.left).toBe(1);
});

test("ends", () => {
	expect(limit(0).left).toBe(0);
});
`;
const PYTHON = `def test_overdraft(book):
    with pytest.raises(Overdraft):
        book.withdraw("b", 21)
    assert book.balances["b"] == 20


def test_empty(book):
    assert book.sum(
        "a",
    ) == 0
`;
const lines = (path: string, base: string, head: string) =>
	reordered(path, base, head, []).map(({ text }) => text);

describe("statements of a test", () => {
	test("in another order are told with their test", () => {
		const [take, expects] = ["\tcounter.take();\n", "\texpect(counter.left).toBe(1);\n"];
		const head = MODULE.replace(take + expects, expects + take);
		expect(lines("a.test.js", MODULE, head)).toContain("counter.take();");
		expect(lines("a.test.js", MODULE, head)).not.toContain("expect(limit(0).left).toBe(0);");
	});

	test("at another depth are told in Python, where depth decides", () => {
		const head = PYTHON.replace("    assert book.balances", "        assert book.balances");
		expect(lines("test_a.py", PYTHON, head)).toContain('assert book.balances["b"] == 20');
	});

	test("that stand in another test are told", () => {
		const line = "\texpect(counter.left).toBe(1);\n";
		const head = MODULE.replace(line, "").replace("\texpect(limit(0)", `${line}\texpect(limit(0)`);
		expect(lines("a.test.js", MODULE, head)).not.toEqual([]);
	});
});

test("tests that move as a whole, and what a formatter does, are none", () => {
	const [head = "", first = "", second = ""] = MODULE.split(/(?=^test\()/m);
	expect(lines("a.test.js", MODULE, head + second + first)).toEqual([]);
	expect(lines("a.test.js", MODULE, MODULE.replaceAll("\t", "  ").replaceAll(";", ""))).toEqual([]);
	const wrapped = MODULE.replace(
		"expect(counter.left).toBe(1)",
		"expect(\n\t\tcounter.left,\n\t).toBe(1)",
	);
	expect(lines("a.test.js", MODULE, wrapped)).toEqual([]);
	const joined = PYTHON.replace('book.sum(\n        "a",\n    ) == 0', 'book.sum("a") == 0');
	expect(lines("test_a.py", PYTHON, joined)).toEqual([]);
	const inClass = `class TestBook:\n${PYTHON.replaceAll(/^(?=.)/gm, "    ")}`;
	expect(lines("test_a.py", PYTHON, inClass)).toEqual([]);
});
