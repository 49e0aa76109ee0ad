import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestRepository } from "./repository.ts";

export type StateRow = Readonly<Record<string, unknown>>;

/** Rows of a repository's state database, read as another program would; none while there is no database. */
export function stateRows(repo: TestRepository, sql: string): readonly StateRow[] {
	const file = join(repo.root, ".sparring", "sparring.db");
	if (!existsSync(file)) return [];
	const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
	try {
		// A kill before the schema was written leaves no tables.
		if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'runs'").get() === undefined)
			return [];
		return db.prepare(sql).all();
	} finally {
		db.close();
	}
}

/** What SQLite says of the whole file: `ok`, or what is wrong. */
export function integrityOf(repo: TestRepository): string {
	const file = join(repo.root, ".sparring", "sparring.db");
	if (!existsSync(file)) return "ok";
	const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
	try {
		return db
			.prepare("PRAGMA integrity_check")
			.all()
			.map((row) => String(row["integrity_check"]))
			.join("; ");
	} finally {
		db.close();
	}
}

/** Ids of the repository's runs, oldest first. */
export function runIds(repo: TestRepository): readonly string[] {
	return stateRows(repo, "SELECT run_id FROM runs ORDER BY seq").map((row) =>
		String(row["run_id"]),
	);
}
