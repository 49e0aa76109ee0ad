import { describe, expect, test } from "vitest";
import { checkOf as check, type Files, inspect } from "./inspect.fixture.ts";

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
	test("a changed protected file blocks, a new one is shown; no name evades the glob", async () => {
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

	test("configuration of a new package, samples and tsconfig may change", async () => {
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

describe("links and ignored files", () => {
	test.each([["/etc/passwd"], ["../../x"], ["../.git/config"], ["C:\\x"], [""]])(
		"a link to %j blocks",
		async (target) => {
			const found = await inspect({}, { "src/l": target }, { modes: { "src/l": "120000" } });
			expect(found.violations).toHaveLength(1);
		},
	);

	test("a link inside the checkout and a deleted one are allowed", async () => {
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
			{ modes: { sub: "160000" }, pair: { embedded: ["my repo: left out"] } },
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

test("configuration of a linter that no command names is shown; where one may start it, it blocks", async () => {
	const of = (run: string, text = scripts({ test: run })) =>
		inspect(
			{ "package.json": text, "pyproject.toml": "[tool.ruff]\na = 1\n" },
			{ "package.json": text, "eslint.config.js": "[]", "pyproject.toml": "[tool.ruff]\na = 2\n" },
		);
	expect(await of("node --test")).toEqual({
		violations: [],
		notes: ["eslint.config.js: configuration of a linter that no check uses"],
	});
	expect((await of("eslint . && ruff check")).violations).toHaveLength(2);
	expect((await of("tox")).violations).toHaveLength(2);
});
