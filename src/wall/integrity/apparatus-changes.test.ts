import { describe, expect, test } from "vitest";
import type { IntegrityRules } from "../reading/tree-pair.ts";
import { asked, checkOf, type Files, inspectWhole } from "./inspect.fixture.ts";

const pkg = (scripts: Files, more: object = {}) => JSON.stringify({ scripts, ...more }, null, 2);

const BASE: Files = {
	"package.json": pkg({ test: "node --test" }),
	"src/limiter.js": "export const limit = 1;",
	"test/limiter.test.js": 'import { limit } from "../src/limiter.js";\nassert(limit);',
	"test/data/one.json": "{}",
	"scripts/gen.js": "1",
	"ci.sh": "npm test",
	".gitignore": "dist\n",
	"tsconfig.json": '{"compilerOptions":{"strict":true}}',
	"vitest.config.ts": "export default {};",
};

const refused = (head: Files, rules: Partial<IntegrityRules> = {}) =>
	asked(BASE, { ...BASE, ...head }, { rules });

describe("asked about by name", () => {
	test.each([
		["apparatus_changed", "Dockerfile", "FROM node"],
		["apparatus_changed", ".github/workflows/ci.yml", "on: push"],
		["apparatus_changed", "CODEOWNERS", "* @me"],
		["apparatus_changed", ".gitignore", "dist\n!dist/x\n"],
		["apparatus_changed", ".gitignore", "\n"],
		["apparatus_changed", ".tool.conf", "x"],
		["beside_tests", "jest.config.json", '{"bail":1}'],
		["apparatus_changed", "unheard-of.rc", "x"],
		["check_changed", "package.json", pkg({ test: "true" })],
		["check_changed", "package.json", pkg({ test: "node --test", pretest: "x" })],
		["check_changed", "package.json", pkg({ test: "node --test", postinstall: "x" })],
		["check_changed", "package.json", pkg({ test: "node --test" }, { jest: { bail: 1 } })],
		["check_changed", "package.json", pkg({ test: "node --test" }, { unheardOf: 1 })],
		["check_changed", "tsconfig.json", '{"compilerOptions":{"strict":false}}'],
		["comes_first", "src/limiter.ts", "export const limit = 2;"],
		["beside_tests", "test/setup.cfg.js", "process.exitCode = 0;"],
		["beside_tests", "test/conftest.py", "import a"],
		["beside_tests", "test/data/two.yaml", "a: 1"],
		["apparatus_changed", ".github/docs/check.yml", "on: push"],
		["apparatus_changed", "eslint", "#!/bin/sh"],
	])("%s %s: %s", async (rule, file, text) => {
		expect(await refused({ [file]: text })).toContain(`${rule} ${file}`);
	});

	const WORKFLOW = "jobs:\n  - uses: actions/checkout@v4 # v4\n  - run: npm test\n";
	test.each([
		["another action", WORKFLOW.replace("actions/checkout@v4", "other/checkout@v4")],
		["an action of a branch", WORKFLOW.replace("@v4", "@main")],
		["a step beside a version", WORKFLOW.replace("@v4", "@v5").replace("npm test", "true")],
		["a step more", `${WORKFLOW}  - uses: actions/cache@v4\n`],
	])("a workflow with %s", async (_what, text) => {
		const file = ".github/workflows/ci.yml";
		const base = { ...BASE, [file]: WORKFLOW };
		expect(await asked(base, { ...base, [file]: text })).toEqual([`apparatus_changed ${file}`]);
	});

	test("a file beside tests that declares none of its own", async () => {
		const base = { ...BASE, "test/parse.js": "it('parses', () => {});" };
		const head = { ...base, "test/extra.js": "globalThis.limit = 1;" };
		expect(await asked(base, head)).toEqual(["beside_tests test/extra.js"]);
		const hooks = { ...base, "test/hooks.js": "it('parses', () => {});" };
		expect(await asked(base, hooks)).toEqual(["beside_tests test/hooks.js"]);
		const more = { ...base, "test/filter.js": "it('filters', () => {});" };
		expect(await asked(base, more)).toEqual([]);
	});

	test("workflows of CI, in one question that shows all", async () => {
		const [one, two] = [".github/workflows/a.yml", ".github/workflows/b.yml"];
		const head = { ...BASE, [one]: "on: push", [two]: "on: tag", Dockerfile: "FROM node" };
		const { suspicions } = await inspectWhole(BASE, head);
		const asked = suspicions.map(({ file, text }) => [file, text] as const);
		expect(new Map(asked)).toEqual(
			new Map([
				["Dockerfile", "+ FROM node"],
				[one, `+ on: push\n${two}:\n+ on: tag`],
			]),
		);
		expect(asked).toHaveLength(2);
	});

	test("settings of tests in a folder of documents that has tests", async () => {
		const base = { ...BASE, "docs/test_usage.py": "def test_a(): pass" };
		expect(await asked(base, { ...base, "docs/conftest.py": "import a" })).toEqual([
			"beside_tests docs/conftest.py",
		]);
	});

	test("a file of the base that is gone", async () => {
		const base = { ...BASE, "unheard-of.rc": "x" };
		expect(await asked(base, BASE)).toEqual(["apparatus_changed unheard-of.rc"]);
	});

	test("settings of a formatter that a check runs", async () => {
		const lint = { ...checkOf("prettier --check ."), name: "lint", kind: "lint" as const };
		const rules = { checks: [checkOf("npm test"), lint] };
		for (const file of [".prettierignore", ".prettierrc", ".editorconfig"])
			expect(await refused({ [file]: "src" }, rules)).toEqual([`check_changed ${file}`]);
	});

	test("settings of a linter that a check runs, by whichever script", async () => {
		const rules = { checks: [checkOf("npm test")] };
		const base = {
			...BASE,
			"package.json": pkg({ test: "node --test", pretest: "npm run lint", lint: "eslint ." }),
			"eslint.config.mjs": "1",
		};
		const head = { ...base, "eslint.config.mjs": "2" };
		expect(await asked(base, head, { rules })).toEqual(["check_changed eslint.config.mjs"]);
		const apart = { ...base, "package.json": pkg({ test: "node --test", lint: "eslint ." }) };
		expect(await asked(apart, { ...apart, "eslint.config.mjs": "2" }, { rules })).toEqual([]);
	});

	test("a script, a list or a target of make that something names which may decide", async () => {
		const more = { Makefile: "a:\n\ttrue\n", "scripts/gen.js": "1", "lists/all.txt2": "x" };
		const of = (by: Files) =>
			asked(
				{ ...BASE, ...more, ...by },
				{ ...BASE, Makefile: "a:\n\tfalse\n", "scripts/gen.js": "2", "lists/all.txt2": "y", ...by },
			);
		expect(await of({})).toEqual([]);
		const told = { ".github/workflows/ci.yml": "# make a\nrun: npm test" };
		expect(await of(told)).toEqual([]);
		const ci = { ".github/workflows/ci.yml": "run: make a && node scripts/gen.js lists/all.txt2" };
		expect((await of(ci)).toSorted()).toEqual([
			"apparatus_changed Makefile",
			"apparatus_changed lists/all.txt2",
			"apparatus_changed scripts/gen.js",
		]);
	});

	test("rules of a Makefile that scripts name, and not the others", async () => {
		const text = "help:\n\techo\nrelease:\n\tpublish\nlint:\n\teslint .\n";
		const base = { ...BASE, Makefile: text, ".github/workflows/ci.yml": "run: make lint" };
		const of = (from: string) => asked(base, { ...base, Makefile: text.replace(from, "true") });
		expect(await of("publish")).toEqual([]);
		const told = { ...base, "test/make.test.js": "// make 'release'" };
		expect(await asked(told, { ...told, Makefile: text.replace("publish", "true") })).toEqual([]);
		expect(await of("eslint .")).toEqual(["apparatus_changed Makefile"]);
		expect(await of("echo")).toEqual(["apparatus_changed Makefile"]);
		for (const ci of ["run: make $TARGET", "run: |\n  make \\\n  release", "make\n release"]) {
			const named = { ...base, ".github/workflows/ci.yml": ci };
			const head = { ...named, Makefile: text.replace("publish", "true") };
			expect(await asked(named, head), ci).toEqual(["apparatus_changed Makefile"]);
		}
		for (const more of [
			"include ci.mk\n",
			".DEFAULT_GOAL := release\n",
			"ifdef X\nendif\n",
			"a: $(B)\n",
		]) {
			const other = { ...base, Makefile: text + more };
			const head = { ...other, Makefile: other.Makefile.replace("publish", "true") };
			expect(await asked(other, head), more).toEqual(["apparatus_changed Makefile"]);
		}
	});

	test("locked dependencies are none where they go", async () => {
		expect(await asked({ ...BASE, "requirements-dev.lock": "a==1" }, BASE)).toEqual([]);
	});

	test("a list of ignored names that lets something else in than a list of dependencies", async () => {
		const base = { ...BASE, ".gitignore": "dist\nuv.lock\n" };
		expect(await asked(base, { ...base, ".gitignore": "dist\n" })).toEqual([]);
		expect(await asked(base, { ...base, ".gitignore": "uv.lock\n" })).toEqual([
			"apparatus_changed .gitignore",
		]);
	});

	test("what setup, checklist and other checks run, with what these import", async () => {
		const more = { "ci/items.sh": "node ci/look.js", "ci/look.js": "1" };
		const of = (head: Files, rules: Partial<IntegrityRules>) =>
			asked({ ...BASE, ...more }, { ...BASE, ...more, ...head }, { rules });
		const lint = { ...checkOf("sh ci/items.sh"), name: "lint", kind: "lint" as const };
		for (const rules of [
			{ checklist: ["sh ci/items.sh"] },
			{ setup: ["sh ci/items.sh"] },
			{ checks: [checkOf("npm test"), lint] },
		]) {
			expect(await of({ "ci/items.sh": "exit 0" }, rules)).toContain("check_changed ci/items.sh");
			expect(await of({ "ci/look.js": "2" }, rules)).toContain("check_changed ci/look.js");
		}
		const onPath = { checks: [checkOf('PATH="$PWD/stubs:$PATH" npm test')] };
		expect(await of({ "stubs/node": "x" }, onPath)).toContain("check_changed stubs/node");
	});
});

describe("not asked about, since it acts on nothing", () => {
	test.each([
		[
			"versions of what a workflow uses",
			".github/workflows/ci.yml",
			"steps:\n  - uses: actions/checkout@v4 # v4\n",
			`steps:\n  - uses: actions/checkout@${"0a".repeat(20)} # v5\n`,
		],
		[
			"versions of hooks",
			".pre-commit-config.yaml",
			"repos:\n  rev: v1.0\n",
			"repos:\n  rev: 'v1.1'\n",
		],
		["a benchmark that a manifest names", "benchmark/run.py", "import a", "import b"],
		[
			"the version of a runtime",
			".github/workflows/ci.yml",
			"with:\n  node-version: 20\n",
			"with:\n  node-version: '22.1'\n",
		],
	])("%s", async (_what, file, was, now) => {
		const base = {
			...BASE,
			[file]: was,
			"pyproject.toml": '[tool.tox.env.benchmark]\ncommands = [["python", "benchmark/run.py"]]\n',
		};
		expect(await asked(base, { ...base, [file]: now })).toEqual([]);
	});
});

describe("not asked about", () => {
	test.each([
		["code of the product", { "src/limiter.js": "export const limit = 2;", "src/more.js": "1" }],
		["prose", { "README.md": "a", "docs/a.md": "b" }],
		["a new test", { "test/more.test.js": "assert(1)" }],
		["an entry more of its kind", { "test/data/two.json": "{}" }],
		["a helper that a new test uses", { "test/h.js": "1", "test/h.test.js": 'import "./h.js";' }],
		["what acts on new tests alone", { "test/new/conftest.py": "1", "test/new/test_a.py": "1" }],
		["a name more that is ignored", { ".gitignore": "dist\ncoverage\n" }],
		["code that nothing names", { "scripts/gen.js": "2", "bench/a.js": "process.exit(1)" }],
		["a package of a workspace", { "packages/a/index.js": "1", "packages/a/package.json": "{}" }],
		["settings beside benchmarks", { "bench/.npmrc": "min-release-age=7" }],
		["a migration, a binary asset", { "migrations/2.sql": "x", "src/logo.bin": "\uFFFD\u200b" }],
		[
			"what is for people",
			{ ".editorconfig": "x", ".prettierrc": "{}", ".gitattributes": "* text" },
		],
		["a script that nothing calls", { "package.json": pkg({ test: "node --test", fmt: "x" }) }],
		[
			"a dependency",
			{ "package.json": pkg({ test: "node --test" }, { dependencies: { a: "1" } }) },
		],
		[
			"a name for modules of the product",
			{ "tsconfig.json": '{"compilerOptions":{"strict":true,"paths":{"@/*":["src/*"]}}}' },
		],
	] as const)("%s", async (_, head: Files) => {
		expect(await refused(head)).toEqual([]);
	});

	test("a module that takes the place of one that is gone", async () => {
		const { "src/limiter.js": text = "", ...rest } = BASE;
		expect(await asked(BASE, { ...rest, "src/limiter.ts": text })).toEqual([]);
	});
});

test("an allowance of the file and the kind lifts it and is told, another one does not", async () => {
	const of = async (change: "edit" | "delete") => {
		const allow = [{ path: "Dockerfile", change, reason: "asked for" }];
		return inspectWhole(BASE, { ...BASE, Dockerfile: "FROM node" }, { rules: { allow } });
	};
	const { suspicions, allowed } = await of("edit");
	expect(suspicions).toEqual([]);
	expect(allowed).toEqual([{ path: "Dockerfile", change: "edit", reason: "asked for" }]);
	expect((await of("delete")).suspicions).toHaveLength(1);
});

describe("the scripts behind a command", () => {
	const before = pkg({ test: "npm run unit", unit: "node --test", lint: "x" });
	const of = (text: string, run = "npm test") =>
		asked(
			{ "package.json": before },
			{ "package.json": text },
			{ rules: { checks: [checkOf(run)] } },
		);
	const told = ["check_changed package.json"];

	test("count with those that they call, and with what runs before and after them", async () => {
		expect(await of(pkg({ test: "true", unit: "node --test", lint: "x" }))).toEqual(told);
		expect(await of(pkg({ test: "npm run unit", unit: "true", lint: "x" }))).toEqual(told);
		const more = { test: "npm run unit", unit: "node --test", lint: "x" };
		expect(await of(pkg({ ...more, postunit: "sed -i x" }))).toEqual(told);
		expect(await of(pkg({ ...more, format: "y" }))).toEqual([]);
	});

	test("may not become unreadable", async () => {
		for (const text of ["{", "[]"]) expect(await of(text)).not.toEqual([]);
		expect(await asked({ "package.json": before }, {})).toEqual(["apparatus_changed package.json"]);
	});
});

test("how files are to be written is told where a check looks at it", async () => {
	const of = (file: string, before: string, after: string, run: string) =>
		asked({ [file]: before }, { [file]: after }, { rules: { checks: [checkOf(run)] } });
	const toml = "[tool.pytest.ini_options]\nminversion = 1\n";
	const lints = `${toml}[tool.ruff]\nselect = ["I"]\n[[tool.mypy.overrides]]\nstrict = true\n`;
	expect(await of("pyproject.toml", toml, lints, "pytest")).toEqual([]);
	expect(await of("pyproject.toml", toml, lints, "ruff check . && pytest")).toEqual([
		"check_changed pyproject.toml",
	]);
	for (const run of ["uvx ruff@0.5 check && pytest", "pytest --mypy", "pre-commit run -a", "tox"])
		expect(await of("pyproject.toml", toml, lints, run), run).toEqual([
			"check_changed pyproject.toml",
		]);
	const optioned = toml.replace("minversion = 1", 'addopts = "--mypy"');
	const weaker = lints.replace("minversion = 1", 'addopts = "--mypy"');
	expect(await of("pyproject.toml", optioned, weaker, "pytest")).toEqual([
		"check_changed pyproject.toml",
	]);
	const behind = lints.replace("strict = true\n", "strict = true\n[tool.coverage.run]\nomit = 1\n");
	expect(await of("pyproject.toml", toml, behind, "pytest")).toEqual([
		"check_changed pyproject.toml",
	]);
	const [bare, more] = [
		pkg({ test: "node --test" }),
		{ prettier: {}, eslintConfig: {}, testling: 1 },
	];
	const lint = pkg({ test: "node --test" }, more);
	expect(await of("package.json", bare, lint, "npm test")).toEqual([]);
	const runner = { jest: { runner: "jest-runner-eslint" } };
	const [through, now] = [runner, { ...runner, eslintConfig: {} }].map((fields) =>
		pkg({ test: "jest" }, fields),
	);
	expect(await of("package.json", through ?? "", now ?? "", "npm test")).toEqual([
		"check_changed package.json",
	]);
	expect(await of("package.json", bare, lint, "eslint . && npm test")).toEqual([
		"check_changed package.json",
	]);
});

test("sections of a pyproject.toml are told but for those that describe the project", async () => {
	const toml = (deps: string, paths: string) =>
		`[project]\ndependencies = ["${deps}"]\n[tool.pytest.ini_options]\ntestpaths = [\n"${paths}"]\n[tool.unheard-of]\nx = 1\n`;
	const of = (head: string) =>
		asked({ "pyproject.toml": toml("a", "t") }, { "pyproject.toml": head });
	expect(await of(toml("b", "t"))).toEqual([]);
	expect(await of(toml("a", "u"))).toEqual(["check_changed pyproject.toml"]);
	expect(await of(toml("a", "t").replace("x = 1", "x = 2"))).toEqual([
		"check_changed pyproject.toml",
	]);
	const plugin = `${toml("a", "t")}[project.entry-points.pytest11]\na = "a"\n`;
	expect(await of(plugin)).toEqual(["check_changed pyproject.toml"]);
	const scripts = `${toml("a", "t")}[project.scripts]\na = "a:main"\n`;
	expect(await of(scripts)).toEqual([]);
});

test("what is kept secret is asked about without its content", async () => {
	const base = { ...BASE, ".npmrc": "a=1" };
	const { suspicions } = await inspectWhole(base, { ...base, ".npmrc": "x=hunter2" });
	expect(suspicions.map(({ rule, file }) => [rule, file])).toEqual([
		["apparatus_changed", ".npmrc"],
	]);
	expect(JSON.stringify(suspicions)).not.toContain("hunter2");
	const place = "registry=https://me:hunter2@registry.example/";
	const moved = await inspectWhole(base, { ...base, ".npmrc": place });
	expect(moved.suspicions.map(({ rule }) => rule)).toContain("dependency_replaced");
	expect(JSON.stringify(moved.suspicions)).not.toContain("hunter2");
});

test("beyond fifty files one question stands for the rest", async () => {
	const many = Object.fromEntries(Array.from({ length: 60 }, (_, nth) => [`f${nth}.conf`, "x"]));
	const { suspicions } = await inspectWhole(BASE, { ...BASE, ...many });
	expect(suspicions).toHaveLength(51);
	expect(suspicions.at(-1)?.text).toContain("10 files in all");
});
