import { expect, test } from "vitest";
import { withoutNewCases } from "./new-cases.ts";

const PY = "def test_a():\n    assert x() == 1\n";
const JS = 'test("a", () => {\n\tequal(x(), 1);\n});\n';

test.each([
	["t.py", PY, `${PY}@pytest.mark.skipif(WIN)\ndef test_b():\n    pytest.skip("no")\n`],
	["a.test.js", JS, `${JS}test.skip("b", () => {\n\tthis.skip();\n});\n`],
	[
		"b.test.js",
		JS,
		`const winIt = isWin ? it : it.skip;\n\n${JS}\nwinIt("b", () => {\n\tequal(x(), 2);\n});\n`,
	],
])("what a new case of %s carries is left out", (path, base, head) => {
	expect(withoutNewCases(base, head, path)).not.toMatch(/skip/);
});

test.each([
	["an existing case", "t.py", PY, `@pytest.mark.skip\n${PY}`],
	["its body", "t.py", PY, PY.replace("    assert", "    pytest.skip()\n    assert")],
	["a case that may be one that is gone", "a.test.js", JS, JS.replace('test("a"', 'test.skip("b"')],
	["all others", "a.test.js", JS, `${JS}test.only("skip", () => {});\n`],
	["a case by another name", "a.test.js", JS, `const a = it.skip;\n${JS.replace("test(", "a(")}`],
	["other cases by another name", "a.test.js", JS, `const a = it.skip;\nglobal.test = a;\n${JS}`],
	[
		"what stands behind a case",
		"a.test.js",
		JS,
		`${JS}test("b", f);\nbefore(() => this.skip());\n`,
	],
] as const)("what acts on %s stays", (_, path, base, head) => {
	expect(withoutNewCases(base, head, path)).toMatch(/skip/);
});
