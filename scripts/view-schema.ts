import { readFileSync } from "node:fs";
import { generateSchema, programFromConfig } from "typescript-json-schema";
import { z } from "zod";

const at = (path: string): string => new URL(`../${path}`, import.meta.url).pathname;

/** Page of the guide with the table of the view. */
export const VIEW_TABLE = at("docs/user-guide/run-view.md");
export const VIEW_SCHEMA = at("schema/run-view.schema.json");

/** As far as a schema is looked into here. */
type Schema = Readonly<Record<string, unknown>>;

/** @example `import("src/view/report").TaskReport` is `TaskReport` */
const shortName = (name: string): string =>
	name
		.replaceAll(/import\([^)]*\)\./g, "")
		.replaceAll(/[^\w]+/g, "-")
		.replace(/-$/, "");

/**
 * The schema with short names in place of those that say in which file a type is, and in an order of its own: that of the
 * compiler depends on what it has read before.
 */
function withShortNames(value: unknown): unknown {
	if (Array.isArray(value)) {
		const items = value.map(withShortNames);
		return items.every((item) => typeof item === "string") ? items.toSorted() : items;
	}
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
	return Object.fromEntries(
		entries.map(([key, inner]) => {
			if (key === "$ref" && typeof inner === "string") {
				const name = decodeURIComponent(inner.replace("#/definitions/", ""));
				return [key, `#/definitions/${shortName(name)}`];
			}
			return [key.includes("import(") ? shortName(key) : key, withShortNames(inner)];
		}),
	);
}

const rootSchema = z.looseObject({ definitions: z.record(z.string(), z.unknown()) });

/** JSON Schema of a run's view (`spar report --json`), from its type: the docstrings there are its descriptions. */
export function viewSchema(): Schema {
	const program = programFromConfig(at("tsconfig.json"), [at("src/view/run-view.ts")]);
	const schema = generateSchema(program, "RunView", {
		required: true,
		ignoreErrors: true,
		propOrder: false,
	});
	// Fields that a later version adds are no error.
	return { title: "A run of Sparring, version 1", ...rootSchema.parse(withShortNames(schema)) };
}

const fieldSchema = z.looseObject({
	$ref: z.string().optional(),
	description: z.string().optional(),
	items: z.unknown().optional(),
	anyOf: z.array(z.unknown()).default([]),
	properties: z.record(z.string(), z.unknown()).default({}),
	additionalProperties: z.unknown().optional(),
});

type Row = readonly [path: string, meaning: string];

/**
 * Rows `path | meaning` of the table. A field whose name says all of it stands with the object that has it. A type that
 * occurs again is told once, at its first place.
 */
export function viewRows(schema: Schema): readonly Row[] {
	const { definitions } = rootSchema.parse(schema);
	const told = new Set<string>();
	const rowsOf = (path: string, value: unknown, meaning = ""): readonly Row[] => {
		const field = fieldSchema.parse(value);
		const said = meaning || (field.description ?? "");
		const name = field.$ref?.replace("#/definitions/", "");
		if (name !== undefined) {
			if (told.has(name)) return [[path, said]];
			told.add(name);
			return rowsOf(path, definitions[name], said);
		}
		const choices = field.anyOf.filter((one) => fieldSchema.parse(one)["type"] !== "null");
		if (choices.length === 1) return rowsOf(path, choices[0], said);
		if (field.items !== undefined) return rowsOf(`${path}[]`, field.items, said);
		if (isObject(field.additionalProperties))
			return rowsOf(`${path}.*`, field.additionalProperties, said);
		const inner = Object.entries(field.properties).map(([key, one]) =>
			rowsOf(path === "" ? key : `${path}.${key}`, one),
		);
		const plain = inner.flatMap((rows) => (rows.length === 1 && rows[0]?.[1] === "" ? rows : []));
		const names = plain.map(([own]) => `\`${own.slice(own.lastIndexOf(".") + 1)}\``).join(", ");
		const all = [said, names].filter((text) => text !== "").join(" Also: ");
		return [[path, all], ...inner.flat().filter((row) => !plain.includes(row))];
	};
	return rowsOf("", schema);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const HEAD = `# A run as JSON

\`spar report --json\` prints it, the library's \`result()\` returns it, and the page, the reports and the tools of an agent select
from it. \`version\` is raised where a field goes or means something else; new fields may come. Its schema is
[\`schema/run-view.schema.json\`](../../schema/run-view.schema.json). Texts are masked; times are ISO 8601 in UTC,
durations in milliseconds, money in US dollars; null means that there is no value. The fields of \`run\` are what
\`spar status --json\` prints, those of \`gate\` what \`spar gate --json\` does.

`;

/** The page of the user guide with the table. */
export function viewTable(schema: Schema): string {
	const lines = viewRows(schema).map(
		([path, meaning]) =>
			`| ${path === "" ? "the whole" : `\`${path}\``} | ${meaning.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim()} |`,
	);
	return `${HEAD}| field | meaning |\n| --- | --- |\n${lines.join("\n")}\n`;
}

/** The schema as it is committed, to judge a view by. */
export function viewShape(): z.ZodType {
	const schema: unknown = JSON.parse(readFileSync(VIEW_SCHEMA, "utf8"));
	// The file is a JSON Schema, as this module writes it.
	return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}
