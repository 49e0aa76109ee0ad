import { type Fields, isFields } from "../../formats/reports/json-report.ts";
import { canonicalJson } from "../../kernel/json.ts";
import { withoutComments } from "./strip-comments.ts";

const CONFIG: readonly RegExp[] = [
	/^(?:vitest|vite|jest|ava|karma|playwright|cypress|wdio|nightwatch|web-test-runner|stryker|c8|nyc|eslint|oxlint|stylelint|commitlint)(?:[.-]\w+)*\.(?:config|workspace|conf)\.(?:[cm]?[jt]s|json|ya?ml)$/,
	/^(?:vitest|vite|jest|ava|karma|playwright|eslint)\.(?:config|workspace|conf)\.[\w.]+$/,
	/^cypress\.json$/,
	/^\.(?:mocharc|c8rc|nycrc|taprc|eslintrc|stylelintrc|oxlintrc|jshintrc|rspec|coveragerc|flake8|pylintrc|eslintignore|npmrc|rubocop)(?:\.\w+)?$/,
	/^\.?pytest\.ini$|^tox\.ini$|^setup\.cfg$|^mypy\.ini$/,
	/^\.?ruff\.toml$/,
	/^phpunit\.(?:xml|dist\.xml|xml\.dist)$|^phpstan\.neon(?:\.dist)?$/,
	/^biome\.jsonc?$/,
	/^\.golangci\.\w+$/,
	/^bunfig\.toml$|^\.yarnrc(?:\.yml)?$|^\.pnpmfile\.cjs$|^node\.config\.json$/,
	/^babel\.config\.\w+$|^\.babelrc(?:\.\w+)?$|^\.swcrc$|^turbo\.jsonc?$|^jasmine\.json$/,
	/^(?:jest|vitest)[.-](?:global-?)?(?:setup|teardown)(?:[.-]\w+)*\.[cm]?[jt]sx?$|^setupTests\.[cm]?[jt]sx?$/i,
	/\.runsettings$|^testng\.xml$|^junit-platform\.properties$|^(?:site|user)customize\.py$/,
	/^postcss\.config(?:\.\w+)?$|^\.postcssrc(?:\.\w+)?$|^mocha\.opts$|^\.?pytest\.toml$|^(?:nose|unittest)\.cfg$|^pyvenv\.cfg$/,
	/\.pth$/,
	/^clippy\.toml$|^\.clippy\.toml$|^nextest\.toml$/,
];

const CI =
	/^(?:\.github\/(?:workflows|actions)\/|\.circleci\/|\.buildkite\/|\.gitlab-ci\.ya?ml$|\.travis\.ya?ml$|Jenkinsfile$|azure-pipelines\.ya?ml$|bitbucket-pipelines\.ya?ml$|\.drone\.ya?ml$|\.cirrus\.ya?ml$|\.?appveyor\.ya?ml$|\.woodpecker)/;

export const PACKAGE_KEYS: readonly string[] = [
	"jest",
	"mocha",
	"ava",
	"c8",
	"nyc",
	"vitest",
	"tap",
	"eslintConfig",
	"eslintIgnore",
	"stylelint",
	"babel",
	"postcss",
	"ts-node",
];

const PYTHON_TOOLS =
	/^\s*\[+\s*tool\s*\.\s*["']?(?:pytest|coverage|ruff|mypy|tox|nox|pylint)\b|^\s*\[+[^\]]*\bpytest11\b/;

export function isRunnerConfig(path: string): boolean {
	const name = path.slice(path.lastIndexOf("/") + 1);
	return PLUGINS.test(path) || CONFIG.some((pattern) => pattern.test(name));
}

const PLUGINS = /\.(?:egg|dist)-info\/entry_points\.txt$/;

export function isCiFile(path: string): boolean {
	return CI.test(path);
}

/** Keys of a package.json that configure a runner and differ. A text that is not JSON has no keys. */
export function changedPackageKeys(base: string | null, head: string | null): string[] {
	const [before, after] = [parsePackage(base), parsePackage(head)];
	return PACKAGE_KEYS.filter((key) => canonicalJson(before[key]) !== canonicalJson(after[key]));
}

/**
 * The keys that differ in a JSON file; comments and trailing commas are allowed. If either text is not valid, any change
 * counts as a change of every key.
 */
export function changedJsonKeys(
	base: string | null,
	head: string | null,
	keys: readonly string[],
): string[] {
	const [before, after] = [parseLoose(base), parseLoose(head)];
	if (before === undefined || after === undefined) return base === head ? [] : [...keys];
	return keys.filter((key) => canonicalJson(before[key]) !== canonicalJson(after[key]));
}

function parseLoose(text: string | null): Fields | undefined {
	const plain = withoutComments(text ?? "{}", "a.js").replaceAll(/,(?=\s*[}\]])/g, "");
	try {
		const value: unknown = JSON.parse(plain);
		return isFields(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** A package.json as an object; empty when it is missing or not valid. */
export function parsePackage(text: string | null): Fields {
	try {
		const value: unknown = JSON.parse(text ?? "{}");
		return isFields(value) ? value : {};
	} catch {
		return {};
	}
}

/**
 * Tells whether the sections of pyproject.toml for test, coverage and lint tools differ. Those of a linter that no command
 * may use do not count.
 */
export function changedPythonTools(
	base: string | null,
	head: string | null,
	mayUse: (linter: string) => boolean,
): boolean {
	const unused = ["ruff", "mypy", "pylint"].filter((linter) => !mayUse(linter));
	return pythonTools(base ?? "", unused) !== pythonTools(head ?? "", unused);
}

function pythonTools(text: string, unused: readonly string[]): string {
	const { tools } = splitPythonTools(text);
	let isCounted = true;
	return tools
		.map((line) => line.trim())
		.filter((line) => {
			const section = /^\[+\s*tool\s*\.\s*["']?(\w+)/.exec(line)?.[1];
			if (section !== undefined) isCounted = !unused.includes(section);
			return isCounted && line !== "";
		})
		.join("\n");
}

export function splitPythonTools(text: string): {
	readonly tools: readonly string[];
	readonly rest: readonly string[];
} {
	let inside = false;
	const tools: string[] = [];
	const rest: string[] = [];
	for (const line of text.split(/\r?\n/)) {
		if (/^\s*\[/.test(line) && /^\s*\[+[^\]=,]+\]+\s*(?:#.*)?$/.test(line)) {
			inside = PYTHON_TOOLS.test(line);
		}
		(inside ? tools : rest).push(line);
	}
	return { tools, rest };
}
