import { expect, test } from "vitest";
import { makesEnvironment, readsOnlyInputs, saysHowToInstall } from "./reads-inputs.ts";

const manifest = (content: object) => [
	{ path: "packages/a/package.json", text: JSON.stringify(content) },
];

test.each([
	[["npm ci"]],
	[["npm ci --no-audit --cache=/tmp/c"]],
	[["cd web && npm install", "corepack enable && pnpm install --frozen-lockfile"]],
	[["yarn"]],
	[["bundle install"]],
	[["python3 -m venv .venv", '.venv/bin/python -m pip install -e ".[test]" -r requirements.txt']],
	[["python3 -m venv .venv", ".venv/bin/pip install 'pytest>=7,<9' coverage[toml]==7.1"]],
	[["uv sync --locked --extra test"]],
	[["POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --extras test"]],
])("%j installs what the inputs say", (commands) => {
	expect(readsOnlyInputs(commands, manifest({ scripts: { test: "vitest", build: "tsc" } }))).toBe(
		true,
	);
});

test.each([
	[["npm ci", "npx prisma generate"]],
	[["npm ci && npm run build"]],
	[["npm ci & cp a node_modules"]],
	[["npm ci > node_modules/log"]],
	[["npm install $(cat packages.txt)"]],
	[["sh install.sh"]],
	[["make deps"]],
	[[".venv/bin/pip install ."]],
	[["uv sync --no-editable"]],
	[[".venv/bin/pip install -f wheels pytest"]],
	[[".venv/bin/pip install --find-links=wheels pytest"]],
	[[".venv/bin/pip install ./lib"]],
	[[".venv/bin/pip install -e ../lib"]],
	[[".venv/bin/pip install pytest > log"]],
	[["python3 -m build"]],
])("%j may read anything", (commands) => {
	expect(readsOnlyInputs(commands, [])).toBe(false);
});

test.each(["preinstall", "install", "postinstall", "prepare", "postprepare", "prepublish"])(
	"a package of the project whose %s script runs may read anything",
	(name) => {
		const files = manifest({ scripts: { [name]: "patch-package" } });
		expect(readsOnlyInputs(["npm ci"], files)).toBe(false);
		expect(readsOnlyInputs(["npm ci --ignore-scripts"], files)).toBe(true);
	},
);

test("a folder of the project is copied by all but npm, which links it unless told otherwise", () => {
	const files = manifest({ dependencies: { dep: "file:../dep" } });
	expect(readsOnlyInputs(["npm ci"], files)).toBe(true);
	expect(readsOnlyInputs(["npm ci --install-links"], files)).toBe(false);
	expect(readsOnlyInputs(["yarn"], files)).toBe(false);
	const configured = [...files, { path: ".npmrc", text: "install-links=true\n" }];
	expect(readsOnlyInputs(["npm ci"], configured)).toBe(false);
});

test.each([
	["pyproject.toml", '[build-system]\nbuild-backend = "hatchling.build"\n', true],
	["pyproject.toml", '[build-system]\nbuild-backend = "maturin"\n', false],
	["pyproject.toml", '[tool.uv.sources]\nlib = { path = "lib" }\n', false],
	["pyproject.toml", "[project]\n", true],
	["setup.py", "setup(name='a')", true],
	["setup.py", "setup(ext_modules=[Extension('a', ['a.c'])])", false],
	["requirements.txt", "pytest>=7,<9  # why\n\n# more\n-r dev-requirements.txt\n", true],
	["requirements.txt", "-r requirements/base.txt\n", true],
	["requirements.txt", "-r more.txt\n", false],
	["requirements.txt", "libs/mylib\n", false],
	["requirements.txt", "--find-links wheels\n", false],
	[
		"pyproject.toml",
		'[project]\ndynamic = ["version"]\n[tool.setuptools.dynamic]\nversion = { attr = "a.v" }\n',
		false,
	],
	["pyproject.toml", "[tool.hatch.build.hooks.custom]\n", false],
	["pyproject.toml", '[tool.poetry.build]\nscript = "build.py"\n', false],
	["setup.cfg", "[metadata]\nname = a\n", true],
	["setup.cfg", "[metadata]\nversion = attr: a.v\n", false],
	["setup.py", "from setuptools import setup\nsetup(name='a')", true],
	["setup.py", "setup(version=open('VERSION').read())", false],
	["setup.py", "from a import version", false],
	["requirements.txt", "pytest\n-e ./lib\n", false],
	["requirements-dev.txt", "./lib\n", false],
	["requirements.txt", "lib @ file:///lib\n", false],
])("%s of %j installs plainly: %s", (path, text, plain) => {
	const commands = ["python3 -m venv .venv", ".venv/bin/pip install -e ."];
	expect(readsOnlyInputs(commands, [{ path, text }])).toBe(plain);
});

test("a manifest that cannot be read says nothing", () => {
	expect(readsOnlyInputs(["npm ci"], [{ path: "package.json", text: "{" }])).toBe(false);
	expect(readsOnlyInputs(["npm ci"], [{ path: "package.json", text: "null" }])).toBe(true);
});

test("the files that are asked for", () => {
	const python = ["pyproject.toml", "setup.py", "setup.cfg", "requirements/dev.txt"];
	const paths = ["a/package.json", ".npmrc", "package-lock.json", "src/a.ts", "a.txt", ...python];
	expect(paths.filter(saysHowToInstall)).toEqual(["a/package.json", ".npmrc", ...python]);
});

test.each([
	["python3 -m venv .venv", true],
	["virtualenv env && env/bin/pip install -r requirements.txt", true],
	["uv sync --locked", true],
	["POETRY_VIRTUALENVS_IN_PROJECT=true poetry install", true],
	["pipenv sync", true],
	["npm ci", false],
	["pip install -r requirements.txt", false],
	["uv pip install --system pytest", false],
])("%j makes a virtual environment: %s", (command, makes) => {
	expect(makesEnvironment(["npm ci", command])).toBe(makes);
});
