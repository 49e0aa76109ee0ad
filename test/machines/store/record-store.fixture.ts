import { randomBytes } from "node:crypto";
import { scopeName } from "../../../src/store/lease-scope.ts";
import { RECORD_TABLES } from "../../../src/store/postgres/migrate.ts";
import { connectPostgres, type Postgres } from "../../../src/store/postgres/postgres.ts";
import type { Lease, LeaseScope, Leases } from "../../../src/store/records.ts";
import { serverAddress } from "../support/postgres.ts";

/** A database of its own with the tables of the records, and a connection to it. */
export interface RecordStore {
	readonly address: string;
	readonly postgres: Postgres;
	/** Closes and drops it. */
	readonly remove: () => Promise<void>;
}

/** As much of the table as a fence looks at. */
const LEASES = `CREATE TABLE leases (
	run_id text NOT NULL,
	scope text NOT NULL,
	epoch bigint NOT NULL,
	PRIMARY KEY (run_id, scope)
);`;

export async function recordStore(): Promise<RecordStore> {
	// A schema is made in no time, a database in more than a second.
	const url = new URL(serverAddress());
	url.searchParams.set("schema", `records_${randomBytes(6).toString("hex")}`);
	const address = url.href;
	const postgres = await connectPostgres(address);
	await postgres.query(`CREATE SCHEMA ${postgres.schema}`);
	await postgres.query(RECORD_TABLES + LEASES);
	return {
		address,
		postgres,
		remove: async () => {
			await postgres.query(`DROP SCHEMA ${postgres.schema} CASCADE`);
			await postgres.close();
		},
	};
}

/** Leases that anybody may take at any time: only their epochs count. */
export function grabbedLeases(postgres: Postgres): Leases {
	return {
		take: async (runId: string, scope: LeaseScope = "run"): Promise<Lease> => {
			const { rows } = await postgres.query(
				`INSERT INTO leases (run_id, scope, epoch) VALUES ($1, $2, 1)
				ON CONFLICT (run_id, scope) DO UPDATE SET epoch = leases.epoch + 1 RETURNING epoch`,
				[runId, scopeName(scope)],
			);
			return {
				runId,
				scope,
				epoch: Number(rows[0]?.["epoch"]),
				lost: new AbortController().signal,
				release: () => Promise.resolve(),
				[Symbol.asyncDispose]: () => Promise.resolve(),
			};
		},
		holder: () => Promise.resolve(undefined),
	};
}
