import { distance } from "fastest-levenshtein";
import { Fault } from "../../kernel/fault.ts";

export interface StoreAddress {
	/** For `pg`. May hold a password: never shown. */
	readonly connection: string;
	readonly options: string;
	readonly schema: string;
	/** For people: without the password and the driver's settings. */
	readonly shown: string;
}

const DEFAULT_SCHEMA = "sparring";

const JOBS_SUFFIX = "_jobs";

/** Of a name that needs no quotes anywhere: pg-boss takes 50 for the schema of the jobs. */
const MOST_LETTERS = 50 - JOBS_SUFFIX.length;

const SCHEMA_NAME = /^[a-z_][a-z0-9_]*$/;

const RESERVED = /^(?:pg_.*|information_schema)$/;

/** Schema of a store's jobs, beside its records. @example `"sparring_jobs"` */
export const jobsSchemaOf = (schema: string): string => `${schema}${JOBS_SUFFIX}`;

const MOST_TYPOS = 2;

const EXAMPLE = "postgres://user@host/database";

/**
 * Reads an address such as `postgres://user@host:5432/database?schema=team`. The schema is `sparring` by default;
 * other parameters, such as `sslmode`, are the driver's.
 *
 * @throws Fault `usage`, which quotes no password
 */
export function storeAddress(address: string): StoreAddress {
	const url = URL.parse(address);
	if (url === null || !["postgres:", "postgresql:"].includes(url.protocol))
		throw new Fault("the address of the store is not one of Postgres", {
			code: "usage",
			hint: `Write it as ${EXAMPLE}, with a password in PGPASSWORD or a passfile.`,
		});
	for (const name of url.searchParams.keys())
		if (name !== "schema" && distance(name.toLowerCase(), "schema") <= MOST_TYPOS)
			throw new Fault(`the store's address has a parameter ${JSON.stringify(name)}`, {
				code: "usage",
				hint: "Did you mean `schema`? Other parameters are the driver's.",
			});
	const schema = url.searchParams.get("schema") ?? DEFAULT_SCHEMA;
	if (!SCHEMA_NAME.test(schema) || schema.length > MOST_LETTERS || RESERVED.test(schema))
		throw new Fault(`${JSON.stringify(schema)} cannot be the schema of a store`, {
			code: "usage",
			hint: `Use at most ${MOST_LETTERS} lower-case letters, digits and underscores, with no digit and no pg_ first.`,
		});
	const given = url.searchParams.get("options") ?? "";
	url.searchParams.delete("schema");
	url.searchParams.delete("options");
	const user = url.username === "" ? "" : `${url.username}@`;
	const query = schema === DEFAULT_SCHEMA ? "" : `?schema=${schema}`;
	return {
		connection: url.href,
		options: `${given} -c search_path=${schema}`.trim(),
		schema,
		shown: `postgres://${user}${url.host}${url.pathname}${query}`,
	};
}
