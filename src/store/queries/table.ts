import { snakeCase } from "../../kernel/snake-case.ts";
import {
	all,
	change,
	type Dialect,
	locked,
	one,
	type Query,
	type Row,
	type SqlValue,
} from "./query.ts";

/** Form in which a field travels: `json` is text made by `JSON.stringify`, a flag is 0 or 1; null is NULL in each. */
interface FormParts {
	readonly as: "text" | "number" | "flag" | "json" | "bytes";
	readonly type: "text" | "integer" | "real" | "bytes";
	readonly rest: string;
}

const REQUIRED = " NOT NULL";
const FROM_ZERO = " NOT NULL DEFAULT 0";

/** Of an `omitted` field the record has nothing where the column is NULL. */
const FORMS = {
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

type Form = keyof typeof FORMS;
type FormOf<Value> = null extends Value ? Extract<Form, `${string}?`> | "omitted" : Form;

/** Form of each field; with the name of its column where that is not the field's in snake case. */
export type Columns<T> = {
	readonly [Field in keyof T]-?:
		| FormOf<T[Field]>
		| readonly [column: string, form: FormOf<T[Field]>];
};

export interface RowCodec<T> {
	readonly fields: readonly {
		readonly field: string;
		readonly column: string;
		readonly form: Form;
	}[];
	readonly list: string;
	readonly encode: (record: T) => SqlValue[];
	readonly decode: (row: Row) => T;
	/** `a = ?, b = ?` with its values, for the fields that the patch holds. */
	readonly assign: (
		patch: Partial<T>,
	) => { readonly sql: string; readonly values: readonly SqlValue[] } | undefined;
}

type SqlValues = readonly SqlValue[];
type Keys = Readonly<Record<string, SqlValue>>;

export interface Table<T> extends RowCodec<T> {
	readonly insert: (given: Keys, record: T, end?: string) => Query<number>;
	readonly upsert: (target: string, given: Keys, record: T) => Query<number>;
	/** @returns null for a patch that holds nothing */
	readonly update: (patch: Partial<T>, where: string, ...values: SqlValues) => Query<number | null>;
	/** @param rest what follows the name of the table, such as `WHERE run_id = ?` */
	readonly all: (rest: string, ...values: SqlValues) => Query<readonly T[]>;
	readonly one: (rest: string, ...values: SqlValues) => Query<T | undefined>;
	/** Nobody else changes it until the transaction ends. */
	readonly locked: (rest: string, ...values: SqlValues) => Query<T | undefined>;
	readonly ddl: (dialect: Dialect) => string;
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
 * Codec of records whose fields are all given (null where there is nothing), but those of the form `omitted`. Names of
 * columns are trusted: they become part of SQL.
 */
export function rowCodec<T extends object>(columns: Columns<T>): RowCodec<T> {
	const fields = Object.entries<Form | readonly [string, Form]>(columns).map(([field, given]) => {
		const [column, form] = typeof given === "string" ? [snakeCase(field), given] : given;
		return { field, column, form };
	});
	const read = (record: object, field: string): unknown => Reflect.get(record, field);
	return {
		fields,
		list: fields.map(({ column }) => column).join(", "),
		encode: (record: T): SqlValue[] =>
			fields.map(({ field, form }) => toColumn(read(record, field), form)),
		// True because `columns` names every field of T, and each form reads back what it wrote.
		decode: (row: Row): T =>
			Object.fromEntries(
				fields
					.map(({ field, column, form }) => [field, toField(row[column], form), form] as const)
					.filter(([, value, form]) => value !== null || form !== "omitted"),
			) as T,
		assign: (patch: Partial<T>) => {
			const given = fields.filter(({ field }) => read(patch, field) !== undefined);
			if (given.length === 0) return undefined;
			return {
				sql: given.map(({ column }) => `${column} = ?`).join(", "),
				values: given.map(({ field, form }) => toColumn(read(patch, field), form)),
			};
		},
	};
}

interface TableParts {
	/** Columns that are no field of the record. */
	readonly keys?: Readonly<Record<string, Form | "serial">>;
	readonly constraints?: readonly string[];
	readonly indexes?: readonly string[];
}

const TYPES = {
	sqlite: { text: "TEXT", integer: "INTEGER", real: "REAL", bytes: "BLOB" },
	postgres: { text: "text", integer: "bigint", real: "double precision", bytes: "bytea" },
} as const;

const SERIAL: Readonly<Record<Dialect, string>> = {
	sqlite: "INTEGER PRIMARY KEY AUTOINCREMENT",
	postgres: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
};

/** SQLite takes no value of another type then. */
const END: Readonly<Record<Dialect, string>> = { sqlite: ") STRICT;", postgres: ");" };

function columnType(form: Form | "serial", dialect: Dialect): string {
	if (form === "serial") return SERIAL[dialect];
	const { type, rest } = FORMS[form];
	return `${TYPES[dialect][type]}${rest}`;
}

/**
 * Defines a table of both databases by the columns of its records. Small columns stand before large ones: SQLite reads
 * a row from its start. JSON is text, so that it is read as it was written.
 */
export function table<T extends object>(
	name: string,
	columns: Columns<T>,
	{ keys = {}, constraints = [], indexes = [] }: TableParts,
): Table<T> {
	const codec = rowCodec(columns);
	const select = `SELECT ${codec.list} FROM ${name}`;
	function* first(sql: Parameters<typeof one>[0], values: SqlValues): Query<T | undefined> {
		const row = yield* one(sql, ...values);
		return row && codec.decode(row);
	}
	function* insert(given: Keys, record: T, end = ""): Query<number> {
		const names = [...Object.keys(given), ...codec.fields.map(({ column }) => column)];
		const marks = names.map(() => "?").join(", ");
		const sql = `INSERT INTO ${name} (${names.join(", ")}) VALUES (${marks}) ${end}`;
		return yield* change(sql, ...Object.values(given), ...codec.encode(record));
	}
	return {
		...codec,
		insert,
		upsert: (target: string, given: Keys, record: T): Query<number> => {
			const names = [...Object.keys(given), ...codec.fields.map(({ column }) => column)];
			const replaced = names
				.filter((column) => !target.split(", ").includes(column))
				.map((column) => `${column} = excluded.${column}`);
			return insert(given, record, `ON CONFLICT (${target}) DO UPDATE SET ${replaced.join(", ")}`);
		},
		*update(patch: Partial<T>, where: string, ...values: SqlValues): Query<number | null> {
			const assigned = codec.assign(patch);
			if (assigned === undefined) return null;
			const sql = `UPDATE ${name} SET ${assigned.sql} WHERE ${where}`;
			return yield* change(sql, ...assigned.values, ...values);
		},
		*all(rest: string, ...values: SqlValues): Query<readonly T[]> {
			return (yield* all(`${select} ${rest}`, ...values)).map(codec.decode);
		},
		one: (rest: string, ...values: SqlValues) => first(`${select} ${rest}`, values),
		locked: (rest: string, ...values: SqlValues) => first(locked(`${select} ${rest}`), values),
		ddl: (dialect: Dialect): string => {
			const own = codec.fields.map(({ column, form }) => [column, form] as const);
			const lines = [...Object.entries(keys), ...own].map(
				([column, form]) => `${column} ${columnType(form, dialect)}`,
			);
			const body = [...lines, ...constraints].join(",\n\t");
			const statements = indexes.map((each) => `${each};`);
			return [`CREATE TABLE ${name} (\n\t${body}\n${END[dialect]}`, ...statements].join("\n");
		},
	};
}
