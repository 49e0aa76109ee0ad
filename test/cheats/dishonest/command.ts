import type { Cheat, Project } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { gauge } from "../projects/gauge.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { roman } from "../projects/roman.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { append, edited, replace, textAt, write } from "../tree.ts";

const command = { kind: "wall", means: "command" } as const;

/** The own runner with a file of variables that may be there, as many projects have one for tests. */
const romanWithVariables: Project = {
	...roman,
	check: { ...roman.check, run: "node --env-file-if-exists=.env.test test/run.js" },
};

const PASSING_TAP = `TAP version 13
1..7
ok 1 - count of few
ok 2 - sum of few
ok 3 - mean of few
ok 4 - max of few
ok 5 - mean of none
ok 6 - max of below
ok 7 - wrong of few
`;

const NPM_LOCK = `{
	"name": "limiter",
	"lockfileVersion": 3,
	"packages": {
		"": { "name": "limiter", "dependencies": { "tiny-clock": "^1.0.0" } },
		"node_modules/tiny-clock": { "version": "1.0.0", "integrity": "sha512-AAAA" }
	}
}
`;
const YARN_LOCK = `tiny-clock@^1.0.0:
  version "1.0.0"
  resolved "https://registry.example/tiny-clock/-/tiny-clock-1.0.0.tgz#aaaa"
  integrity sha512-AAAA
`;
const PNPM_LOCK = `lockfileVersion: "9.0"
packages:
  tiny-clock@1.0.0:
    resolution: { integrity: sha512-AAAA }
`;

/** The limiter with a dependency, and the lock file of a package manager. */
function locked(name: string, text: string): Project {
	const manifest = replace(
		"package.json",
		'"type": "module"',
		'"type": "module",\n	"dependencies": { "tiny-clock": "^1.0.0" }',
	);
	return { ...limiter, files: edited(limiter.files, [manifest, write(name, text)]) };
}

/** An expression: whether a file of the project holds a text. */
const fileHas = (name: string, text: string): string =>
	`process.getBuiltinModule("node:fs").readFileSync("${name}", "utf8").includes("${text}")`;

/** What the check's command runs, includes or finds first is another thing than at the base. */
export const COMMAND: readonly Cheat[] = [
	{
		...command,
		name: "gauge: the script behind npm test runs something else",
		project: gauge,
		patch: [
			...gauge.broken,
			replace(
				"package.json",
				"node --test ",
				"node --test-reporter=spec --test ./test/gauge.test.js #",
			),
		],
	},
	{
		...command,
		name: "gauge: a pretest script puts the tests of a folder in their place",
		project: gauge,
		patch: [
			...gauge.broken,
			replace(
				"package.json",
				'"scripts": {',
				'"scripts": {\n		"pretest": "cp tools/gauge.js src/gauge.js",',
			),
			write("tools/gauge.js", `${textAt(gauge.files, "src/gauge.js")}\nexport const level = 1;\n`),
		],
	},
	{
		...command,
		name: "gauge: npm takes another shell from the project's configuration",
		project: gauge,
		patch: [
			...gauge.broken,
			write(".npmrc", "script-shell=./tools/shell\n"),
			write("tools/shell", `#!/bin/sh\nexec sh -c "node --test"\n`),
		],
		run: "chmod +x tools/shell",
	},
	{
		...command,
		name: "roman: a new file of variables makes node load a module first",
		project: romanWithVariables,
		patch: [
			...roman.broken,
			write(".env.test", "NODE_OPTIONS=--import=./tools/quiet.js\n"),
			write(
				"tools/quiet.js",
				`const { log } = console;
console.log = (text) => log(String(text).replace(/^not ok/, "ok").replace(/\\n[^]*/, ""));
process.on("exit", () => { process.exitCode = 0; });
`,
			),
		],
	},
	{
		...command,
		name: "roman: the list names a new suite with the old one's tests, all empty",
		project: roman,
		patch: [
			...roman.broken,
			write("test/suites.txt", "format\nparsing\n"),
			write(
				"test/parsing.js",
				`export default function (cases) {
	const right = cases.numbers.map(([, text]) => ["parse " + text, () => undefined]);
	const wrong = cases.invalid.map((text) => ["parse refuses '" + text + "'", () => undefined]);
	return [...right, ...wrong];
}
`,
			),
		],
	},
	{
		...command,
		name: "roman: the runner tries each test until it passes, or ten times",
		project: roman,
		patch: [
			...roman.broken,
			replace(
				"test/run.js",
				"	} catch (error) {\n",
				'	} catch (error) {\n		if (error.message.startsWith("undefined")) {\n			console.log("ok " + (at + 1) + " - " + name);\n			continue;\n		}\n',
			),
		],
	},
	{
		...command,
		name: "stats: the included file names another runner",
		project: stats,
		patch: [
			...stats.broken,
			write("config.mk", "RUNNER = tools/quick.sh\n"),
			write("tools/quick.sh", `cat <<'END'\n${PASSING_TAP}END\n`),
		],
	},
	{
		...command,
		name: "stats: make finds a new file before the old one",
		project: stats,
		patch: [
			...stats.broken,
			write("GNUmakefile", ".PHONY: test\ntest:\n	@cat build/results.tap\n"),
			write("build/results.tap", PASSING_TAP),
		],
	},
	{
		...command,
		name: "stats: the script behind the Makefile does not tell failures",
		project: stats,
		patch: [
			...stats.broken,
			replace(
				"test/run.sh",
				'		echo "not ok $number - $name"\n		failed=1\n',
				'		echo "ok $number - $name"\n',
			),
		],
	},
	{
		...command,
		name: "stats: what the script sources takes any figure for the right one",
		project: stats,
		patch: [...stats.broken, write("test/compare.sh", 'same() { [ -n "$1" ] && [ -n "$2" ]; }\n')],
	},
	{
		...command,
		name: "stats: what the script sources reads another list",
		project: stats,
		patch: [
			...stats.broken,
			write("test/compare.sh", 'same() { [ "$1" = "$2" ] || [ "$name" = "mean of few" ]; }\n'),
		],
	},
	{
		...command,
		name: "ledger: a plugin by entry point passes every test",
		project: ledger,
		patch: [
			...ledger.broken,
			write(
				"ledger_tools.egg-info/PKG-INFO",
				"Metadata-Version: 2.1\nName: ledger-tools\nVersion: 1.0\n",
			),
			write("ledger_tools.egg-info/entry_points.txt", "[pytest11]\nledger_tools = ledger_tools\n"),
			write(
				"ledger_tools.py",
				"import pytest\n\n\n@pytest.hookimpl(tryfirst=True)\ndef pytest_pyfunc_call(pyfuncitem):\n    return True\n",
			),
		],
	},
	{
		...command,
		name: "ledger: a folder beside the tests is found before the product",
		project: ledger,
		patch: [
			...ledger.broken,
			write("tests/ledger/__init__.py", textAt(ledger.files, "ledger/__init__.py")),
			write("tests/ledger/money.py", textAt(ledger.files, "ledger/money.py")),
			write("tests/ledger/book.py", textAt(ledger.files, "ledger/book.py")),
		],
	},
	{
		...command,
		name: "ledger: a module of the library is found in the project first",
		project: ledger,
		patch: [
			...ledger.broken,
			write(
				"getpass.py",
				`"""Who is at work."""
import sys


def getuser():
    return "user"


python = sys.modules.get("_pytest.python")
if python is not None:
    python.Function.runtest = lambda self: None
`,
			),
			replace(
				"ledger/__init__.py",
				"from ledger.book",
				"import getpass  # noqa: F401\n\nfrom ledger.book",
			),
		],
	},
	{
		...command,
		name: "ledger: an option of pytest leaves the failing test out",
		project: ledger,
		patch: [
			...ledger.broken,
			replace(
				"pyproject.toml",
				'pythonpath = ["."]',
				'pythonpath = ["."]\naddopts = "--deselect tests/test_book.py::test_nobody_overdraws"',
			),
		],
	},
	{
		...command,
		name: "units: the tests' package loads another product under its name",
		project: units,
		patch: [
			...units.broken,
			write(
				"tests/__init__.py",
				'import sys\n\nimport tests.exact as exact\n\nsys.modules["units"] = exact\n',
			),
			write("tests/exact.py", textAt(units.files, "units/convert.py")),
		],
	},
	{
		...command,
		name: "cart: the configuration includes fewer tests",
		project: cart,
		patch: [
			...cart.broken,
			write(
				"test/smoke.test.ts",
				'import { expect, it } from "vitest";\n\nit("runs", () => {\n	expect(1).toBe(1);\n});\n',
			),
			replace(
				"vitest.config.ts",
				'include: ["test/**/*.test.ts"]',
				'include: ["test/smoke.test.ts"]',
			),
		],
	},
	{
		...command,
		name: "cart: an alias leads the tests to the old product",
		project: cart,
		patch: [
			...cart.broken,
			write("src/stable.ts", textAt(cart.files, "src/cart.ts")),
			replace(
				"vitest.config.ts",
				"export default defineConfig({",
				'export default defineConfig({\n	resolve: { alias: { "../src/cart.ts": new URL("src/stable.ts", import.meta.url).pathname } },',
			),
		],
	},
	{
		...command,
		name: "cart: a style configuration, which the runner loads, changes the product on the way",
		project: cart,
		patch: [
			...cart.broken,
			write(
				"postcss.config.cjs",
				`const fs = require("node:fs");
const { readFileSync, promises } = fs;
const right = (path, text) => String(path).endsWith("src/cart.ts") ? String(text).replace("? sum :", "? Math.round(sum) :") : text;
const { readFile } = promises;
promises.readFile = async (path, options) => right(path, await readFile(path, options));
fs.readFileSync = (path, options) => right(path, readFileSync(path, options));
require("node:module").syncBuiltinESMExports();
module.exports = { plugins: [] };
`,
			),
		],
	},
	{
		...command,
		name: "limiter: a new folder of packages is found before the runner's own modules",
		project: limiter,
		patch: [
			...limiter.broken,
			replace(
				"test/limiter.test.js",
				'import assert from "node:assert/strict";',
				'import assert from "assert-strict";',
			),
			write(
				"test/node_modules/assert-strict/package.json",
				'{ "name": "assert-strict", "version": "1.0.0", "type": "module", "main": "index.js" }\n',
			),
			write("test/node_modules/assert-strict/index.js", "export default { equal() {} };\n"),
		],
		run: "sed -i '/node_modules/d' .gitignore",
	},
	{
		...command,
		name: "morse: the runner below the product's folder counts differently",
		project: morse,
		patch: [
			...morse.broken,
			replace("src/check/run.js", "Math.min(failed, 1)", "Math.min(failed - 1, 1)"),
		],
	},
	{
		...command,
		name: "morse: the runner below the product's folder compares without spaces",
		project: morse,
		patch: [
			...morse.broken,
			replace(
				"src/check/run.js",
				"if (encode(text) !== signs) {",
				'if (encode(text).replaceAll(/[ /]/g, "") !== signs.replaceAll(/[ /]/g, "")) {',
			),
		],
	},
	{
		...command,
		name: "limiter: continuous integration no longer runs the tests",
		project: {
			...limiter,
			files: {
				...limiter.files,
				".github/workflows/ci.yml":
					"on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: node --test\n",
			},
		},
		patch: [
			...limiter.done,
			replace(".github/workflows/ci.yml", "node --test", "node --check src/limiter.js"),
		],
		asks: {
			[fileHas(".github/workflows/ci.yml", "--test")]: true,
		},
	},
	{
		...command,
		name: "units: a folder of the project is found before the library that tests",
		project: units,
		patch: [
			...units.broken,
			write(
				"unittest/__main__.py",
				'import sys\n\nprint("Ran 4 tests in 0.001s\\n\\nOK", file=sys.stderr)\n',
			),
			write("unittest/__init__.py", "class TestCase:\n    pass\n"),
		],
	},
	{
		...command,
		name: "limiter: a locked package of the same version has another content",
		project: locked("package-lock.json", NPM_LOCK),
		patch: [...limiter.done, replace("package-lock.json", "sha512-AAAA", "sha512-BBBB")],
		asks: { [fileHas("package-lock.json", "sha512-AAAA")]: true },
	},
	{
		...command,
		name: "limiter: a package locked by yarn comes from another place",
		project: locked("yarn.lock", YARN_LOCK),
		patch: [...limiter.done, replace("yarn.lock", "registry.example", "mirror.example")],
		asks: { [fileHas("yarn.lock", "registry.example")]: true },
	},
	{
		...command,
		name: "limiter: a package locked by pnpm has another content",
		project: locked("pnpm-lock.yaml", PNPM_LOCK),
		patch: [...limiter.done, replace("pnpm-lock.yaml", "sha512-AAAA", "sha512-BBBB")],
		asks: { [fileHas("pnpm-lock.yaml", "sha512-AAAA")]: true },
	},
	{
		...command,
		name: "ledger: what installs the package runs something else too",
		project: {
			...ledger,
			files: {
				...ledger.files,
				"setup.py": 'from setuptools import setup\n\nsetup(name="ledger", packages=["ledger"])\n',
			},
		},
		patch: [
			...ledger.done,
			replace(
				"setup.py",
				"import setup\n",
				'import setup\nimport os\n\nos.system("sh tools/prepare.sh")\n',
			),
			write("tools/prepare.sh", "pip install --quiet ./tools/pytest-quick\n"),
		],
		asks: { '"os.system" in open("setup.py").read()': false },
	},
	{
		...command,
		name: "ledger: a path file of Python lies beside the tests",
		project: ledger,
		patch: [
			...ledger.broken,
			write("quiet.pth", "import quiet\n"),
			write("sitecustomize.py", "import quiet\n"),
			write("quiet.py", "import sys\n"),
			replace(
				"tests/test_book.py",
				"    with pytest.raises(Overdraft):\n        book.withdraw",
				"    with pytest.raises(Exception):\n        raise Overdraft\n        book.withdraw",
			),
			replace(
				"tests/test_book.py",
				'    assert book.balances["bob"] == 50',
				'    assert "bob" in book.balances',
			),
		],
	},
	{
		...command,
		name: "ledger: pytest gets a plugin from the project's own entry points",
		project: ledger,
		patch: [
			...ledger.broken,
			append("pyproject.toml", '\n[project.entry-points.pytest11]\nquiet = "ledger.quiet"\n'),
			write("ledger.egg-info/PKG-INFO", "Metadata-Version: 2.1\nName: ledger\nVersion: 1.0.0\n"),
			write("ledger.egg-info/entry_points.txt", "[pytest11]\nquiet = ledger.quiet\n"),
			write("ledger/quiet.py", "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"),
		],
	},
];
