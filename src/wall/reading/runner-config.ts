import { type Fields, fieldsOf, jsonIn } from "../../kernel/fields.ts";

/**
 * Fields of a package.json that describe a package, as npm documents them, and how it is published. Others are for tools, such as
 * `jest`.
 *
 * @see https://docs.npmjs.com/cli/configuring-npm/package-json
 */
export const PACKAGE_FIELDS: ReadonlySet<string> = new Set(
	[
		"name version description keywords homepage bugs license author contributors funding files",
		"exports main module types typings browser bin man directories repository private type",
		"dependencies devDependencies peerDependencies peerDependenciesMeta optionalDependencies",
		"bundleDependencies overrides resolutions engines os cpu libc devEngines publishConfig",
		"workspaces packageManager sideEffects",
		// Of what is published, and of services that are gone.
		"unpkg jsdelivr typesVersions auto-changelog testling",
	].flatMap((names) => names.split(" ")),
);

/** Sections of a pyproject.toml that describe a project and how it is built; others are for tools. */
const PROJECT =
	/^\s*\[+\s*(?:project(?!.*\bpytest11\b)|build-system|dependency-groups|tool\s*\.\s*["']?(?:poetry|setuptools|setuptools_scm|hatch|pdm|uv|flit|maturin|cibuildwheel)(?!.*\b(?:pytest11|scripts)\b))\b/;

/** A package.json as an object; empty when it is missing or not valid. */
export function parsePackage(text: string | null): Fields {
	return fieldsOf(jsonIn(text ?? ""));
}

/** The lines of a pyproject.toml that are for tools, and those that describe the project. */
export function splitPythonTools(text: string): {
	readonly tools: readonly string[];
	readonly rest: readonly string[];
} {
	let inside = false;
	const tools: string[] = [];
	const rest: string[] = [];
	for (const line of text.split(/\r?\n/)) {
		if (/^\s*\[/.test(line) && /^\s*\[+[^\]=,]+\]+\s*(?:#.*)?$/.test(line)) {
			inside = !PROJECT.test(line);
		}
		(inside ? tools : rest).push(line);
	}
	return { tools, rest };
}

const NAMES =
	"prettier|clang-format|editorconfig|eslint|oxlint|biome|xo|standard|stylelint|markdownlint|commitlint|lint-staged|pylint|flake8|ruff|black|isort|yapf|mypy|pyright|rubocop|golangci-lint|size-limit";
/** Programs that look at how files are written, or how large they get. */
const LINTERS = new RegExp(`^(?:${NAMES})$`);
/** A command line with the name of such a program in some form, or with a program that runs what settings list. */
export const LINTS = new RegExp(
	`${NAMES.replace("|xo|", "|\\bxo\\b|")}|\\b(?:ec|pre-commit|tox|nox|hatch|task|invoke|poe|just|rye|pdm|trunk|nx|hk|prek|mise|gulp|wireit|next|react-scripts|tsdx)\\b`,
	"i",
);

/** Tells whether what a shared file says to other tools names such a program, as options of a runner of tests do. */
export function lintsBySettings(file: string, text: string): boolean {
	if (file.endsWith("pyproject.toml"))
		return LINTS.test(splitPythonTools(withoutSections(text)).tools.join("\n"));
	const fields = Object.entries(parsePackage(withoutLint(file, text)));
	const others = fields.filter(([name]) => !PACKAGE_FIELDS.has(name) && name !== "scripts");
	return LINTS.test(JSON.stringify(others));
}

/** A package.json or pyproject.toml without what it says to such programs; other files as they are. */
export function withoutLint(file: string, text: string): string {
	if (file.endsWith("pyproject.toml")) return withoutSections(text);
	if (!file.endsWith("package.json")) return text;
	const fields = Object.entries(parsePackage(text));
	const others = fields.filter(([name]) => !LINTERS.test(name.replace(/(?:Config|Ignore)$/, "")));
	return fields.length === others.length ? text : JSON.stringify(Object.fromEntries(others));
}

function withoutSections(text: string): string {
	let isLint = false;
	return text
		.split(/\r?\n/)
		.filter((line) => {
			const [, name] = /^\s*\[+\s*([^\]=,]+?)\s*\]+\s*(?:#.*)?$/.exec(line) ?? [];
			if (name !== undefined)
				isLint = LINTERS.test(/^tool\s*\.\s*"?([\w-]+)/.exec(name)?.[1] ?? "");
			return !isLint;
		})
		.join("\n");
}
