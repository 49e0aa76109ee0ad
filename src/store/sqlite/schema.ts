import type { SQLOutputValue } from "node:sqlite";
import { checkpointTables } from "../queries/checkpoints.ts";
import { leases } from "../queries/leases.ts";
import { recordTables } from "../queries/tables.ts";

// Made where a database is, and not whenever one is opened.
const tables = (): string => `${recordTables("sqlite")}
CREATE INDEX findings_by_issue ON findings (run_id, task_id, issue_key);

${leases.ddl("sqlite")}
${checkpointTables("sqlite")}
`;

const VERSION = 2;

// "SPAR" in ASCII. The programs of before the first release set none.
const APPLICATION = 0x53504152;

interface Connection {
	get(sql: string): Readonly<Record<string, SQLOutputValue>> | undefined;
	exec(sql: string): void;
	immediate<T>(work: () => T): T;
}

const KIND = `SELECT application_id AS application, user_version AS version,
		EXISTS (SELECT 1 FROM sqlite_schema) AS used
	FROM pragma_application_id, pragma_user_version`;

export function schemaKind(db: Pick<Connection, "get">): "empty" | "current" | "newer" | "other" {
	const found = db.get(KIND);
	const application = Number(found?.["application"]);
	const version = Number(found?.["version"]);
	if (application === APPLICATION && version >= VERSION)
		return version === VERSION ? "current" : "newer";
	const isUsed = Number(found?.["used"]) === 1;
	return application === 0 && version === 0 && !isUsed ? "empty" : "other";
}

// Of several processes that open at once the first makes the tables: the file is looked at again inside the
// transaction.
export function createSchema(db: Connection): void {
	db.immediate(() => {
		if (schemaKind(db) !== "empty") return;
		db.exec(`${tables()}PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${VERSION};`);
	});
}
