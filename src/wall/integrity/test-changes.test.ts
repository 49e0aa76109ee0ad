import { describe, expect, test } from "vitest";
import { cases, evidence } from "../../evidence/evidence.fixture.ts";
import { countsOf } from "../../formats/reports/parsed-report.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { EvidencePair } from "../reading/tree-pair.ts";
import { type Files, inspect, inspectWhole } from "./inspect.fixture.ts";

describe("tests", () => {
	const of = async (base: Files, head: Files) => (await inspect(base, head)).violations;

	test("a deleted test blocks unless its content was renamed within its directory", async () => {
		expect(await of({ "test/a.js": "1" }, {})).toHaveLength(1);
		expect(await of({ "test/a.test.js": "1" }, { "test/b.test.js": "1" })).toEqual([]);
		expect(await of({ "test/a.test.js": "1" }, { "test/a.e2e.js": "1" })).toHaveLength(1);
		expect(await of({ "tests/test_a.py": "1" }, { "tests/test_b.py": "1" })).toEqual([]);
		expect(await of({ "tests/test_a.py": "1" }, { "tests/a.py": "1" })).toHaveLength(1);
		expect(await of({ "t/ATest.java": "1" }, { "t/BTest.java": "1" })).toEqual([]);
		expect(await of({ "test/a.js": "1" }, { "e2e/a.js": "1" })).toHaveLength(1);
		expect(await of({ "test/a.js": "1" }, { "src/a.js": "1" })).toHaveLength(1);
		expect(await of({ "test/a.js": "1", "test/b.js": "1" }, { "test/c.js": "1" })).toHaveLength(1);
	});

	test("a test that became something else blocks", async () => {
		const change: FileChange = {
			path: "a.test.js",
			kind: "type-changed",
			oldMode: "100644",
			newMode: "120000",
			oldOid: "1",
			newOid: "2",
		};
		const found = await inspect({}, { "a.test.js": "src/a.js" }, { pair: { changes: [change] } });
		expect(found.violations).toEqual([
			"a.test.js: this test file was replaced by something else; restore it",
		]);
	});

	test.each([
		["a.test.js", "test('a', f)", "test.skip('a', f)"],
		["a.test.js", "it('a', f)", "xit('a', f)"],
		["a.test.js", "it('a', f)", "/* x */ it.only('a', f)"],
		["a.test.js", "test('a', f)", "test('a', { skip: true }, f)"],
		["test_a.py", "def test_a(): pass", "@pytest.mark.skip\ndef test_a(): pass"],
		["test_a.py", "def test_a(self): pass", "@unittest.skip('x')\ndef test_a(self): pass"],
		["a_test.go", "func TestA(t *testing.T) {}", "func TestA(t *testing.T) { t.Skip() }"],
		["tests/a.rs", "#[test]\nfn a() {}", "#[test]\n#[ignore]\nfn a() {}"],
		["ATest.java", "@Test void a() {}", "@Disabled @Test void a() {}"],
		[
			"a.test.js",
			"expect(1).toBe(1)\nexpect(2).toBe(2)",
			"expect(1).toBe(1)\n// expect(2).toBe(2)",
		],
		["a_test.go", 't.Errorf("x")\nrequire.Equal(t, 1, 2)', 't.Errorf("x")'],
		["a.test.js", "test('a', f)\ntest('b', f)", "/*\ntest('a', f)\n*/\ntest('b', f)"],
		["a.test.js", "test('a', f)", "const old = `test('a', f)`"],
		["a.test.ts", "it.each(rows)('a', f)", "it_each(rows)('a', f)"],
		["test_a.py", "def test_a(): pass", "def a(): pass"],
		["test_a.py", "def test_a(): pass", "'''\ndef test_a(): pass\n'''"],
		["test_a.py", "def test_a(): pass", "def test_a(): pass\ntest_a.__test__ = False"],
		["a_test.go", "func TestA(t *testing.T) {}", "func testA(t *testing.T) {}"],
		["a_test.go", "func TestA(t *testing.T) {}", "//go:build ignore\nfunc TestA(t *testing.T) {}"],
		["tests/a.rs", "#[test]\nfn a() {}", "#[cfg(any())]\n#[test]\nfn a() {}"],
		["ATest.cs", "[Fact] void A() {}", "[Fact(Skip = R)] void A() {}"],
		["ATest.cs", "[Fact] void A() {}", "#if false\n[Fact] void A() {}\n#endif"],
		["a_spec.rb", "it 'a' do", "it 'a' do\n  pending\nit 'b' do"],
		["a_spec.rb", "it 'a' do\nend", "it 'a' do\n  skip\nend"],
		["a_spec.rb", "it 'a' do", "\n=begin\nit 'a' do\n=end\n"],
		["a.bats", '@test "a" {\n}', '@test "a" {\n  skip\n}'],
		["ATests.swift", "func testA() {}", "func testA() throws { throw XCTSkip() }"],
		["a.test.js", "test('a', f)", "test('a', { skip }, f)"],
		["a.test.js", "test('a', f)", "if (false) { test('a', f) }"],
	])("%s: %s to %s is weaker", async (path, base, head) => {
		expect(await of({ [path]: base }, { [path]: head })).toHaveLength(1);
		expect(await of({ [path]: base }, { [path]: `${base}\n` })).toEqual([]);
	});

	test.each([
		["a.test.js", "test('/*', f)", "test('/*', f)\ntest('*/', f) // test('c')"],
		["a.test.js", "test(/'/, f)", "test(/'/, f)\ntest(/\\/*'/, f)\ntest('*/')"],
		["a.test.js", "/* open\ntest('a', f)", "/* open /* /*\ntest('a', f)\ntest('b', f)"],
		["tests/a.rs", "#[test]\nfn a<'x>() {}", "/* why */ #[test]\nfn a<'x>() {}"],
		["a.test.js", "test('a', f)\n// test('old', f)", "test('a', f)"],
		["a.test.js", "test('a', f); pipe(\nskip(2))", "test('b', f); pipe(\nskip(2),\nskip(3))"],
	])("%s: %s to %s is not weaker", async (path, base, head) => {
		expect(await of({ [path]: base }, { [path]: head })).toEqual([]);
	});
});

describe("numbers of assertions", () => {
	const file = "test/a.test.js";
	const A = 'test("a", () => { expect(x(1)).toBe(2); });\n';
	const whole = (base: string, head: string, path = file) =>
		inspectWhole({ [path]: base }, { [path]: head });

	test.each([
		["formatting", A.replaceAll('"', "'").replace("{ ", "{\n\t")],
		[
			"a helper",
			`function same(n, m) { expect(x(n)).toBe(m); }\ntest("a", () => { same(1, 2); });\n`,
		],
		["a list", A.replace("x(1)).toBe(2)", "[x(1), x(2)]).toEqual([2, 3])")],
		["a stricter matcher", A.replace("toBe(2)", "toStrictEqual(2)")],
		["what is always true beside it", A.replace("expect", "expect(true).toBe(true); expect")],
	])("%s is not weaker", async (_what, head) => {
		expect((await whole(`${A}// old\n`, head)).violations).toEqual([]);
	});

	test("a name or a path with `expected` is no assertion", async () => {
		const base = 'test("a", () => { expect(x(read("expected/a.txt"))).toBe(expectedText); });\n';
		const other = base.replace("expected/a.txt", "wanted/a.txt").replace("expectedText", "text");
		expect((await whole(base, other)).violations).toEqual([]);
		const gone = 'test("a", () => { x(read("expected/a.txt"), expectedText, expected.b); });\n';
		expect((await whole(base, gone)).violations).toHaveLength(1);
		const ruby = [
			"it 'a' do\n expect(x).to eq expected.b\nend",
			"it 'a' do\n expected.b\nend",
		] as const;
		expect((await whole(...ruby, "a_spec.rb")).violations).toHaveLength(1);
	});

	test("what the task allows to weaken passes", async () => {
		const allow = [{ path: "test/**", change: "weaken", reason: "asked for" }] as const;
		const head = { [file]: A.replace("expect(x(1)).toBe(2);", "x(1);") };
		expect((await inspect({ [file]: A }, head, { rules: { allow } })).violations).toEqual([]);
	});

	test("a text that has no tree is compared as text", async () => {
		const broken = `${A}const = ;\n`;
		expect((await whole(broken, "const = ;\n")).violations).not.toEqual([]);
		expect((await whole(broken, broken.replace("1", "2"))).violations).toEqual([]);
	});
});

describe("cases", () => {
	const seen = (before: string, after: string, changed = {}) => {
		const of = (text: string) =>
			evidence({ cases: cases(text), counts: { ...countsOf(cases(text)), knownFailing: 0 } });
		return { baseline: [of(before)], now: [{ ...of(after), ...changed }] };
	};
	const lost = async (pair: Partial<EvidencePair>) =>
		(await inspect({}, {}, { seen: pair })).violations;

	test("a case that ran and is now missing or skipped blocks; at most ten are named", async () => {
		expect(await lost(seen("a+ b+ c- d~", "a+ b~"))).toEqual([
			'check tests: the test "b" ran before but no longer runs; restore it',
			'check tests: the test "c" ran before but no longer runs; restore it',
		]);
		expect(await lost(seen("a- b-", "a+ b-"))).toEqual([]);
		const many = Array.from({ length: 13 }, (_, i) => `t${i}+`).join(" ");
		expect((await lost(seen(many, "x+"))).at(-1)).toContain("3 more tests");
		expect(await lost(seen("a+", "a- b+"))).toEqual([]);
	});

	test("are compared by number if they have no names", async () => {
		expect(await lost(seen("a+ b+", "a+ b~", { cases: null }))).toEqual([
			"check tests: fewer tests ran than before (2, now 1); restore the missing tests",
		]);
		expect(await lost(seen("a+ b-", "a+", { cases: null }))).toHaveLength(1);
		expect(await lost(seen("a+", "a+ b+", { cases: null }))).toEqual([]);
		expect(await lost(seen("a+", "", { cases: null, counts: null }))).toEqual([]);
	});

	test("evidence without a value, or of a removed check, is not compared", async () => {
		expect(await lost(seen("a+", "", { status: "error" }))).toEqual([]);
		expect(await lost({ ...seen("a+", ""), now: [] })).toEqual([]);
	});

	test("a file that did not load is not a test", async () => {
		const pair = seen("a+", "a+ new+");
		const [first] = pair.baseline;
		const failed = [
			{ id: "test/a.test.js", status: "failed" },
			{ id: "x > (file)", status: "failed" },
			{ id: "pytest > tests.x", status: "failed", message: "collection failure" },
		] as const;
		const baseline = first === undefined ? [] : [{ ...first, cases: [...cases("a+"), ...failed] }];
		expect(await lost({ ...pair, baseline })).toEqual([]);
	});

	const moving = async (pair: Partial<EvidencePair>, from = "test/a.js", to = "e2e/b.js") =>
		(await inspect({ [from]: "1" }, { [to]: "1" }, { seen: pair })).violations;

	test("a moved test is allowed if the cases show that it still runs", async () => {
		expect(await moving(seen("test/a.js:x+", "e2e/b.js:x+"))).toEqual([]);
		expect(await moving(seen("x-", "x+"))).toEqual([]);
		const python = seen("tests.test_a::x+", "tests.unit.test_a::x+");
		expect(await moving(python, "tests/test_a.py", "tests/unit/test_a.py")).toEqual([]);
	});

	test("a lost case of a file that is still there asks for the allowance of its kind", async () => {
		const kinds = async (pair: Partial<EvidencePair>) => {
			const base = { "test/a.js": 'test("g", () => {}); test("x", () => {});' };
			const { blocked } = await inspectWhole(base, { "test/a.js": "// none" }, { seen: pair });
			return blocked.map(({ path, change }) => `${path} ${change}`);
		};
		expect(await kinds(seen("g+ x+", "g+"))).toEqual(["test/a.js weaken"]);
		expect(await kinds(seen("g+ x+", "g+ x~"))).toEqual(["test/a.js skip"]);
	});

	test("who lets a test move lets none of its cases go", async () => {
		const rules = {
			allow: [{ path: "test/a.js", change: "rename", reason: "it moves" }],
		} as const;
		const { violations } = await inspect(
			{ "test/a.js": 'test("x", () => {});' },
			{ "e2e/b.js": "2" },
			{ seen: seen("test/a.js:x+ y+", "y+"), rules },
		);
		expect(violations).toEqual([
			expect.stringContaining('the test "test/a.js:x" ran before but no longer runs'),
		]);
	});

	test("a moved test that no longer runs blocks, even if it failed before", async () => {
		expect(await moving(seen("test/a.js:x- y+", "y+"))).toEqual([
			'check tests: the test "test/a.js:x" ran before but no longer runs; restore it, or say in the task that it may go: allow: [{ path: "test/a.js", change: delete, reason: "..." }]',
		]);
		const counted = seen("x- y+", "y+ z+", { cases: null });
		expect(await moving(counted)).toHaveLength(1);
		expect(await moving(seen("test/a.js- y+", "y+"))).toEqual([
			"test/a.js: this test file was deleted, or moved to a place where it may not run; restore it",
		]);
	});
});
