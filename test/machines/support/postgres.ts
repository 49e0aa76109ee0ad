import { randomBytes } from "node:crypto";
import { Client } from "pg";

/** A database of its own for a test. */
export interface FreshDatabase {
	/** As SPAR_STORE takes it. */
	readonly address: string;
	/** Ends all connections to it, and removes it. */
	readonly drop: () => Promise<void>;
}

/** The superuser's address of the Postgres that `npm run test:machines` started. */
export function serverAddress(): string {
	const address = process.env["SPAR_TEST_POSTGRES"];
	if (address === undefined || address === "")
		throw new Error("SPAR_TEST_POSTGRES is not set: run `npm run test:machines FILE`");
	return address;
}

/** Runs one statement as the superuser, on the server's own database or another one. */
async function asSuperuser(sql: string, address: string = serverAddress()): Promise<void> {
	const client = new Client({ connectionString: address });
	// Its connection may be what the statement ends.
	client.on("error", () => undefined);
	await client.connect();
	try {
		await client.query(sql);
	} finally {
		await client.end();
	}
}

/** Makes an empty database. Whoever makes it drops it, in `afterEach` or `afterAll`. */
export async function freshDatabase(): Promise<FreshDatabase> {
	const name = `spar_${process.pid}_${randomBytes(6).toString("hex")}`;
	// The other template may be in use by somebody who makes a database.
	await asSuperuser(`CREATE DATABASE ${name} TEMPLATE template0`);
	const url = new URL(serverAddress());
	url.pathname = `/${name}`;
	return {
		address: url.href,
		drop: () => asSuperuser(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
	};
}
