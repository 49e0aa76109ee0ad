import path from "node:path";
import { parse } from "jsonc-parser";
import { type Fields, fieldsOf, isFields } from "../../kernel/fields.ts";
import { canonicalJson } from "../../kernel/json.ts";
import { PACKAGE_FIELDS, splitPythonTools } from "./runner-config.ts";

const DENO_FIELDS: ReadonlySet<string> = new Set(
	"name version exports imports scopes license workspace publish".split(" "),
);
const COMPOSER_FIELDS: ReadonlySet<string> = new Set(
	"name description version type keywords homepage license authors support funding require require-dev suggest".split(
		" ",
	),
);

/** Files of JSON that are the product's and the tests' at once. */
const MERGES: readonly (readonly [RegExp, (base: Fields, head: Fields) => Fields])[] = [
	[
		/^package\.json$/,
		(base, head) => ({
			...withKeys(base, head, othersThan(PACKAGE_FIELDS, base, head)),
			...overlaid(base, head, "imports"),
		}),
	],
	[/^(?:ts|js)config[\w.-]*\.json$/, withPaths],
	[
		/^(?:deno\.jsonc?|import[-_]?map\.json)$/,
		(base, head) => ({
			...withKeys(base, head, othersThan(DENO_FIELDS, base, head)),
			...overlaid(base, head, "imports"),
		}),
	],
	[
		/^composer\.json$/,
		(base, head) => withKeys(base, head, othersThan(COMPOSER_FIELDS, base, head)),
	],
];

/** Tells whether product and tests may share the file. */
export function isShared(file: string): boolean {
	const name = path.posix.basename(file);
	return name === "pyproject.toml" || MERGES.some(([pattern]) => pattern.test(name));
}

/**
 * A file that product and tests share, such as package.json: the player's, with what the base says of tests, of the
 * commands behind them and of where imports lead.
 *
 * @returns undefined for a file that is not shared, or whose shared parts are as in the base
 */
export function mergeShared(file: string, base: string, head: string): string | undefined {
	const name = path.posix.basename(file);
	if (name === "pyproject.toml") return mergePython(base, head);
	const merge = MERGES.find(([pattern]) => pattern.test(name))?.[1];
	if (merge === undefined) return undefined;
	const [before, after] = [read(base), read(head)];
	// One that nobody can read is the player's matter.
	if (before === undefined || after === undefined) return undefined;
	const merged = merge(before, after);
	return canonicalJson(merged) === canonicalJson(after)
		? undefined
		: `${JSON.stringify(merged, null, 2)}\n`;
}

/** Tells whether a shared file of JSON can be read, so that its parts can be told from each other. */
export const isReadable = (file: string, text: string): boolean =>
	path.posix.basename(file) === "pyproject.toml" || read(text) !== undefined;

function read(text: string): Fields | undefined {
	const value: unknown = parse(text, [], { allowTrailingComma: true });
	return isFields(value) ? value : undefined;
}

/** Keys beside those that describe a project. */
function othersThan(good: ReadonlySet<string>, ...manifests: readonly Fields[]): string[] {
	return manifests.flatMap(Object.keys).filter((key) => !good.has(key));
}

function withKeys(base: Fields, head: Fields, keys: readonly string[]): Fields {
	const others = Object.entries(head).filter(([key]) => !keys.includes(key));
	const own = Object.entries(base).filter(([key]) => keys.includes(key));
	return Object.fromEntries([...others, ...own]);
}

function overlaid(base: Fields, head: Fields, key: string): Fields {
	const [before, after] = [base[key], head[key]];
	if (!isFields(before)) return {};
	return { [key]: isFields(after) ? { ...after, ...before } : before };
}

/** A new alias for a bare name, such as that of a package, would take the package's place. */
const ALIAS = /[*@~#$/]/;

function withPaths(base: Fields, head: Fields): Fields {
	const [before, after] = [optionsOf(base), optionsOf(head)];
	const [had, has] = [pathsOf(before), pathsOf(after)];
	const added = Object.entries(has).filter(([name]) => !(name in had) && ALIAS.test(name));
	const paths = { ...Object.fromEntries(added), ...had };
	const options = { ...after, paths };
	if (Object.keys(has).length + Object.keys(had).length === 0) return head;
	return { ...head, compilerOptions: options };
}

/** A configuration of TypeScript as the base has it, but for new names that lead to the product. */
export function withNewPaths(base: string, head: string): string | null {
	const [before, after] = [read(base), read(head)];
	if (before === undefined || after === undefined) return base;
	const options = { ...optionsOf(before), paths: pathsOf(optionsOf(after)) };
	return JSON.stringify(withPaths(before, { ...before, compilerOptions: options }), null, 2);
}

const optionsOf = (config: Fields): Fields => fieldsOf(config["compilerOptions"]);

const pathsOf = (options: Fields): Fields => fieldsOf(options["paths"]);

function mergePython(base: string, head: string): string | undefined {
	const [before, after] = [splitPythonTools(base), splitPythonTools(head)];
	const said = (lines: readonly string[]): string =>
		lines
			.map((line) => line.trim())
			.filter((line) => line !== "")
			.join("\n");
	if (said(before.tools) === said(after.tools)) return undefined;
	return [...after.rest, ...before.tools, ""].join("\n");
}
