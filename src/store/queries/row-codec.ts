import type { Row, SqlValue } from "./query.ts";

/** How a field travels: `json` is text made by `JSON.stringify`, a flag is 0 or 1; null is NULL in each. */
interface FormParts {
	readonly as: "text" | "number" | "flag" | "json" | "bytes";
	readonly type: "text" | "integer" | "real" | "bytes";
	readonly rest: string;
}

const REQUIRED = " NOT NULL";
const FROM_ZERO = " NOT NULL DEFAULT 0";

/** Of an `omitted` field the record has nothing where the column is NULL. */
export const FORMS = {
	text: { as: "text", type: "text", rest: REQUIRED },
	"text?": { as: "text", type: "text", rest: "" },
	run: { as: "text", type: "text", rest: " NOT NULL REFERENCES runs (run_id)" },
	integer: { as: "number", type: "integer", rest: REQUIRED },
	"integer?": { as: "number", type: "integer", rest: "" },
	count: { as: "number", type: "integer", rest: FROM_ZERO },
	real: { as: "number", type: "real", rest: REQUIRED },
	"real?": { as: "number", type: "real", rest: "" },
	total: { as: "number", type: "real", rest: FROM_ZERO },
	flag: { as: "flag", type: "integer", rest: REQUIRED },
	"flag?": { as: "flag", type: "integer", rest: "" },
	warned: { as: "flag", type: "integer", rest: FROM_ZERO },
	json: { as: "json", type: "text", rest: REQUIRED },
	"json?": { as: "json", type: "text", rest: "" },
	omitted: { as: "json", type: "text", rest: "" },
	bytes: { as: "bytes", type: "bytes", rest: REQUIRED },
} as const satisfies Readonly<Record<string, FormParts>>;

export type Form = keyof typeof FORMS;
type NullableForm = Extract<Form, `${string}?`> | "omitted";

export type Columns<T> = {
	readonly [Field in keyof T]-?: readonly [
		column: string,
		form: null extends T[Field] ? NullableForm : Form,
	];
};

/** The part after SET with its values. */
export interface Assignment {
	readonly sql: string;
	readonly values: readonly SqlValue[];
}

export interface RowCodec<T> {
	/** Names of the columns in the order of `encode`, for a SELECT or INSERT. */
	readonly list: string;
	readonly marks: string;
	readonly replaced: string;
	readonly encode: (record: T) => SqlValue[];
	readonly decode: (row: Row) => T;
	/** `a = ?, b = ?` with its values, for the fields that the patch holds; undefined when it holds none. */
	readonly assign: (patch: Partial<T>) => Assignment | undefined;
}

function toColumn(value: unknown, form: Form): SqlValue {
	if (value === null || (value === undefined && form === "omitted")) return null;
	switch (FORMS[form].as) {
		case "text":
			// Half a surrogate pair, which UTF-8 cannot hold, becomes U+FFFD here; JSON escapes it.
			return typeof value === "string" ? value : JSON.stringify(value);
		case "number":
			return Number(value);
		case "flag":
			return value === true ? 1 : 0;
		case "json":
			return JSON.stringify(value);
		case "bytes":
			return value instanceof Uint8Array ? value : new Uint8Array();
	}
}

function toField(value: unknown, form: Form): unknown {
	if (value === null || value === undefined) return null;
	switch (FORMS[form].as) {
		case "text":
		case "number":
		case "bytes":
			return value;
		case "flag":
			return value === 1;
		case "json":
			// True because such a column holds text.
			return JSON.parse(value as string);
	}
}

/**
 * A codec for records whose fields are all given (null where there is nothing), but those of the form `omitted`.
 *
 * @param columns names are trusted: they become part of SQL
 * @example `rowCodec<{ commit: string }>({ commit: ["commit_id", "text"] }).decode({ commit_id: "c1" })` is `{ commit: "c1" }`
 */
export function rowCodec<T extends object>(columns: Columns<T>): RowCodec<T> {
	const fields = Object.entries<readonly [column: string, form: Form]>(columns);
	const read = (record: object, field: string): unknown => Reflect.get(record, field);
	return {
		list: fields.map(([, [column]]) => column).join(", "),
		marks: fields.map(() => "?").join(", "),
		replaced: fields.map(([, [column]]) => `${column} = excluded.${column}`).join(", "),
		encode: (record) => fields.map(([field, [, form]]) => toColumn(read(record, field), form)),
		// True because `columns` names every field of T, and each form reads back what it wrote.
		decode: (row) =>
			Object.fromEntries(
				fields
					.map(([field, [column, form]]) => [field, toField(row[column], form), form] as const)
					.filter(([, value, form]) => value !== null || form !== "omitted"),
			) as T,
		assign: (patch) => {
			const given = fields.filter(([field]) => read(patch, field) !== undefined);
			if (given.length === 0) return undefined;
			return {
				sql: given.map(([, [column]]) => `${column} = ?`).join(", "),
				values: given.map(([field, [, form]]) => toColumn(read(patch, field), form)),
			};
		},
	};
}
