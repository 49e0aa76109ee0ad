import { describe, expect, test } from "vitest";
import type { IntegrityRules } from "../reading/tree-pair.ts";
import { checkOf, type Files, inspect } from "./inspect.fixture.ts";

const pkg = (scripts: Files, more: object = {}) => JSON.stringify({ scripts, ...more });
const violations = async (base: Files, head: Files, rules: Partial<IntegrityRules> = {}) =>
	(await inspect(base, { ...base, ...head }, { rules })).violations;
const running = (run: string) => ({ checks: [checkOf(run)] });

describe("what setup runs", () => {
	const setup = { setup: ["npm ci --no-audit"] };
	const base = {
		"package.json": pkg({ test: "x", prepare: "node tools/p.js" }),
		"tools/p.js": "1",
		"requirements.txt": "a",
	};

	test("an install script that is added or changed blocks, and the files that it names", async () => {
		const head = pkg({ test: "x", prepare: "node tools/p.js", postinstall: "node evil.js" });
		expect(await violations(base, { "package.json": head, "evil.js": "1" }, setup)).toEqual([
			'package.json: the script "postinstall" that setup runs was added; remove it',
		]);
		expect(await violations(base, { "tools/p.js": "2" }, setup)).toEqual([
			"tools/p.js: a file that setup runs was modified; restore it",
		]);
		const nested = { "p/package.json": pkg({ postinstall: "x" }) };
		expect(await violations(base, nested, setup)).toHaveLength(1);
		expect(await violations(base, nested, { setup: ["yarn --frozen-lockfile"] })).toHaveLength(1);
	});

	test("without an installation, or without scripts, they may change", async () => {
		const head = { "package.json": pkg({ test: "x", prepare: "y" }) };
		expect(await violations(base, head, { setup: ["npm ci --ignore-scripts"] })).toEqual([]);
		expect(await violations(base, head, { setup: ["pip install -r requirements.txt"] })).toEqual(
			[],
		);
	});

	test("a manifest that setup names may change; a sample counts once it is a dependency", async () => {
		const pip = { setup: ["pip install -r requirements.txt"] };
		expect(await violations(base, { "requirements.txt": "a\nb" }, pip)).toEqual([]);
		const sample = { "fixtures/x/package.json": pkg({ install: "x" }) };
		expect(await violations(base, sample, setup)).toEqual([]);
		const linked = pkg(
			{ test: "x", prepare: "node tools/p.js" },
			{ dependencies: { x: "file:fixtures/x" } },
		);
		expect(await violations(base, { ...sample, "package.json": linked }, setup)).toHaveLength(1);
	});
});

describe("what a checklist runs", () => {
	const checklist = { checklist: ["sh ci/items.sh && grep -q limiter CHANGELOG.md"] };
	const base = { "ci/items.sh": "exit 1", "CHANGELOG.md": "a" };

	test("its scripts may not change, and what it looks at may", async () => {
		expect(await violations(base, { "ci/items.sh": "exit 0" }, checklist)).toEqual([
			"ci/items.sh: a file that the checklist runs was modified; restore it",
		]);
		expect(await violations(base, { "CHANGELOG.md": "limiter" }, checklist)).toEqual([]);
		expect(await violations(base, { "ci/items.sh": "exit 0" })).toEqual([]);
	});
});

describe("dependencies", () => {
	const of = (devDependencies: Files, more: object = {}) =>
		pkg({ test: "vitest run" }, { devDependencies, ...more });
	const base = { "package.json": of({ vitest: "^1.0.0", own: "workspace:*", alias: "npm:a@1" }) };
	const change = (dependencies: Files, more = {}) =>
		violations(base, { "package.json": of(dependencies, more) });

	test.each([
		"file:./fake",
		"link:../x",
		"portal:x",
		"workspace:*",
		"git+https://example.org/x.git",
		"https://example.org/x.tgz",
		"npm:other@1",
		"someone/fork#main",
		"./fake",
	])("a known package that now comes from %s blocks", async (place) => {
		expect(await change({ vitest: place })).toHaveLength(1);
		expect(await change({ vitest: "^1.0.0" }, { overrides: { vitest: place } })).toHaveLength(1);
		expect(
			await change({ vitest: "^1.0.0" }, { pnpm: { overrides: { "a>vitest": place } } }),
		).toHaveLength(1);
	});

	test("new packages and other versions are allowed; the version of a command's program is shown", async () => {
		const head = of({
			vitest: "^2.0.0",
			own: "workspace:^",
			alias: "npm:a@2",
			more: "file:./more",
		});
		expect(await inspect(base, { "package.json": head })).toEqual({
			violations: [],
			notes: [
				"package.json: the version of vitest, which a command runs, was ^1.0.0 and is ^2.0.0",
			],
		});
	});

	test("a package of the repository may not take the place of a program or a dependency", async () => {
		const nested = (more: object) =>
			violations(base, { "fake/package.json": JSON.stringify(more) });
		expect(await nested({ name: "fake", bin: { node: "x.js" } })).toHaveLength(1);
		expect(await nested({ name: "@x/vitest", bin: "x.js" })).toHaveLength(1);
		expect(await nested({ name: "vitest" })).toHaveLength(1);
		expect(await nested({ name: "own", bin: { own: "x.js" } })).toEqual([]);
	});

	test("a locked package that is swapped blocks, one that is updated with its manifest does not", async () => {
		const lock = (entry: object) =>
			JSON.stringify({ packages: { "": {}, "node_modules/vitest": entry } });
		const at = (version: string, host = "registry.example") =>
			`https://${host}/vitest/-/vitest-${version}.tgz`;
		const was = { version: "1.0.0", resolved: at("1.0.0"), integrity: "sha512-a" };
		const swap = (now: object) =>
			violations(
				{ "package-lock.json": lock(was), "package.json": "{}" },
				{ "package-lock.json": lock(now), "package.json": '{"version":"2.0.0"}' },
			);
		expect(await swap({ version: "1.0.0", resolved: at("1.0.0"), integrity: "b" })).toHaveLength(1);
		expect(await swap({ version: "1.0.1", resolved: at("1.0.1", "evil.example") })).toHaveLength(1);
		expect(await swap({ resolved: "fake", link: true })).toHaveLength(1);
		expect(await swap({ version: "1.0.1", resolved: at("1.0.1"), integrity: "b" })).toEqual([]);
	});
});

describe("agents' programs", () => {
	const started = (run: string) => ({ checks: [], commands: [{ owner: "agent rev", run }] });
	const base = {
		"tools/coach/index.js": 'import "./rules.mjs"; const a = require("../../lib/ask");',
		"tools/coach/rules.mjs": "1",
		"lib/ask.js": "1",
		"ai/coach.py": "import os, rules as r\nfrom .other import x\nfrom ..top.deep import y",
		"top/deep/__init__.py": "1",
		"ai/rules.py": "1",
		"ai/other.py": "1",
		"run.sh": "#!/bin/sh\nexec node tools/coach\n",
		"package.json": pkg({ coach: "node tools/coach" }),
	};

	test.each([
		["sh -c exec node tools/coach", "tools/coach/rules.mjs"],
		['sh -c "exec node tools/coach"', "tools/coach/index.js"],
		["npm run coach", "tools/coach/rules.mjs"],
		["bash run.sh", "run.sh"],
		["python3 ai/coach.py", "ai/rules.py"],
		["python3 ai/coach.py", "ai/other.py"],
	])("%s: a change of %s blocks", async (run, file) => {
		expect(await violations(base, { [file]: "changed" }, started(run))).toEqual([
			`${file}: a file that agent rev runs was modified; restore it`,
		]);
	});

	test.each([
		["node tools/coach/index.js", "lib/ask.js"],
		["bash run.sh", "lib/ask.js"],
		["python3 ai/coach.py", "top/deep/__init__.py"],
	])("%s: %s is the work that it looks at, and free", async (run, file) => {
		expect(await violations(base, { [file]: "changed" }, started(run))).toEqual([]);
	});

	test("a file that would be found before a program, or instead of a missing one, blocks", async () => {
		expect(await violations(base, { "tools/coach.js": "1" }, started("node tools/coach"))).toEqual([
			"tools/coach.js: a file that agent rev runs was added; remove it",
		]);
		const missing = started("node tools/none");
		expect(await violations(base, { "tools/none/index.js": "1" }, missing)).toHaveLength(1);
		expect(await violations(base, { "agent.sh": "1" }, started("bash agent.sh"))).toHaveLength(1);
		const scripts = { "package.json": pkg({ coach: "true" }) };
		expect(await violations(base, scripts, started("npm run coach"))).toHaveLength(1);
	});

	test("everything else may change, and programs outside of the repository do not count", async () => {
		const head = { "src/a.js": "1", "lib/b.js": "1" };
		expect(await violations(base, head, started("node /opt/coach.mjs"))).toEqual([]);
		expect(await violations(base, head, started("node tools/coach"))).toEqual([]);
		const talk = started("some-agent -p look at package.json");
		const more = { "package.json": pkg({ coach: "node tools/coach", more: "x" }) };
		expect(await violations(base, more, talk)).toEqual([]);
	});
});

describe("scripts that checks name", () => {
	const base = {
		"scripts/boot.js":
			'import { a } from "../src/index.js"; import "./ask.js"; import "../tools/x";',
		"scripts/ask.js": "1",
		"tools/x.js": "1",
		"src/index.js": "1",
		"test/run.js": 'require("./a"); require("./b.test.js")',
		"test/a.js": "1",
		"check.sh": "#!/bin/sh\n# runs src/index.js\nnpm test\n",
		"package.json": pkg({ test: "node --test test/" }),
		"quality/check/index.js": "1",
		"quality/check/package.json": '{"main":"index"}',
	};

	test("files that they import beside them are guarded, the product is not", async () => {
		const check = running("node scripts/boot.js");
		expect(await violations(base, { "scripts/ask.js": "2" }, check)).toHaveLength(1);
		expect(await violations(base, { "tools/x.js": "2" }, check)).toHaveLength(1);
		expect(await violations(base, { "src/index.js": "2" }, check)).toEqual([]);
	});

	test("tests are not followed, directories given to a linter or to node --test neither", async () => {
		const head = { "test/a.js": "2" };
		expect(await violations(base, head, running("node test/run.js"))).toEqual([]);
		const src = { "src/index.js": "2" };
		expect(await violations(base, src, running("npx eslint src"))).toEqual([]);
		expect(await violations(base, src, running("node --test src"))).toEqual([]);
	});

	test("shell scripts are followed to the scripts of package.json", async () => {
		const head = { "package.json": pkg({ test: "true" }), "src/index.js": "2" };
		expect(await violations(base, head, running("./check.sh"))).toEqual([
			'package.json: the script "test" that check tests runs was changed; restore it',
		]);
	});

	test("a new file in front of a named module blocks, another new one does not", async () => {
		const check = running("node -r ./tools/x --enable-source-maps quality/check");
		expect(await violations(base, { "quality/check.js": "1" }, check)).toHaveLength(1);
		expect(await violations(base, { "quality/check/index.js": "2" }, check)).toHaveLength(1);
		expect(await violations(base, { "tools/x.js": "2" }, check)).toHaveLength(1);
		expect(await violations(base, { "tools/x.ts": "2", "new.js": "1" }, check)).toEqual([]);
		expect(await violations(base, { "boot.js": "1" }, running("node boot.js"))).toEqual([]);
	});

	test.each([
		["grep -q good value.txt", "value.txt"],
		["cat results.tap", "results.tap"],
		["node src/main.js --selftest", "src/main.js"],
		["python3 app.py --check", "app.py"],
		["sh check.sh", "results.tap"],
		["node greet.js | grep hello", "greet.js"],
		["node check.mjs", "greet.js"],
		["sh hello.sh | grep -q hello", "hello.sh"],
		["./greet | grep -q hello", "greet"],
		['test "$(node validate.js)" = ok', "validate.js"],
		["node test.js", "test.js"],
		["node --test tests.mjs", "tests.mjs"],
	])("%s looks at %s, which the player may change", async (run, file) => {
		const script = 'import { greet } from "./greet.js";';
		const work = { [file]: "1", "check.sh": "cat results.tap\n", "check.mjs": script };
		expect(await violations(work, { [file]: "2" }, running(run))).toEqual([]);
	});

	test.each([
		["sh check.sh", "check.sh"],
		["node check.js", "check.js"],
		["lint --config ci/lint.json", "ci/lint.json"],
		["./run-tests", "run-tests"],
	])("%s is defined by %s", async (run, file) => {
		expect(await violations({ [file]: "1" }, { [file]: "2" }, running(run))).toHaveLength(1);
	});

	test("following a command that names itself, or a thousand files, terminates", async () => {
		const names = Array.from({ length: 1_000 }, (_, index) => `./check${index}.js`);
		const many = Object.fromEntries(names.map((name) => [name.slice(2), 'import "./check0.js"']));
		const loop = { ...many, "a.sh": `sh a.sh\nnode ${names.join("\nnode ")}` };
		expect(await violations(loop, { "check7.js": "x" }, running("sh a.sh"))).toHaveLength(1);
	});
});

describe("files that hijack a runner", () => {
	test.each([
		"node_modules/.bin/node",
		"node_modules",
		"p/node_modules/a/index.js",
		".venv/bin/python",
		".yarn/releases/yarn.cjs",
	])("%s blocks", async (file) => {
		expect(await violations({}, { [file]: "1" })).toHaveLength(1);
		expect(await violations({ [file]: "0" }, { [file]: "1" })).toHaveLength(1);
		expect(await violations({}, { [`test/fixtures/${file}`]: "1" })).toEqual([]);
	});

	test("a module at the root that python -m would find first blocks", async () => {
		const python = running("python3 -B -m pytest -q");
		for (const file of ["pytest.py", "pytest/__init__.py", "json.py", "_pytest/x.py"]) {
			expect(await violations({}, { [file]: "1" }, python)).toHaveLength(1);
		}
		const free = { "limiter.py": "1", "tests/json.py": "1", pytest: "1" };
		expect(await violations({}, free, python)).toEqual([]);
		expect(await violations({}, { "pytest.py": "1" }, running("ruby x"))).toEqual([]);
		const own = running("python -m mine.check");
		expect(await violations({ "mine/check.py": "1" }, { "mine/more.py": "1" }, own)).toEqual([]);
	});

	test("a new conftest.py blocks at the root and when it does more than offer fixtures", async () => {
		const fixture = "import pytest\n@pytest.fixture\ndef a(): return 1\n";
		expect(await inspect({}, { "tests/conftest.py": fixture })).toEqual({
			violations: [],
			notes: ["tests/conftest.py: new configuration of pytest"],
		});
		expect(await violations({}, { "conftest.py": fixture })).toHaveLength(1);
		const hook = "def pytest_runtest_makereport(item, call): pass";
		expect(await violations({}, { "tests/conftest.py": hook })).toHaveLength(1);
		expect(await violations({}, { "tests/conftest.py": "sys.modules['a'] = b" })).toHaveLength(1);
	});

	test("files in a directory that a command puts on the PATH block", async () => {
		const check = running('PATH="$PWD/stubs:tools/bin:$PATH" npm test');
		expect(await violations({}, { "stubs/node": "1", "tools/bin/x": "1" }, check)).toHaveLength(2);
		expect(await violations({}, { "tools/x": "1" }, check)).toEqual([]);
	});
});

describe("build files", () => {
	const pom = (inner: string) => `<plugin><artifactId>maven-surefire</artifactId>${inner}</plugin>`;
	test.each([
		["pom.xml", pom(""), pom("<skip>true</skip>")],
		["pom.xml", "<a/>", "<a/>\n<skipTests>true</skipTests>"],
		["build.gradle", "test {\n useJUnit { }\n}", "test {\n useJUnit { }\n enabled = false\n}"],
		["build.gradle.kts", "tasks.test {", "tasks.test { }"],
		["Cargo.toml", '[[test]]\nname = "a"\n', ""],
		["Cargo.toml", "[lib]\n", "[lib]\ntest = false\n"],
		["a.csproj", "<IsTestProject>true</IsTestProject>", "<IsTestProject>false</IsTestProject>"],
		["CMakeLists.txt", "add_test(NAME a)\nadd_test(NAME b)", "add_test(NAME a)"],
		["deno.json", '{ "test": { "include": ["a"] } /* x */, }', '{ "test": {} }'],
		["deno.jsonc", '{"tasks":{}}', "{"],
		["composer.json", '{"scripts":{"test":"phpunit"}}', '{"scripts":{"test":"true"}}'],
	])("%s: %s to %s blocks", async (file, base, head) => {
		const check = running("deno test; composer test");
		expect(await violations({ [file]: base }, { [file]: head }, check)).not.toEqual([]);
	});

	test.each([
		["pom.xml", pom(""), `<dependency/>${pom("")}`],
		["build.gradle", "test { useJUnit() }", "dependencies { a }\ntest {\n  useJUnit() }"],
		["Cargo.toml", "[dependencies]\n", '[dependencies]\na = "1"\n'],
		["CMakeLists.txt", "add_test(NAME a)", "add_test(NAME a)\nadd_test(NAME b)"],
	])("%s: %s to %s is shown", async (file, base, head) => {
		const found = await inspect({ [file]: base }, { [file]: head });
		expect(found).toEqual({ violations: [], notes: [`${file}: this build file was modified`] });
		expect((await inspect({}, { [file]: head })).notes).toEqual([`${file}: a new build file`]);
	});

	test("JSON of other programs, and other entries, may change", async () => {
		const deno = { "deno.json": '{"test":1,"fmt":1}', "composer.json": '{"scripts":1}' };
		const head = { "deno.json": '{"test":1,"fmt":2}', "composer.json": '{"scripts":2}' };
		expect(await violations(deno, head, running("deno test"))).toEqual([]);
	});
});

test.each([
	"babel.config.js",
	".babelrc",
	"jest.setup.ts",
	"vitest.setup.js",
	"src/setupTests.ts",
	"spec/support/jasmine.json",
	"turbo.json",
	"ci.runsettings",
	"appveyor.yml",
	".cirrus.yml",
	".drone.yml",
	".buildkite/pipeline.yml",
	"bitbucket-pipelines.yml",
	"sitecustomize.py",
])("%s may neither change nor appear", async (file) => {
	expect(await violations({ [file]: "1" }, { [file]: "2" })).toHaveLength(1);
	expect(await violations({}, { [file]: "2" })).toHaveLength(1);
});

describe("links through other links", () => {
	const of = async (links: Files, more: Files = {}) => {
		const modes = Object.fromEntries(Object.keys(links).map((file) => [file, "120000"]));
		return (await inspect(more, { ...more, ...links }, { modes })).violations;
	};

	test("leaving the checkout through another link blocks, and so does a circle", async () => {
		expect(await of({ "deep/a/b/up": "../../..", lnk: "deep/a/b/up/../.." })).toHaveLength(1);
		expect(await of({ lnk: "up/x" }, { up: "../outside" })).toHaveLength(1);
		expect(await of({ lnk: "a/x" }, { a: "b", b: "../.." })).toHaveLength(1);
		expect(await of({ lnk: "a/x/y" }, { a: "a" })).toHaveLength(1);
	});

	test("into .git, also through a link to the root, blocks", async () => {
		expect(await of({ lnk: "root/.git/hooks" }, { root: "." })).toHaveLength(1);
		expect(await of({ "src/lnk": "../sub/.GIT/config" })).toHaveLength(1);
	});

	test("a link through a link that stays inside is allowed", async () => {
		expect(await of({ lnk: "./current/x" }, { current: "versions/1/" })).toEqual([]);
	});
});

test.each([
	["postcss.config.cjs", "module.exports = {};"],
	["ledger_tools.egg-info/entry_points.txt", "[pytest11]"],
	["quiet.pth", "import quiet"],
	[".postcssrc.json", "{}"],
	["test/mocha.opts", "--require x"],
	["sub/pytest.toml", ""],
])("a new %s, which runners load by themselves, blocks", async (file, text) => {
	expect((await inspect({}, { [file]: text })).violations).toHaveLength(1);
	const allow = [{ path: "**", change: "edit", reason: "asked for" }] as const;
	expect((await inspect({}, { [file]: text }, { rules: { allow } })).violations).toEqual([]);
});

test("plugins of pytest and the transformers of a package are part of the configuration", async () => {
	const project = '[project]\nname = "a"\n';
	const plugin = `${project}[project.entry-points.pytest11]\na = "a"\n`;
	const file = "pyproject.toml";
	expect((await inspect({ [file]: project }, { [file]: plugin })).violations).toHaveLength(1);
	const scripts = `${project}[project.scripts]\na = "a:main"\n`;
	expect((await inspect({ [file]: project }, { [file]: scripts })).violations).toEqual([]);
	const packages = ["{}", '{ "babel": {} }'].map((text) => ({ "package.json": text }));
	const [base = {}, head = {}] = packages;
	expect((await inspect(base, head)).violations).toHaveLength(1);
});

test("an environment file that makes programs load other code blocks, other variables do not", async () => {
	const of = async (base: string | null, head: string, file = ".env") =>
		(await inspect(base === null ? {} : { [file]: base }, { [file]: head })).violations;
	expect(await of(null, "NODE_OPTIONS=--import=./quiet.js\n")).toEqual([
		".env: sets NODE_OPTIONS, which makes programs load other code; remove it",
	]);
	expect(await of("A=1\n", "A=1\nexport PYTHONPATH=tools\n", "app/.env.test")).toHaveLength(1);
	expect(await of("PYTHONPATH=src\n", "PYTHONPATH=src\nA=1\n")).toEqual([]);
	expect(await of(null, "DATABASE_URL=x\n")).toEqual([]);
});

test("a new module with the name of one of Python's library blocks, unless the base has it", async () => {
	const rules = { checks: [checkOf("python3 -m unittest discover -s tests")] };
	const of = async (base: Files, head: Files) => (await inspect(base, head, { rules })).violations;
	for (const file of ["csv.py", "decimal.pyc", "statistics/__init__.py"])
		expect(await of({}, { [file]: "" }), file).toEqual([
			`${file}: Python finds this module before the one that check tests runs; rename it`,
		]);
	expect(await of({ "csv.py": "1" }, { "csv.py": "2" })).toEqual([]);
	expect(await of({}, { "app/csv.py": "", "html/index.py": "", "calendar.js": "" })).toEqual([]);
});

const COVERED = { "package.json": '{"scripts":{"test":"c8 node --test"}}' };

const of = async (base: Files, head: Files) =>
	(await inspect({ ...COVERED, ...base }, { ...COVERED, ...head })).violations;

test.each([
	["a.js", "f(); /* v8 ignore next */"],
	["a.ts", "/* istanbul ignore else */"],
	["a.js", "/* node:coverage disable */"],
	["a.py", "def f(): # pragma: no cover"],
	["a.cpp", "// LCOV_EXCL_START"],
])("a new comment in %s that excludes code from the coverage blocks: %s", async (file, line) => {
	expect(await of({}, { [file]: `x\n${line}\n` })).toEqual([
		`${file}: line 2 excludes code from the coverage; remove the comment`,
	]);
	expect(await of({ [file]: line }, { [file]: `x\n${line}` })).toEqual([]);
	expect(await of({ [file]: line }, { [file]: "x" })).toEqual([]);
});

test("what no project tests, tests themselves, and projects without coverage are left alone", async () => {
	expect(await of({}, { "a.py": 'if __name__ == "__main__":  # pragma: no cover' })).toEqual([]);
	expect(await of({}, { "test/a.js": "/* c8 ignore next */" })).toEqual([]);
	const head = { "a.js": "/* c8 ignore next */" };
	expect((await inspect({}, head)).violations).toEqual([]);
	expect(
		(
			await inspect(
				{ "vitest.config.ts": "coverage: {}" },
				{ "vitest.config.ts": "coverage: {}", ...head },
			)
		).violations,
	).toHaveLength(1);
	const rules = { checks: [{ ...checkOf("sh cover.sh"), kind: "coverage" as const }] };
	expect((await inspect({}, head, { rules })).violations).toHaveLength(1);
});
