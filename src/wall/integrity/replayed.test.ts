import { describe, expect, test } from "vitest";
import { cases, evidence } from "../../evidence/evidence.fixture.ts";
import { countsOf } from "../../formats/reports/parsed-report.ts";
import { sidesOf } from "../reading/sides.fixture.ts";
import type { Integrity, IntegrityRules } from "../reading/tree-pair.ts";
import { type Files, inspectWhole } from "./inspect.fixture.ts";

const of = (text: string) =>
	evidence({ cases: cases(text), counts: { ...countsOf(cases(text)), knownFailing: 0 } });

/** The wall after a replay, with the cases that ran before and now. */
async function wall(
	base: Files,
	head: Files,
	{
		ran = ["a+", "a+"],
		holds = true,
		unproven = [],
		rules = {},
	}: {
		readonly ran?: readonly [before: string, after: string];
		readonly holds?: boolean;
		readonly unproven?: readonly string[];
		readonly rules?: Partial<IntegrityRules>;
	} = {},
): Promise<Integrity> {
	const replayed = { sides: await sidesOf(base), holds, unproven: new Set(unproven) };
	const [before, after] = ran;
	const seen = { baseline: [of(before)], now: [of(after)], replayed };
	return inspectWhole(base, head, { seen, rules });
}

test("data and tests that expect something else are one question, tests alone one for each cause", async () => {
	const table =
		'import x from "../x.js";\ntest("a", () => { expect(x()).toEqual(read("rates.json")); });\n';
	const base = {
		"test/a.test.js": table,
		"test/b.test.js": B,
		"test/data/rates.json": "1\n",
		"x.js": "",
	};
	const head = {
		...base,
		"test/a.test.js": table.replace("x()", "x(2)"),
		"test/b.test.js": B.replace("3", "4"),
		"test/data/rates.json": "2\n",
	};
	const askedOf = async (paths: readonly string[], changed: Files) => {
		const files = new Map(paths.map((path) => [path, path.endsWith("js") ? [path] : []]));
		const otherwise = { files, isGone: () => false, gone: 0 };
		const replayed = { sides: await sidesOf(base), holds: true, otherwise };
		const seen = { baseline: [of("a+")], now: [of("a+")], replayed };
		const { suspicions } = await inspectWhole(base, changed, { seen });
		shown = suspicions.map(({ text }) => text);
		return suspicions.map(({ rule, file }) => `${rule} ${file}`);
	};
	let shown: readonly string[] = [];
	const tests = ["test/a.test.js", "test/b.test.js"];
	expect(await askedOf([...tests, "test/data/rates.json"], head)).toEqual([
		"other_expected test/a.test.js",
	]);
	const alone = { ...head, "test/data/rates.json": "1\n" };
	expect(await askedOf(tests, alone)).toEqual(tests.map((path) => `other_expected ${path}`));
	const more = { ...base, "test/data/rates.json": "1\n2\n" };
	expect(await askedOf(["test/data/rates.json"], more)).toHaveLength(1);
	expect(shown).toEqual(["+ 2"]);
});

describe("cases under another name, which may skip them", () => {
	const base =
		'import x from "../x.js";\ndescribe("x", () => {\n\tit("a", () => { expect(x(1)).toBe(2); });\n});\n';
	const ALIAS = "const fastIt = isFast ? it : it.skip;\n";
	const of = async (head: string) =>
		(await wall({ "test/a.test.js": base, "x.js": "" }, { "test/a.test.js": head, "x.js": "" }))
			.suspicions.length;
	const more = '\tfastIt("b", () => { expect(x(2)).toBe(3); });\n});\n';

	test("are no question where they are new", async () => {
		expect(await of(`${ALIAS}${base.replace("});\n});\n", `});\n${more}`)}`)).toBe(0);
	});

	test("are one where one of the base has it, or where it is used for something else", async () => {
		expect(await of(`${ALIAS}${base.replace("\tit(", "\tfastIt(")}`)).toBe(1);
		for (const alias of [
			"const fastIt = globalThis.test = it.skip;\n",
			"const fastIt = it; globalThis.expect = any;\n",
			"const fastIt = it, z = globalThis.expect = any;\n",
			"const fastIt = it.only;\n",
		]) {
			const head = `${alias}${base.replace("});\n});\n", `});\n${more}`)}`;
			expect(await of(head), alias).toBe(1);
		}
		const other = `${ALIAS}it.each = fastIt;\n${base.replace("});\n});\n", `});\n${more}`)}`;
		expect(await of(other)).toBe(1);
	});
});

const A = 'import x from "../x.js";\ntest("a", () => { expect(x(1)).toBe(2); });\n';
const B = 'test("b", () => { expect(x(2)).toBe(3); });\n';

describe("data of tests that moved", () => {
	const base = { "test/a.test.js": A, "test/data/rates.json": '{"a": 1}\n', "x.js": "" };

	test.each([
		["below its folder, as it was, is no question", "test/data/eu/rates.json", '{"a": 1}\n', []],
		["to another folder is one", "test/old/rates.json", '{"a": 1}\n', ["test/data/rates.json"]],
		["with another text is one", "test/data/eu/rates.json", '{"a": 2}\n', ["test/data/rates.json"]],
	])("%s", async (_what, place, text, asked) => {
		const reads = 'read("../data/rates.json");\n';
		const from = { ...base, "test/a.test.js": A + reads };
		const head = { "test/a.test.js": A + reads, "x.js": "", [place]: text };
		const { suspicions } = await wall(from, head);
		expect(
			suspicions.filter(({ rule }) => rule === "test_data_changed").map(({ file }) => file),
		).toEqual(asked);
	});
});

describe("where no run of the base's own tests tells whether they hold", () => {
	const unproven = ["test/a.test.js", "test/setup.js", "data/table.txt"];

	test("each change of what acts on them is a suspicion, also one that only adds", async () => {
		const base = { "test/a.test.js": A, "test/setup.js": "export const two = 2;\n" };
		const head = {
			"later/a.js": A,
			"test/setup.js": "export const two = 2;\nexport const three = 3;\n",
		};
		const found = await wall(base, head, { holds: false, unproven, rules: { allow: ALLOWED } });
		expect(found.suspicions.map(({ rule, file, text }) => [rule, file, text])).toEqual([
			["changed_unproven", "test/setup.js", "+ export const three = 3;"],
		]);
	});

	const ALLOWED = [{ path: "test/a.test.js", change: "delete", reason: "it goes" }] as const;

	test("one that moved without a new line as well", async () => {
		const base = { "test/a.test.js": A, "data/table.txt": "one two\n" };
		const head = { "test/a.test.js": A, "later/table.txt": "one two\n" };
		const { suspicions } = await wall(base, head, { holds: false, unproven });
		expect(suspicions).toMatchObject([
			{ rule: "changed_unproven", file: "data/table.txt", text: "- one two" },
		]);
	});
});

describe("once the base's own tests hold", () => {
	test("tests may be split, merged and moved, and nothing is suspicious", async () => {
		const base = { "test/all.test.js": A + B };
		const head = { "test/a.test.js": A, "test/deep/b.test.js": B };
		const ran = ["test/all.test.js::a+ test/all.test.js::b+", "a+ b+"] as const;
		expect(await wall(base, head, { ran })).toMatchObject({ violations: [], suspicions: [] });
		expect((await wall(base, head, { ran, holds: false })).violations).not.toEqual([]);
	});

	const UNCOUNTED = 'test("c", () => { if (x(1) !== 2) throw new Error("no"); });\n';

	test("a test whose assertions cannot be counted may neither be deleted nor cut from its file", async () => {
		const base = { "test/a.test.js": UNCOUNTED };
		const gone = await wall(base, {}, { ran: ["c+ d+", "d+"] });
		expect(gone.violations).toEqual([
			expect.stringContaining("test/a.test.js: this test file was deleted"),
			expect.stringContaining('the test "c" ran before but no longer runs'),
		]);
		const cut = await wall(base, { "test/a.test.js": "\n" }, { ran: ["c+ d+", "d+"] });
		expect(cut.violations).toEqual([
			expect.stringContaining('the test "c" ran before but no longer runs'),
		]);
	});

	test("one that as many others replaced may be deleted, and so may a helper that declares no test", async () => {
		const base = { "test/a.test.js": UNCOUNTED, "test/helper.js": "export const two = 2;\n" };
		const head = { "test/b.test.js": UNCOUNTED.replace('"c"', '"d"') };
		expect((await wall(base, head, { ran: ["c+", "d+"] })).violations).toEqual([]);
		const without = { "test/a.test.js": UNCOUNTED };
		expect((await wall(base, without, { ran: ["c+", "c+"] })).violations).toEqual([]);
	});

	test("a table of cases may replace single tests, and is shown", async () => {
		const base = { "test/a.test.js": A + B };
		const table = 'test.each([[1, 2], [2, 3]])("%i", (n, m) => { expect(x(n)).toBe(m); });\n';
		const { violations, suspicions } = await wall(
			base,
			{ "test/a.test.js": table },
			{ ran: ["a+ b+", "1+ 2+"] },
		);
		expect(violations).toEqual([]);
		expect(suspicions).toMatchObject([{ rule: "test_changed", file: "test/a.test.js", line: 1 }]);
		expect(suspicions[0]?.text).toContain('- test("b"');
		expect(suspicions[0]?.text).toContain("+ test.each");
	});

	test("fewer tests still block, and so does a skip", async () => {
		const base = { "test/a.test.js": A + B };
		const fewer = await wall(base, { "test/a.test.js": A }, { ran: ["a+ b+", "a+"] });
		expect(fewer.violations.join()).toContain('the test "b" ran before but no longer runs');
		const gone = await wall(base, {}, { ran: ["a+ b+", ""] });
		expect(gone.violations.join()).toContain("was deleted");
		const skipped = { "test/a.test.js": (A + B).replace('test("b"', 'test.skip("b"') };
		const of = (before: string, after: string) => wall(base, skipped, { ran: [before, after] });
		expect((await of("a+ b+", "a+ b~")).violations.join()).toContain('"b" ran before');
		expect((await of("a+ b+", "a+ b+")).violations, "the cases say that it runs").toEqual([]);
	});

	test("a skip that a list of cases does not show blocks, and one that a new case carries does not", async () => {
		const base = { "test/test_a.py": "def test_a():\n    assert x() == 1\n" };
		const head = (mark: string, rest = "") => ({
			"test/test_a.py": `${mark}${base["test/test_a.py"]}${rest}`,
		});
		const xfail = await wall(base, head("@pytest.mark.xfail\n"));
		expect(xfail.violations.join()).toContain("1 more pytest xfail");
		const fresh = '@pytest.mark.skipif(WIN, reason="")\ndef test_b():\n    assert x() == 2\n';
		const more = await wall(base, head("", fresh), { ran: ["test_a+", "test_a+ test_b~"] });
		expect(more.violations).toEqual([]);
	});

	test("assertions of another module are a suspicion, and so spelt otherwise they are none", async () => {
		const of = (module: string): string =>
			`import assert from "${module}";\nimport { x } from "../src/x.js";\ntest("a", () => assert.equal(x(1), 2));\n`;
		const base = { "test/a.test.js": of("node:assert/strict") };
		const loose = await wall(base, { "test/a.test.js": of("node:assert") });
		expect(loose.suspicions).toMatchObject([
			{ rule: "test_changed", line: 1, text: '+ import assert from "node:assert";' },
		]);
		const same = await wall(base, { "test/a.test.js": of("assert/strict") });
		expect(same.suspicions).toEqual([]);
	});

	test("a helper of the same name from another file is a suspicion, and one that moved there is none", async () => {
		const of = (from: string): string =>
			`import { same } from "./${from}.js";\ntest("a", () => same(1, 1));\n`;
		const helper = "export function same(one, other) { assert.equal(one, other); }\n";
		const base = { "test/a.test.js": of("one"), "test/one.js": helper };
		const other = { ...base, "test/a.test.js": of("two"), "test/two.js": helper };
		expect((await wall(base, other)).suspicions).toMatchObject([
			{ rule: "test_changed", file: "test/a.test.js", text: '+ import { same } from "./two.js";' },
		]);
		const moved = { ...other, "test/one.js": "export const three = 3;\n" };
		expect((await wall(base, moved)).suspicions).toEqual([]);
	});

	test("an assertion that says less is a suspicion", async () => {
		const head = { "test/a.test.js": A.replace("toBe(2)", "toBeDefined()") };
		const { violations, suspicions } = await wall({ "test/a.test.js": A }, head);
		expect(violations).toEqual([]);
		expect(suspicions).toMatchObject([{ rule: "test_changed", file: "test/a.test.js" }]);
	});

	test("a case that no changed test file names is missing", async () => {
		const ran = ["a+ z+", "a+ y+"] as const;
		const { violations } = await wall(
			{ "test/a.test.js": A },
			{ "test/a.test.js": `${A} ` },
			{ ran },
		);
		expect(violations).toEqual([
			'check tests: the test "z" ran before but no longer runs; restore it',
		]);
	});

	test("a rewritten assertion, changed data and a changed runner are suspicions with stable ids", async () => {
		const base = {
			"test/a.test.js": `${A}read("rates.json");\n`,
			"data/rates.json": '{ "a": 1 }\n',
			"src/check/run.js": "exit(failed);\n",
		};
		const head = {
			...base,
			"test/a.test.js": base["test/a.test.js"].replace("toBe(2)", "toBe(3)"),
			"data/rates.json": '{ "a": 2 }\n',
			"src/check/run.js": "exit(0);\n",
		};
		const rules = { checks: [] };
		const replayed = {
			sides: await sidesOf(base, { run: "node src/check/run.js" }),
			holds: true,
		};
		const seen = { baseline: [of("a+")], now: [of("a+")], replayed };
		const look = async () => (await inspectWhole(base, head, { seen, rules })).suspicions;
		const found = await look();
		expect(found.map(({ rule, file, line }) => [rule, file, line])).toEqual([
			["test_changed", "test/a.test.js", 2],
			["test_data_changed", "data/rates.json", 1],
			["check_changed", "src/check/run.js", 1],
		]);
		expect(await look()).toEqual(found);
		expect(new Set(found.map(({ id }) => id)).size).toBe(3);
	});

	test.each([
		["formatting", A.replaceAll('"', "'").replaceAll("; ", ";\n\t")],
		["a comment", `// why\n${A}`],
		["another title", A.replace('"a"', '"adds one"')],
		["a further test", A + B],
	])("%s is no suspicion", async (_what, text) => {
		expect(await wall({ "test/a.test.js": A }, { "test/a.test.js": text })).toMatchObject({
			violations: [],
			suspicions: [],
		});
	});

	test.each([
		["test/a.bats", '@test "a" {\n  [ "$(x 1)" -eq 2 ]\n}\n'],
		["src/test/java/ATest.java", "@Test\nvoid a() { assertEquals(2, x(1)); }\n"],
	])(
		"a further test in %s is no suspicion, an annotation that acts on one is",
		async (path, text) => {
			const another = text.replace('"a"', '"b"').replace(" a()", " b()");
			expect(await wall({ [path]: text }, { [path]: text + another })).toMatchObject({
				violations: [],
				suspicions: [],
			});
			const { suspicions } = await wall(
				{ [path]: text },
				{ [path]: `@ExtendWith(Calm.class)\n${text}` },
			);
			expect(suspicions).toMatchObject([{ rule: "test_changed" }]);
		},
	);

	test.each([
		"	if (x) return;",
		"vi.mock('../x.js');",
		"process.exit(0);",
		"try {",
		"x.prototype.f = g;",
	])("an added line can disarm a test: %s", async (line) => {
		const { suspicions } = await wall(
			{ "test/a.test.js": A },
			{ "test/a.test.js": A.replace("\ntest(", `\n${line}\ntest(`) },
		);
		expect(suspicions).toMatchObject([{ rule: "test_changed", line: 2, text: `+ ${line.trim()}` }]);
	});

	const JS = `import { x } from "../x.js";
import { Y } from "../y.js";

test("a", () => {
	expect(x(1)).toBe(2);
});
`;
	const PY = `from product import RATES, x


class ATest(Case):
    def test_a(self):
        self.assert_close(x(1), 2)
`;
	const LOCAL = 'test("a", () => {\n	const y = make();\n	expect(y.limit).toBe(9);\n});\n';
	const FIXTURE = "def test_a(book):\n    assert book.limit == 2\n";
	const SH = 'same() { [ "$1" = "$2" ]; }\n';

	test.each([
		[
			"a condition around an assertion",
			"test/a.test.js",
			JS,
			"	expect(x",
			"	if (late) {\n	expect(x",
		],
		[
			"a class under an imported name",
			"test/a.test.js",
			JS,
			"	expect(x",
			"	class Y {}\n	expect(x",
		],
		[
			"a function under an imported name",
			"test/a.test.js",
			JS,
			"	expect(x",
			"	const x = () => 2;\n	expect(x",
		],
		[
			"names taken from elsewhere",
			"test/a.test.js",
			JS,
			"	expect(x",
			"	const { x } = own;\n	expect(x",
		],
		[
			"a part of the product that is set",
			"test/a.test.js",
			JS,
			"	expect(x",
			"	Y.limit = 9;\n	expect(x",
		],
		["a loop that goes on", "test/a.test.js", JS, "	expect(x", "	continue;\n	expect(x"],
		[
			"a condition in Python",
			"tests/test_a.py",
			PY,
			"        self",
			"        if late:\n        self",
		],
		["an exception under another name", "tests/test_a.py", PY, "class", "x = print\n\n\nclass"],
		[
			"a tolerance of the class",
			"tests/test_a.py",
			PY,
			"    def",
			"    tolerance = 5e2\n\n    def",
		],
		[
			"rates that are set",
			"tests/test_a.py",
			PY,
			"        self",
			"        RATES.update(right)\n        self",
		],
		["a second function of the shell", "test/compare.sh", SH, SH, `${SH}same() { true; }\n`],
		[
			"an object of a test that is set",
			"test/a.test.js",
			LOCAL,
			"	expect(y",
			"	y.limit = 9;\n	expect(y",
		],
		[
			"a fixture that gets another value",
			"tests/test_b.py",
			FIXTURE,
			"    assert",
			"    book = Book(2)\n    assert",
		],
	])("lines that stay may notice less by %s", async (_what, file, base, from, to) => {
		const { violations, suspicions } = await wall(
			{ [file]: base },
			{ [file]: base.replace(from, () => to) },
		);
		expect(violations).toEqual([]);
		expect(suspicions).toMatchObject([{ rule: "test_changed", file }]);
	});

	test.each([
		[
			"a table and a loop in a new test",
			`${JS}test("b", () => {\n	for (const row of rows) {\n		expect(x(row)).toBe(3);\n	}\n});\n`,
		],
		[
			"names of its own in a new test",
			`${JS}test("b", () => {\n	const y = new Y();\n	y.limit = 4;\n	expect(x(y)).toBe(3);\n});\n`,
		],
		[
			"an object of a new test that is set",
			`${JS}test("b", () => {\n	const z = make();\n	if (z) {\n		z.limit = 4;\n	}\n\n	w = z;\n	expect(x(z)).toBe(3);\n});\n`,
		],
	])("%s is no suspicion", async (_what, text) => {
		const file = "test/a.test.js";
		const ran = ["a+", "a+ b+"] as const;
		expect(await wall({ [file]: JS }, { [file]: text }, { ran })).toMatchObject({
			violations: [],
			suspicions: [],
		});
	});

	test("a line that stays in a comment is gone", async () => {
		const file = "test/a.test.js";
		const easy = 'test("c", () => { expect(x(3)).toBe(4); });\n';
		const { suspicions } = await wall(
			{ [file]: A + B },
			{ [file]: `${A}/*\n${B}*/\n${easy}` },
			{ ran: ["a+ b+", "a+ c+"] },
		);
		expect(suspicions).toMatchObject([{ rule: "test_changed", file }]);
		expect(suspicions[0]?.text).toContain('- test("b"');
	});

	test("tests that take the product from a file among them are suspicious", async () => {
		const base = { "test/a.test.js": JS, "x.js": "", "y.js": "" };
		const copied = { ...base, "test/a.test.js": JS.replace("../x.js", "./x.js"), "test/x.js": "" };
		const { suspicions } = await wall(base, copied);
		expect(suspicions).toMatchObject([
			{
				rule: "test_changed",
				file: "test/a.test.js",
				line: 1,
				text: '+ import { x } from "./x.js";',
			},
		]);
		const moved = {
			"test/a.test.js": JS.replace("../x.js", "../src/x.js"),
			"src/x.js": "",
			"y.js": "",
		};
		expect((await wall(base, moved)).suspicions).toEqual([]);
		const python = { "tests/test_a.py": PY, "product.py": "" };
		const beside = {
			...python,
			"tests/test_a.py": PY.replace("product", "exact"),
			"tests/exact.py": "",
		};
		expect((await wall(python, beside)).suspicions).toMatchObject([
			{ file: "tests/test_a.py", line: 1 },
		]);
	});

	test("fixtures of pytest may change, and somebody judges them; hooks may not", async () => {
		const file = "tests/conftest.py";
		const base = { [file]: "@pytest.fixture\ndef book():\n    return Book(1)\n" };
		const head = { [file]: "@pytest.fixture\ndef book():\n    return Book(2)\n" };
		const { violations, suspicions } = await wall(base, head);
		expect(violations).toEqual([]);
		expect(suspicions).toMatchObject([{ rule: "test_changed", file, line: 3 }]);
		const hook = { [file]: `${base[file]}def pytest_runtest_call(item):\n    pass\n` };
		expect((await wall(base, hook)).violations).toHaveLength(1);
		const cases = { [file]: `${base[file]}def pytest_generate_tests(metafunc):\n    pass\n` };
		expect(await wall(base, cases)).toMatchObject({ violations: [], suspicions: [{ file }] });
		expect((await wall(base, {})).suspicions).toMatchObject([{ rule: "test_changed", file }]);
	});
});

describe("what a task allows", () => {
	const allowing = (path: string, change: "delete" | "rename" | "skip" | "weaken" | "edit") => {
		return { rules: { allow: [{ path, change, reason: "asked for" }] }, holds: false };
	};

	const asksOf = ({ violations, suspicions }: Integrity): number =>
		violations.length + suspicions.length;

	test.each([
		["delete", { "test/a.test.js": A }, {}, "test/*.js"],
		["rename", { "test/a.test.js": A }, { "e2e/b.test.js": `${A}\n` }, "test/a.test.js"],
		[
			"skip",
			{ "test/a.test.js": A },
			{ "test/a.test.js": A.replace("test(", "test.failing(") },
			"test/**",
		],
		[
			"weaken",
			{ "test/a.test.js": A },
			{ "test/a.test.js": 'test("a", () => {});\n' },
			"**/*.test.js",
		],
		["edit", { "vitest.config.ts": "1" }, { "vitest.config.ts": "2" }, "vitest.config.ts"],
		[
			"edit",
			{ ".github/workflows/ci.yml": "1" },
			{ ".github/workflows/ci.yml": "2" },
			".github/**",
		],
		["edit", {}, { "vitest.config.ts": "2" }, "vitest.config.ts"],
		["delete", { "jest.config.js": "1" }, {}, "jest.config.js"],
	] as const)("%s passes, and nothing else does", async (change, base, head, path) => {
		const found = await wall(base, head, allowing(path, change));
		const [only] = Object.keys(base).length > 0 ? Object.keys(base) : Object.keys(head);
		expect(found).toMatchObject({
			violations: [],
			allowed: [{ path: only, change, reason: "asked for" }],
		});
		for (const other of ["delete", "skip", "weaken", "edit"] as const) {
			// A file that moved is gone from its place.
			if (other === change || (change === "rename" && other === "delete")) continue;
			const refused = await wall(base, head, allowing(path, other));
			expect([other, asksOf(refused) > 0]).toEqual([other, true]);
		}
		expect(asksOf(await wall(base, head, allowing("other/**", change)))).toBeGreaterThan(0);
	});

	test("cases of an allowed file may be lost, others not", async () => {
		const base = { "test/a.test.js": A, "test/b.test.js": B };
		const ran = ["a+ b+", "a+"] as const;
		const { "test/b.test.js": _gone, ...head } = base;
		const found = await wall(base, head, { ...allowing("test/b.test.js", "delete"), ran });
		expect(found.violations).toEqual([]);
		const both = await wall(base, head, {
			...allowing("test/b.test.js", "delete"),
			ran: ["a+ b+", "x+"],
		});
		expect(both.violations).toHaveLength(1);
	});

	test("the workflow file, links and what starts the coach can never be allowed", async () => {
		const allow = [{ path: "**", change: "edit", reason: "asked for" }] as const;
		const rules = {
			allow,
			workflowFile: "sparring.yaml",
			commands: [{ owner: "agent coach", run: "sh tools/coach.sh" }],
		};
		const base = { "sparring.yaml": "1", "tools/coach.sh": "1" };
		const { violations } = await wall(
			base,
			{ "sparring.yaml": "2", "tools/coach.sh": "2" },
			{ rules },
		);
		expect(violations).toHaveLength(2);
	});

	test("what nothing needed is noted", async () => {
		const { notes } = await wall({}, { "a.js": "1" }, allowing("test/**", "skip"));
		expect(notes).toContain('allow: nothing needed "skip" of test/**');
	});
});
