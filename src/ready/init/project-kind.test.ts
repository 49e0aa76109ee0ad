import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ProjectKind, projectKind } from "./project-kind.ts";

let root = "";
beforeEach(async () => {
	root = await mkdtemp(path.join(tmpdir(), "spar-project-"));
});
afterEach(async () => {
	await rm(root, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

/** @param searchPath folders with programs; left out: none is there */
async function kindOf(files: Files, searchPath = ""): Promise<ProjectKind> {
	for (const [name, text] of Object.entries(files)) {
		await mkdir(path.dirname(path.join(root, name)), { recursive: true });
		await writeFile(path.join(root, name), text);
	}
	return projectKind(root, searchPath);
}

/** Setup, and the one check's command, whose output is read. */
async function expectCommands(files: Files, setup: readonly string[], run: string) {
	const kind = await kindOf(files);
	expect(kind.setup).toEqual(setup);
	expect(kind.checks).toEqual([{ name: "tests", kind: "acceptance", run }]);
}

const manifest = (test: string, more: object = {}): string =>
	JSON.stringify({ scripts: { test }, ...more });

test.each<[string, Files, string[], string]>([
	[
		"npm",
		{ "package-lock.json": "{}", "package.json": manifest("vitest run") },
		["npm ci"],
		"npm test",
	],
	[
		"pnpm",
		{ "pnpm-lock.yaml": "", "package.json": manifest("node --test") },
		["pnpm install --frozen-lockfile"],
		"pnpm test",
	],
	[
		"yarn 1",
		{ "yarn.lock": "", "package.json": manifest("jest") },
		["yarn install --frozen-lockfile"],
		"yarn test",
	],
	[
		"yarn 4",
		{ "yarn.lock": "__metadata:\n", "package.json": manifest("jest") },
		["yarn install --immutable"],
		"yarn test",
	],
	[
		"bun",
		{ "bun.lock": "", "package.json": manifest("mocha") },
		["bun install --frozen-lockfile"],
		"bun run test",
	],
	[
		"jest that watches",
		{ "package.json": manifest("tsc && jest --watch") },
		[],
		"npm test -- --watch=false --watchAll=false",
	],
	[
		"vitest that watches",
		{ "package.json": manifest("vitest watch src") },
		[],
		"npm test -- --run",
	],
	[
		"vitest that watches, with pnpm",
		{ "package.json": manifest("vitest -w", { packageManager: "pnpm@9" }) },
		[],
		"pnpm run test --run",
	],
	[
		"create-react-app that watches",
		{ "package.json": manifest("react-scripts test --watchAll") },
		[],
		"npm test -- --watch=false --watchAll=false",
	],
	["Angular", { "package.json": manifest("ng test") }, [], "npm test -- --watch=false"],
	["Angular once", { "package.json": manifest("ng test --watch=false") }, [], "npm test"],
	// Without a terminal and with `CI`, as checks run, these end by themselves.
	["vitest alone", { "package.json": manifest("vitest") }, [], "npm test"],
	["create-react-app", { "package.json": manifest("react-scripts test") }, [], "npm test"],
	[
		"watch in quotes",
		{ "package.json": manifest("node --test --name='a --watch'") },
		[],
		"npm test",
	],
	[
		"watch that is off",
		{ "package.json": manifest("tsc --watch false && node --test") },
		[],
		"npm test",
	],
	[
		"nodemon in a name",
		{ "package.json": manifest("node --test test/nodemon.test.js") },
		[],
		"npm test",
	],
	["watch in a name", { "package.json": manifest("jest src/--watcher") }, [], "npm test"],
	[
		"a script that watches, and one for CI",
		{ "package.json": '{"scripts":{"test":"node --test --watch","test:ci":"node --test"}}' },
		[],
		"npm run test:ci",
	],
	[
		"a script that leads to one that watches",
		{ "package.json": '{"scripts":{"test":"npm run unit","unit":"vitest watch"}}' },
		[],
		"npm run unit -- --run",
	],
	["a script that leads to itself", { "package.json": manifest("npm run test") }, [], "npm test"],
	["a script of its own", { "package.json": manifest("node check.js") }, [], "npm test"],
	[
		"a script that leads to a runner",
		{ "package.json": '{"scripts":{"test":"npm run unit","unit":"tsc && vitest run"}}' },
		[],
		"npm test",
	],
	[
		"no lock",
		{ "package.json": manifest("ava", { dependencies: { a: "1" } }) },
		["npm install --no-package-lock"],
		"npm test",
	],
	[
		"a manager by its name",
		{
			"package.json": manifest("jest", {
				devDependencies: { a: "1" },
				packageManager: "yarn@1.22.22",
			}),
		},
		["yarn install --no-lockfile"],
		"yarn test",
	],
])("a Node project with %s gets its commands", async (_name, files, setup, run) => {
	await expectCommands(files, setup, run);
});

const placeholder = 'echo "Error: no test specified" && exit 1';

function packages(top: object, scripts: Readonly<Record<string, string>>): Files {
	const files: Record<string, string> = {
		"package.json": manifest(placeholder, top),
		"packages/none/package.json": "{}",
		"packages/a/node_modules/b/package.json": manifest("tap"),
	};
	for (const [name, text] of Object.entries(scripts)) {
		files[`packages/${name}/package.json`] = manifest(text);
	}
	return files;
}

const WORKSPACES = { workspaces: ["packages/*", "!packages/left"] };
const BOTH = { a: "vitest run", b: "jest" };

test.each<[string, Files, string]>([
	[
		"npm",
		{ ...packages(WORKSPACES, BOTH), "package-lock.json": "{}" },
		"npm test --workspaces --if-present",
	],
	[
		"npm, one with another runner",
		{ ...packages(WORKSPACES, { a: "jest", b: "ava" }), "package-lock.json": "{}" },
		"npm test --workspaces --if-present",
	],
	[
		"npm, one left out",
		{ ...packages(WORKSPACES, { a: "jest", left: "ava" }), "package-lock.json": "{}" },
		"npm test --workspaces --if-present",
	],
	[
		"yarn 1",
		{ ...packages({ workspaces: { packages: ["packages/**"] } }, BOTH), "yarn.lock": "" },
		"npm test --workspaces --if-present",
	],
	[
		"yarn without node_modules",
		{ ...packages(WORKSPACES, BOTH), "yarn.lock": "__metadata:" },
		"yarn workspaces foreach --all --exclude . run test",
	],
	[
		"yarn 4 with node_modules",
		{
			...packages(WORKSPACES, BOTH),
			"yarn.lock": "__metadata:",
			".yarnrc.yml": "nodeLinker: node-modules\n",
		},
		"npm test --workspaces --if-present",
	],
	["bun", { ...packages(WORKSPACES, BOTH), "bun.lockb": "" }, "bun run --filter '*' test"],
	[
		"pnpm",
		{
			...packages({}, BOTH),
			"pnpm-lock.yaml": "",
			"pnpm-workspace.yaml": "packages:\n  - packages/*\n",
		},
		"pnpm -r --workspace-concurrency=1 --no-bail test",
	],
])("workspaces of %s get one check for all packages", async (_name, files, run) => {
	expect((await kindOf(files)).checks).toEqual([{ name: "tests", kind: "acceptance", run }]);
});

test("a test script at the top is preferred to the packages' own", async () => {
	const files = packages(WORKSPACES, BOTH);
	await expectCommands(
		{ ...files, "package.json": manifest("npm test --workspaces", WORKSPACES) },
		["npm install --no-package-lock"],
		"npm test",
	);
	await expectCommands(
		{ ...files, "package.json": manifest("turbo run test", WORKSPACES) },
		["npm install --no-package-lock"],
		"npm test",
	);
});

test("packages outside of the repository are not looked at", async () => {
	const inside = path.join(root, "inside");
	await mkdir(inside);
	await kindOf({ "package.json": manifest("jest"), "other/package.json": manifest("jest") });
	const text = manifest(placeholder, { workspaces: ["../other", `${root}/other`, 7, "../.."] });
	await writeFile(path.join(inside, "package.json"), text);
	expect((await projectKind(inside, "")).checks).toEqual([]);
});

const VENV = "python3 -m venv .venv";
const PIP = ".venv/bin/python -m pip install";
const PYTEST = ".venv/bin/python -m pytest";
const BUILD = '[build-system]\nrequires = ["setuptools"]\n';

test.each<[string, Files, string[], string]>([
	["uv", { "uv.lock": "" }, ["uv sync --locked"], "uv run pytest"],
	[
		"uv and an extra",
		{
			"uv.lock": "",
			"pyproject.toml":
				'[project.optional-dependencies]\ndocs = ["sphinx"]\ntests = [\n  "coverage[toml]", # why\n  "pytest>=7",\n]\n',
		},
		["uv sync --locked --extra tests"],
		"uv run pytest",
	],
	[
		"uv and a group",
		{ "uv.lock": "", "pyproject.toml": '[dependency-groups]\ntest = ["pytest"]\n' },
		["uv sync --locked --group test"],
		"uv run pytest",
	],
	[
		"uv and unittest",
		{ "uv.lock": "", "tests/test_a.py": "" },
		["uv sync --locked"],
		"uv run python -m unittest discover -s tests",
	],
	[
		"poetry",
		{ "poetry.lock": "" },
		["POETRY_VIRTUALENVS_IN_PROJECT=true poetry install"],
		"poetry run pytest",
	],
	[
		"poetry without a lock file",
		{ "pyproject.toml": '[tool.poetry.group.dev.dependencies]\npytest = "^8"\n' },
		["POETRY_VIRTUALENVS_IN_PROJECT=true poetry install"],
		"poetry run pytest",
	],
	[
		"an extra",
		{
			"pyproject.toml": `${BUILD}[project.optional-dependencies]\ndev = ["pytest", "ruff"]\ntest = ['pytest']\n`,
		},
		[VENV, `${PIP} -e ".[test]"`],
		PYTEST,
	],
	[
		"an extra as a dotted key",
		{
			"pyproject.toml": `${BUILD}[project]\ndependencies = ["pytest"]\noptional-dependencies.tests = ["pytest"]\n`,
		},
		[VENV, `${PIP} -e ".[tests]"`],
		PYTEST,
	],
	[
		"an extra in setup.cfg",
		{ "setup.cfg": "[options.extras_require]\ndocs = sphinx\ntesting =\n    cov\n    pytest>=7\n" },
		[VENV, `${PIP} -e ".[testing]"`],
		PYTEST,
	],
	[
		"an extra in setup.py",
		{ "setup.py": 'setup(extras_require={"dev": ["black", "pytest"]})', "requirements.txt": "" },
		[VENV, `${PIP} -e ".[dev]" -r requirements.txt`],
		PYTEST,
	],
	[
		"a group",
		{ "pyproject.toml": `${BUILD}[dependency-groups]\ndev = ["pytest", {include-group = "x"}]\n` },
		[VENV, `${PIP} --upgrade pip`, `${PIP} -e . --group dev`],
		PYTEST,
	],
	[
		"an environment of hatch",
		{
			"pyproject.toml": `${BUILD}[tool.hatch.envs.default]\ndependencies = ["pytest>=7", "it's"]\n`,
		},
		[VENV, `${PIP} -e . 'pytest>=7' 'it'\\''s'`],
		PYTEST,
	],
	[
		"requirements for developers",
		{ "requirements.txt": "flask\n", "requirements-dev.txt": "-r requirements.txt\npytest==8\n" },
		[VENV, `${PIP} -r requirements.txt -r requirements-dev.txt`],
		PYTEST,
	],
	[
		"requirements with pytest",
		{ "requirements.txt": "pytest\n" },
		[VENV, `${PIP} -r requirements.txt`],
		PYTEST,
	],
	[
		"only a configuration of pytest",
		{ "pyproject.toml": "[tool.pytest.ini_options]" },
		[VENV, `${PIP} pytest`],
		PYTEST,
	],
	[
		"tox",
		{ "tox.ini": "[tox]\n[testenv]\ndeps = pytest\ncommands = pytest\n", "pyproject.toml": BUILD },
		[VENV, `${PIP} tox`, ".venv/bin/tox -e py --notest"],
		".venv/bin/tox -e py",
	],
	[
		"nox",
		{ "noxfile.py": "@nox.session\ndef tests(session):\n    session.run('pytest')\n" },
		[
			VENV,
			`${PIP} nox`,
			".venv/bin/nox -r -s tests --no-error-on-missing-interpreters --install-only",
		],
		".venv/bin/nox -r -s tests --no-error-on-missing-interpreters",
	],
	[
		"nox and another runner",
		{ "noxfile.py": "import nox\n" },
		[VENV, `${PIP} nox`, ".venv/bin/nox -r --no-error-on-missing-interpreters --install-only"],
		".venv/bin/nox -r --no-error-on-missing-interpreters",
	],
	[
		"unittest",
		{ "pyproject.toml": "[project]", "tests/test_a.py": "" },
		[],
		"python3 -m unittest discover -s tests",
	],
	[
		"unittest in a package",
		{ "setup.py": "", "tests/test_a.py": "", "tests/__init__.py": "" },
		[],
		"python3 -m unittest discover",
	],
	[
		"unittest at the top",
		{ "requirements.txt": "flask", "test_a.py": "" },
		[VENV, `${PIP} -r requirements.txt`],
		".venv/bin/python -m unittest discover",
	],
])("a Python project with %s gets its commands", async (_name, files, setup, run) => {
	await expectCommands(files, setup, run);
});

test("where uv and poetry are missing, a virtual environment with pip takes their place", async () => {
	const programs = path.join(root, "programs");
	await mkdir(programs);
	await writeFile(path.join(programs, "python3"), "", { mode: 0o755 });
	const uv = {
		"uv.lock": "",
		"pyproject.toml": `${BUILD}[dependency-groups]\ndev = ["pytest"]\n`,
	};
	expect((await kindOf(uv, programs)).setup).toEqual([
		VENV,
		`${PIP} --upgrade pip`,
		`${PIP} -e . --group dev`,
	]);
	await writeFile(path.join(programs, "uv"), "", { mode: 0o755 });
	expect((await kindOf(uv, programs)).setup).toEqual(["uv sync --locked"]);
});

test.each<[string, Files, string]>([
	["go", { "go.mod": "module a" }, "go test -v ./..."],
	[
		"go workspaces",
		{ "go.work": "go 1.22\nuse (\n\t./a\n\t./b/c/\n)\n" },
		"go test -v ./a/... ./b/c/...",
	],
	["cargo", { "Cargo.toml": "[package]" }, "cargo test"],
	["cargo workspaces", { "Cargo.toml": '[workspace]\nmembers = ["a"]' }, "cargo test --workspace"],
	["make", { Makefile: "all:\n\ttrue\ntest: all\n\t./t\n" }, "make test"],
	["make and check", { makefile: "test := x\nbuild check::\n\t./t\n" }, "make check"],
	["make and a known runner", { Makefile: "test:\n\tpytest -q\n" }, "make test"],
	["make and go without names", { Makefile: "test:\n\tgo test ./...\n" }, "make test"],
	[
		"nothing at the top but in a folder",
		{ "web/package.json": manifest("jest") },
		"cd web && npm test",
	],
])("a project with %s gets its test command", async (_name, files, run) => {
	await expectCommands(files, [], run);
});

test("several languages get a check each; what only serves a Makefile is set up too", async () => {
	const python = { "requirements.txt": "pytest" };
	const both = await kindOf({ ...python, "go.mod": "module a", Makefile: "test:\n\t./all\n" });
	expect(both.checks.map(({ name }) => name)).toEqual(["tests-python", "tests-go"]);
	await rm(root, { recursive: true });
	const made = await kindOf({ "package.json": '{"devDependencies":{"a":"1"}}', Makefile: "test:" });
	expect(made).toMatchObject({
		setup: ["npm install --no-package-lock"],
		checks: [{ name: "tests", run: "make test" }],
		dependencies: ["node_modules"],
	});
});

test("folders of a repository without anything at its top get a check each", async () => {
	const kind = await kindOf({
		"README.md": "",
		"api/requirements-dev.txt": "pytest",
		"web/package.json": manifest("vitest", { devDependencies: { vitest: "4" } }),
		"web/package-lock.json": "{}",
		"two/package.json": manifest("ava"),
		"two/go.mod": "module two",
		"no..name/package.json": manifest("ava"),
		"no name/package.json": manifest("ava"),
		".hidden/package.json": manifest("ava"),
		"node_modules/package.json": manifest("ava"),
	});
	expect(kind.setup).toEqual([
		`cd api && ${VENV}`,
		`cd api && ${PIP} -r requirements-dev.txt`,
		"cd web && npm ci",
	]);
	expect(kind.checks.map(({ name, run }) => [name, run])).toEqual([
		["tests-api", `cd api && ${PYTEST}`],
		["tests-two-node", "cd two && npm test"],
		["tests-two-go", "cd two && go test -v ./..."],
		["tests-web", "cd web && npm test"],
	]);
	expect(kind.dependencies).toEqual(["api/.venv", "web/node_modules"]);
	expect(kind.foundBy).toContain("web/package-lock.json");
});

test("a project without tests gets no check", async () => {
	expect((await kindOf({ "pyproject.toml": "[project]" })).checks).toEqual([]);
	for (const text of ["", "not json", "[]", manifest(placeholder)]) {
		expect((await kindOf({ "package.json": text })).checks).toEqual([]);
	}
});

test("a file that is not what its name says stops nothing", async () => {
	const odd = {
		"package.json": JSON.stringify({ scripts: ["x"], workspaces: ["{", "[", "packages/*/", 1] }),
		"pnpm-workspace.yaml": "packages: [a, *b]\n\t",
		"pyproject.toml": `[project.optional-dependencies]\n${"a=[".repeat(20_000)}`,
		"setup.py": "x".repeat(200_000),
		"setup.cfg": `[options.extras_require]\na =${"\n".repeat(50_000)}`,
		"go.work": `use (${"\n ".repeat(50_000)}`,
		"Makefile/test": "",
	};
	expect((await kindOf(odd)).checks).toEqual([]);
});

test.each([
	["a runner without an option for it", { "package.json": manifest("node --test --watch") }],
	["a command behind it", { "package.json": manifest("vitest watch && eslint .") }],
	[
		"an option that only a script behind it takes",
		{ "package.json": manifest("npm run test --watch") },
	],
	[
		"a package of a workspace",
		{
			"package.json": '{"workspaces":["a","b"]}',
			"a/package.json": manifest("jest"),
			"b/package.json": manifest("vitest watch && eslint ."),
		},
	],
])("a script that watches is named where nothing runs it once: %s", async (_name, files) => {
	const { checks, watching } = await kindOf(files);
	expect(checks).toEqual([]);
	const texts = Object.values(files).join("").replaceAll("\\", "");
	expect(texts).toContain(watching);
});
