import { describe, expect, test } from "vitest";
import type { FileChange } from "../../git/changes.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import { cases, evidence } from "../fixtures/builders.ts";
import { countsOf } from "../reports/parsed-report.ts";
import { checkIntegrity } from "./check-integrity.ts";
import type { EvidencePair, IntegrityRules, TreePair } from "./tree-pair.ts";

type Files = Readonly<Record<string, string>>;
const none: EvidencePair = { baseline: [], now: [] };
const check = (run: string): CheckDefinition => {
	return { name: "tests", kind: "acceptance", run, timeoutMs: 1, baseline: "new" };
};

function changesOf(base: Files, head: Files, modes: Files): FileChange[] {
	const paths = [...new Set([...Object.keys(base), ...Object.keys(head)])];
	return paths
		.filter((path) => base[path] !== head[path])
		.map((path) => {
			const kind =
				base[path] === undefined ? "added" : head[path] === undefined ? "deleted" : "modified";
			const newMode = modes[path] ?? "100644";
			return {
				path,
				kind,
				oldMode: "100644",
				newMode,
				oldOid: `o${base[path]}`,
				newOid: `o${head[path]}`,
			};
		});
}

async function inspect(
	base: Files,
	head: Files,
	{
		rules = {},
		seen = none,
		pair = {},
		modes = {},
	}: {
		rules?: Partial<IntegrityRules>;
		seen?: EvidencePair;
		pair?: Partial<TreePair>;
		modes?: Files;
	} = {},
) {
	const trees: TreePair = {
		changes: changesOf(base, head, modes),
		readBase: async (path) => base[path] ?? null,
		readHead: async (path) => head[path] ?? null,
		ignoredByBase: async () => [],
		embedded: [],
		...pair,
	};
	return checkIntegrity(trees, { checks: [check("npm test")], protected: [], ...rules }, seen);
}

const scripts = (map: Files, more: object = {}) => JSON.stringify({ scripts: map, ...more });

test("code, new tests and dependencies may change freely", async () => {
	const found = await inspect(
		{
			"src/a.js": "1",
			"package.json": scripts({ test: "node --test", build: "x" }),
			"test/a.test.js": "assert(1)",
		},
		{
			"src/a.js": "2",
			"package.json": scripts({ test: "node --test", build: "y" }, { dependencies: { a: "1" } }),
			"test/a.test.js": "assert(1); assert(2)",
			"test/b.test.js": "assert(2)",
		},
	);
	expect(found).toEqual({ violations: [], notes: [] });
});

describe("guarded places", () => {
	const rules = { protected: ["guarded/**", "./dir/"], workflowFile: "sparring.yaml" };
	test("a protected file that changes blocks, a new one is shown; no name evades the glob", async () => {
		const found = await inspect(
			{ "guarded/.a\nb": "1", "dir/x": "1" },
			{ "guarded/.a\nb": "2", "guarded/new": "1" },
			{ rules },
		);
		expect(found.violations).toEqual([
			'"guarded/.a\\nb": this protected file was modified; restore it',
			"dir/x: this protected file was deleted; restore it",
		]);
		expect(found.notes).toEqual(["guarded/new: a new file in a protected place"]);
	});

	test("the workflow file may neither change nor appear", async () => {
		expect(
			(await inspect({ "sparring.yaml": "1" }, { "sparring.yaml": "2" }, { rules })).violations[0],
		).toContain("restore it");
		expect((await inspect({}, { "sparring.yaml": "2" }, { rules })).violations[0]).toContain(
			"remove it",
		);
	});
});

describe("what runs a check", () => {
	test("the script behind the command and those that it calls, with pre and post", async () => {
		const base = scripts({ test: "npm run unit", unit: "node --test", lint: "x" });
		const of = async (head: Files) =>
			(await inspect({ "package.json": base }, { "package.json": scripts(head) })).violations;
		expect(await of({ test: "true", unit: "node --test" })).toEqual([
			'package.json: the script "test" that check tests runs was changed; restore it',
		]);
		expect(await of({ test: "npm run unit", unit: "true" })).toHaveLength(1);
		expect(
			await of({ test: "npm run unit", unit: "node --test", pretest: "sed -i x" }),
		).toHaveLength(1);
		expect(await of({ test: "npm run unit", unit: "node --test", lint: "y" })).toEqual([]);
		expect((await inspect({ "package.json": base }, {})).violations).toHaveLength(2);
		expect(
			(await inspect({ "package.json": base }, { "package.json": "{" })).violations,
		).toHaveLength(2);
		expect(
			(await inspect({ "package.json": base }, { "package.json": "[]" })).violations,
		).toHaveLength(2);
	});

	test.each([
		["npm t", "test"],
		["npm run -s unit", "unit"],
		["yarn unit", "unit"],
		["run-s 'u*'", "unit"],
		["FOO=1 npm --silent test", "test"],
		["npx concurrently npm:unit", "unit"],
	])("%s runs the script %s", async (run, name) => {
		const found = await inspect(
			{ "package.json": scripts({ [name]: "a" }) },
			{ "package.json": scripts({ [name]: "b" }) },
			{ rules: { checks: [check(run)] } },
		);
		expect(found.violations).toHaveLength(1);
	});

	test("scripts of nested packages, when the command reaches them", async () => {
		const base = {
			"package.json": scripts({ test: "npm test --workspaces" }),
			"p/package.json": scripts({ test: "a" }),
		};
		const head = {
			...base,
			"p/package.json": scripts({ test: "b" }),
			"q/package.json": scripts({ test: "c" }),
		};
		expect((await inspect(base, head)).violations).toHaveLength(1);
		const plain = { "package.json": scripts({ test: "node --test" }) };
		expect((await inspect({ ...base, ...plain }, { ...head, ...plain })).violations).toEqual([]);
		const sample = await inspect(
			{ ...base, "fixtures/package.json": "{}" },
			{ ...base, "fixtures/package.json": scripts({ test: "z" }) },
		);
		expect(sample.violations).toEqual([]);
	});

	test("files that the command names, also in quotes, without an ending, or below a directory", async () => {
		const rules = {
			checks: [check(`cd tools && node run && sh 'my check.sh'; node --test a.test.js`)],
		};
		const base = { "tools/run.js": "1", "my check.sh": "1", "a.test.js": "1", "other.js": "1" };
		const head = { "tools/run.js": "2", "a.test.js": "2", "other.js": "2" };
		const { violations } = await inspect(base, head, { rules });
		expect(violations).toEqual([
			"tools/run.js: a file that check tests runs was modified; restore it",
			'"my check.sh": a file that check tests runs was deleted; restore it',
		]);
		const made = await inspect({}, { Makefile: "x" }, { rules: { checks: [check("make test")] } });
		expect(made.violations).toHaveLength(1);
	});

	test.each([
		"vitest.config.ts",
		".npmrc",
		"jest.config.js",
		"pytest.ini",
		"sub/.mocharc.yml",
		"biome.json",
		"eslint.config.mjs",
		".golangci.yml",
		".github/workflows/a.yml",
		"Jenkinsfile",
	])("%s may neither change nor appear", async (file) => {
		expect((await inspect({ [file]: "1" }, { [file]: "2" })).violations).toHaveLength(1);
		expect((await inspect({}, { [file]: "2" })).violations).toHaveLength(1);
	});

	test("configuration of a new package and samples are free; tsconfig is", async () => {
		const head = {
			"p/package.json": "{}",
			"p/vitest.config.ts": "1",
			"fixtures/jest.config.js": "1",
			"tsconfig.json": "1",
		};
		const found = await inspect({}, head);
		expect(found).toEqual({
			violations: [],
			notes: ["p/vitest.config.ts: new configuration in a new package"],
		});
	});

	test("conftest.py, sections of pyproject.toml and keys of package.json", async () => {
		expect((await inspect({}, { "tests/conftest.py": "1" })).notes).toHaveLength(1);
		expect((await inspect({ "conftest.py": "1" }, { "conftest.py": "2" })).violations).toHaveLength(
			1,
		);
		const toml = (deps: string, paths: string) =>
			`[project]\ndependencies = ["${deps}"]\n[tool.pytest.ini_options]\ntestpaths = [\n"${paths}"]\n[tool.black]\nx = 1\n`;
		const python = async (head: string) =>
			(await inspect({ "pyproject.toml": toml("a", "t") }, { "pyproject.toml": head })).violations
				.length;
		expect(await python(toml("b", "t"))).toBe(0);
		expect(await python(toml("a", "u"))).toBe(1);
		const keys = await inspect(
			{ "p/package.json": "{}" },
			{ "p/package.json": '{"jest":{"bail":1}}' },
		);
		expect(keys.violations).toEqual([
			'p/package.json: the configuration "jest" was changed; restore it',
		]);
	});
});

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

describe("cases", () => {
	const seen = (before: string, after: string, changed = {}) => {
		const of = (text: string) =>
			evidence({ cases: cases(text), counts: { ...countsOf(cases(text)), knownFailing: 0 } });
		return { baseline: [of(before)], now: [{ ...of(after), ...changed }] };
	};
	const lost = async (pair: EvidencePair) => (await inspect({}, {}, { seen: pair })).violations;

	test("one that ran, red or green, and is missing or skipped blocks; at most ten are named", async () => {
		expect(await lost(seen("a+ b+ c- d~", "a+ b~"))).toEqual([
			'check tests: the test "b" ran before and does not run any more; restore it',
			'check tests: the test "c" ran before and does not run any more; restore it',
		]);
		expect(await lost(seen("a- b-", "a+ b-"))).toEqual([]);
		const many = Array.from({ length: 13 }, (_, i) => `t${i}+`).join(" ");
		expect((await lost(seen(many, "x+"))).at(-1)).toContain("3 more tests");
		expect(await lost(seen("a+", "a- b+"))).toEqual([]);
	});

	test("by number where cases are not named", async () => {
		expect(await lost(seen("a+ b+", "a+ b~", { cases: null }))).toEqual([
			"check tests: fewer tests ran than before (2, now 1); restore those that are missing",
		]);
		expect(await lost(seen("a+ b-", "a+", { cases: null }))).toHaveLength(1);
		expect(await lost(seen("a+", "a+ b+", { cases: null }))).toEqual([]);
		expect(await lost(seen("a+", "", { cases: null, counts: null }))).toEqual([]);
	});

	test("evidence without a value, or of a check that is not there, says nothing", async () => {
		expect(await lost(seen("a+", "", { status: "error" }))).toEqual([]);
		expect(await lost({ ...seen("a+", ""), now: [] })).toEqual([]);
	});

	test("a file that did not load is no test, and goes when it loads", async () => {
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

	const moving = async (pair: EvidencePair, from = "test/a.js", to = "e2e/b.js") =>
		(await inspect({ [from]: "1" }, { [to]: "1" }, { seen: pair })).violations;

	test("a moved test is free where the cases show that it still runs", async () => {
		expect(await moving(seen("test/a.js:x+", "e2e/b.js:x+"))).toEqual([]);
		expect(await moving(seen("x-", "x+"))).toEqual([]);
		const python = seen("tests.test_a::x+", "tests.unit.test_a::x+");
		expect(await moving(python, "tests/test_a.py", "tests/unit/test_a.py")).toEqual([]);
	});

	test("a moved test that does not run there blocks, red ones included", async () => {
		expect(await moving(seen("test/a.js:x- y+", "y+"))).toEqual([
			'check tests: the test "test/a.js:x" ran before and does not run any more; restore it',
		]);
		const counted = seen("x- y+", "y+ z+", { cases: null });
		expect(await moving(counted)).toHaveLength(1);
		expect(await moving(seen("test/a.js- y+", "y+"))).toEqual([
			"test/a.js: this test file was deleted, or moved to where it may not run; restore it",
		]);
	});
});

describe("links and ignored files", () => {
	test.each([["/etc/passwd"], ["../../x"], ["../.git/config"], ["C:\\x"], [""]])(
		"a link to %j blocks",
		async (target) => {
			const found = await inspect({}, { "src/l": target }, { modes: { "src/l": "120000" } });
			expect(found.violations).toHaveLength(1);
		},
	);

	test("a link inside the checkout and a deleted one are free", async () => {
		expect(
			(
				await inspect(
					{ old: "/x" },
					{ "src/l": "../a" },
					{ modes: { "src/l": "120000", old: "120000" } },
				)
			).violations,
		).toEqual([]);
	});

	test("submodules and embedded repositories block", async () => {
		const found = await inspect(
			{},
			{ sub: "x" },
			{ modes: { sub: "160000" }, pair: { embedded: ["my repo"] } },
		);
		expect(found.violations).toHaveLength(2);
	});

	test("files that only a changed .gitignore lets in block", async () => {
		const pair = {
			ignoredByBase: async (paths: string[]) => paths.filter((path) => path.startsWith("lib/")),
		};
		const head = { ".gitignore": "", "lib/x.js": "1" };
		expect((await inspect({ ".gitignore": "lib" }, head, { pair })).violations).toHaveLength(1);
		expect((await inspect({}, { "lib/x.js": "1" }, { pair })).violations).toEqual([]);
	});
});
