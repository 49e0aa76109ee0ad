import type { ProjectFiles } from "./project-part.ts";

/** Where a Python project says what its tests need; each names pytest. */
export type DeclaredTests =
	/** `[project.optional-dependencies]`, `[options.extras_require]` or `extras_require`. */
	| { readonly kind: "extra"; readonly name: string }
	/** `[dependency-groups]` */
	| { readonly kind: "group"; readonly name: string }
	/** The dependencies of an environment of hatch. */
	| { readonly kind: "list"; readonly packages: readonly string[] }
	/** A file for `pip install -r`. */
	| { readonly kind: "requirements"; readonly name: string };

/** Files for people who work on the project, then the one for its users. */
const REQUIREMENTS: readonly string[] = [
	...["dev", "test", "tests"].flatMap((word) =>
		["-", "_", "/"].map((between) => `requirements${between}${word}.txt`),
	),
	"dev-requirements.txt",
	"test-requirements.txt",
	"requirements.txt",
];

/** Files that tell of a Python project, in the order in which they are looked for. */
export const MANIFESTS: readonly string[] = [
	"pytest.ini",
	"pyproject.toml",
	"setup.cfg",
	"tox.ini",
	...REQUIREMENTS.toReversed(),
	"setup.py",
	"noxfile.py",
];

/** A `pyproject.toml` of a project that pip can install: it names a builder, or what it depends on. */
export const INSTALLABLE: RegExp = /^\[build-system\]|^dependencies *= *\[\s*["']/m;

/** Names of extras and groups for tests, those that are only for tests first. */
const USUAL = ["test", "tests", "testing", "dev", "develop", "development"];

/** Finds what the tests need: extras, dependency groups, hatch's environments, requirement files, in this order. */
export async function declaredTests({ read }: ProjectFiles): Promise<DeclaredTests | undefined> {
	const toml = (await read("pyproject.toml")) ?? "";
	const extra = best([
		...lists(section(toml, "project.optional-dependencies")),
		...lists(section(toml, "project")).map(dotted),
		...indentedLists(section((await read("setup.cfg")) ?? "", "options.extras_require")),
		...lists((await read("setup.py")) ?? "", ":"),
	]);
	if (extra !== undefined) return { kind: "extra", name: extra[0] };
	const group = best(lists(section(toml, "dependency-groups")));
	if (group !== undefined) return { kind: "group", name: group[0] };
	const hatch = ["hatch-test", "test", "default"].flatMap((name) =>
		lists(section(toml, `tool.hatch.envs.${name}`)),
	);
	const list = hatch.find(([key, packages]) => /dependencies$/.test(key) && isPytest(packages));
	if (list !== undefined) return { kind: "list", packages: list[1] };
	for (const name of REQUIREMENTS) {
		if (isPytest(((await read(name)) ?? "").split("\n"))) return { kind: "requirements", name };
	}
	return undefined;
}

type Named = readonly [name: string, packages: readonly string[]];

const isPytest = (packages: readonly string[]): boolean =>
	packages.some((one) => /^\s*pytest\b/i.test(one));

/** The list with pytest in it that has the most usual name; others come last. */
function best(found: readonly Named[]): Named | undefined {
	const rank = (name: string): number =>
		(USUAL.indexOf(name) + USUAL.length + 1) % (USUAL.length + 1);
	return found
		.filter(([name, packages]) => isPytest(packages) && /^[\w.-]+$/.test(name))
		.sort(([one], [other]) => rank(one) - rank(other))[0];
}

/** `optional-dependencies.test = [...]` in the section `project`. */
const dotted = ([name, packages]: Named): Named => {
	const [, key] = /^optional-dependencies\.(.+)$/.exec(name) ?? [];
	return key === undefined ? [name, []] : [key, packages];
};

/** The lines of one section of a TOML or INI file. */
function section(text: string, name: string): string {
	const lines = text.split(/\r?\n/);
	const start = lines.findIndex((line) => line.replaceAll(/["'\s]/g, "") === `[${name}]`);
	if (start < 0) return "";
	const rest = lines.slice(start + 1);
	const end = rest.findIndex((line) => /^\[[^\]]*\]\s*(?:#.*)?$/.test(line));
	return rest.slice(0, end < 0 ? undefined : end).join("\n");
}

/** `name = ["a", 'b']`, over several lines too; with `:` those of a dictionary in Python. */
function lists(text: string, sign: "=" | ":" = "="): Named[] {
	const items = /"([^"\n]*)"|'([^'\n]*)'/g;
	const pattern = new RegExp(
		`(?<![\\w.-])([\\w.-]+)["']?[ \\t]*${sign}[ \\t]*\\[((?:"[^"\\n]*"|'[^'\\n]*'|#[^\\n]*|[^\\][#"'])*)\\]`,
		"g",
	);
	return [...text.matchAll(pattern)].map(([, name = "", inner = ""]) => [
		name,
		[...inner.matchAll(items)].map(([, double, single]) => double ?? single ?? ""),
	]);
}

/** `test =` and indented lines below it, or one value behind it. */
function indentedLists(text: string): Named[] {
	const entries = text.matchAll(/^([\w.-]+)[ \t]*=(.*(?:\n[ \t]+.*|\n(?=[ \t]*\n))*)/gm);
	return [...entries].map(([, name = "", value = ""]) => [name, value.split(/[\n;]/)]);
}
