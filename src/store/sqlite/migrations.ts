import type { Database } from "./database.ts";
import {
	CHECKPOINT_TABLES,
	CONFLICT_TABLES,
	PAIR_AND_SCORE_TABLES,
	RECORD_TABLES,
	SPENDING_TABLES,
} from "./schema.ts";

/** Steps of the schema, oldest first: entry 0 leads to version 1. An entry that was released is never edited. */
const MIGRATIONS: readonly string[] = [
	`${RECORD_TABLES}${CHECKPOINT_TABLES}`,
	SPENDING_TABLES,
	PAIR_AND_SCORE_TABLES,
	CONFLICT_TABLES,
];

/** The newest `user_version` that this program reads and writes. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

/** `PRAGMA user_version` of the file; 0 for a new one. */
export function schemaVersion(db: Database): number {
	return Number(db.get("PRAGMA user_version")?.["user_version"]);
}

/**
 * Brings the schema up to date, each step in a write transaction of its own.
 *
 * Safe when several processes open at once: the version is read again inside the transaction, so that each
 * step is done by whichever process comes first. A newer version is left alone.
 */
export function migrate(db: Database): void {
	while (schemaVersion(db) < SCHEMA_VERSION) {
		db.immediate(() => {
			const version = schemaVersion(db);
			const step = MIGRATIONS[version];
			if (step !== undefined) db.exec(`${step}PRAGMA user_version = ${version + 1};`);
		});
	}
}
