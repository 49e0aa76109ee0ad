import type { Dialect } from "./query.ts";
import { type Columns, FORMS, type Form, type RowCodec, rowCodec } from "./row-codec.ts";

export interface Table<T> extends RowCodec<T> {
	readonly ddl: (dialect: Dialect) => string;
}

interface TableParts {
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
 * Defines a table of both databases by the columns of its records. Small columns stand before large ones: SQLite reads a
 * row from its start. JSON is text, so that it is read as it was written.
 *
 * @param name trusted, as all of it: it becomes part of SQL
 */
export function table<T extends object>(
	name: string,
	columns: Columns<T>,
	{ keys = {}, constraints = [], indexes = [] }: TableParts,
): Table<T> {
	const own = Object.values<readonly [string, Form]>(columns);
	const all = [...Object.entries(keys), ...own];
	return {
		...rowCodec(columns),
		ddl: (dialect) => {
			const lines = all.map(([column, form]) => `${column} ${columnType(form, dialect)}`);
			const body = [...lines, ...constraints].join(",\n\t");
			const statements = indexes.map((each) => `${each};`);
			return [`CREATE TABLE ${name} (\n\t${body}\n${END[dialect]}`, ...statements].join("\n");
		},
	};
}
