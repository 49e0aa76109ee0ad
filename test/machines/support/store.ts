import { postgresLeases } from "../../../src/store/postgres/leases.ts";
import { migrate } from "../../../src/store/postgres/migrate.ts";
import { connectPostgres, type Postgres } from "../../../src/store/postgres/postgres.ts";
import { ownIdentity } from "../../../src/store/process-identity.ts";
import type { Leases } from "../../../src/store/records.ts";
import { freshDatabase } from "./postgres.ts";

/** A database of its own with all tables, and a connection to it. */
export interface TestStore {
	readonly address: string;
	readonly postgres: Postgres;
	/** Closes and drops it. */
	readonly remove: () => Promise<void>;
}

export async function testStore(): Promise<TestStore> {
	const { address, drop } = await freshDatabase();
	await migrate(address);
	const postgres = await connectPostgres(address);
	const remove = async (): Promise<void> => {
		await postgres.close();
		await drop();
	};
	return { address, postgres, remove };
}

/** Leases of a process of this machine that has ended. */
export function leasesOfTheDead(postgres: Postgres): Leases {
	return postgresLeases(postgres, { identity: { ...ownIdentity(), started: "1" } });
}
