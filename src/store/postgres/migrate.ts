import { Fault } from "../../kernel/fault.ts";
import { checkpointTables } from "../queries/checkpoints.ts";
import { leases } from "../queries/leases.ts";
import { recordTables } from "../queries/tables.ts";
import { jobsSchemaOf } from "./address.ts";
import { connectPostgres, type Postgres, type PostgresClient } from "./postgres.ts";

const BEATING =
	"runs tasks steps calls turns evidence findings items pair_sessions scores conflicts conflict_subjects run_spending task_spending";

/**
 * An event gets its id, and the pulse beats, at the very end of the transaction: the row of `feed` is locked from there
 * to the commit, within the server, so that a process that stops holds nobody up. Ids are therefore in the order of the
 * commits and without gaps, and whoever has seen one has seen all before it.
 */
const FEED = `
CREATE TABLE feed (
	singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
	last_event bigint NOT NULL,
	beat bigint NOT NULL,
	writer xid8
) WITH (fillfactor = 10);
INSERT INTO feed (last_event, beat) VALUES (0, 0);

CREATE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	number bigint;
BEGIN
	UPDATE feed SET last_event = last_event + 1 RETURNING last_event INTO number;
	UPDATE events SET id = number WHERE seq = NEW.seq;
	RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER events_are_numbered AFTER INSERT ON events
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION number_event();

CREATE FUNCTION beat() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	UPDATE feed SET beat = beat + 1, writer = pg_current_xact_id()
		WHERE writer IS DISTINCT FROM pg_current_xact_id();
	RETURN NULL;
END $$;
${BEATING.split(" ")
	.map(
		(table) => `CREATE CONSTRAINT TRIGGER ${table}_beat AFTER INSERT OR UPDATE ON ${table}
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION beat();`,
	)
	.join("\n")}
`;

/** The tables of the records. Long texts are in no index: its entries have at most 2,700 bytes. */
export const RECORD_TABLES = `${recordTables("postgres")}
${FEED}`;

/**
 * Tables that are no records: the repository, who holds what, the files of runs, the workers, the calls of their agents. Times are the database's own.
 * Calls under way count while their process says so; starts of calls are kept for a minute.
 *
 * A chunk of a file begins at byte `at`; the chunks of a file leave no gap. Keys are compared byte by byte, so that
 * those below a folder are one range of the index.
 */
const SHARED_TABLES = `
-- Whose runs these are: the first commits of its history.
CREATE TABLE repository (
	roots text[] NOT NULL,
	singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton)
);

${leases.ddl("postgres")}

CREATE TABLE blobs (
	key text COLLATE "C" PRIMARY KEY,
	bytes bigint NOT NULL,
	changed_at timestamptz NOT NULL
);

CREATE TABLE blob_chunks (
	key text COLLATE "C" NOT NULL REFERENCES blobs (key) ON DELETE CASCADE,
	at bigint NOT NULL,
	body bytea NOT NULL,
	PRIMARY KEY (key, at)
);

CREATE TABLE workers (
	id text PRIMARY KEY,
	host text NOT NULL,
	tags text[] NOT NULL,
	slots integer NOT NULL,
	busy integer NOT NULL,
	lacks jsonb NOT NULL,
	draining boolean NOT NULL,
	seen_at timestamptz NOT NULL
);

CREATE TABLE calls_under_way (
	id uuid PRIMARY KEY,
	run_id text NOT NULL,
	task_id text NOT NULL,
	agent text,
	kind text NOT NULL,
	usd double precision,
	beat timestamptz NOT NULL
);
CREATE INDEX calls_under_way_of_run ON calls_under_way (run_id);

CREATE TABLE call_starts (
	run_id text NOT NULL,
	agent text NOT NULL,
	at timestamptz NOT NULL
);
CREATE INDEX call_starts_of_agent ON call_starts (run_id, agent, at);
`;

const SCHEMA_VERSION = 4;

// Long enough for tables with much in them, and for another one that migrates at the same time.
const LIMITS = { statementMs: 600_000, answerMs: 610_000, idleMs: 610_000 };

async function schemaVersion(client: PostgresClient): Promise<number | undefined> {
	const { rows } = await client.query("SELECT to_regclass('schema_version') IS NOT NULL AS stands");
	if (rows[0]?.["stands"] !== true) return undefined;
	const found = await client.query("SELECT version FROM schema_version");
	return Number(found.rows[0]?.["version"]);
}

const tooNew = (shown: string): Fault =>
	new Fault(`the store ${shown} was written by a newer Sparring`, {
		code: "state-too-new",
		hint: "Use the newer Sparring that wrote it, on all machines; nothing was changed.",
	});

/**
 * Checks that the store has the tables of this version; called by whoever opens it.
 *
 * @throws Fault `store-outdated` when it has none or older ones, `state-too-new` when it has newer ones,
 * `store-refused` when its user may not use the schema
 */
export async function requireSchema(postgres: Postgres): Promise<void> {
	const version = await schemaVersion(postgres);
	if (version === SCHEMA_VERSION) return;
	if (version !== undefined && version > SCHEMA_VERSION) throw tooNew(postgres.shown);
	if (version === undefined) await requireUse(postgres);
	throw outdated(postgres, version);
}

/** Nothing is made of the tables of versions from before the first release. */
function outdated({ shown, schema }: Postgres, version: number | undefined): Fault {
	const isOlder = version !== undefined;
	const what = isOlder ? "tables of an older Sparring" : "no tables of Sparring";
	const migrate = "run `spar store migrate` once, on any machine.";
	const hint = isOlder
		? `Add \`?schema=NAME\` to the store's address, or drop the schemas ${schema} and ${jobsSchemaOf(schema)}; then ${migrate}`
		: `R${migrate.slice(1)}`;
	const message = `the store ${shown} has ${what} in the schema ${schema}`;
	return new Fault(message, { code: "store-outdated", hint });
}

// To a user without a right to the schema its tables seem not to be there.
async function requireUse(postgres: Postgres): Promise<void> {
	const { rows } = await postgres.query(
		"SELECT has_schema_privilege(oid, 'USAGE') AS may FROM pg_namespace WHERE nspname = $1",
		[postgres.schema],
	);
	if (rows[0]?.["may"] !== false) return;
	throw new Fault(
		`the store ${postgres.shown} does not let its user use the schema ${postgres.schema}`,
		{
			code: "store-refused",
			hint: `Grant it: GRANT USAGE ON SCHEMA ${postgres.schema} TO that user, and the rights to its tables.`,
		},
	);
}

async function createTables(client: PostgresClient): Promise<void> {
	await client.query(RECORD_TABLES + checkpointTables("postgres") + SHARED_TABLES);
	await client.query(
		`CREATE TABLE schema_version (
			version integer NOT NULL,
			singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton)
		)`,
	);
	await client.query("INSERT INTO schema_version (version) VALUES ($1)", [SCHEMA_VERSION]);
}

/**
 * Makes the schema and its tables where they are missing. Idempotent, and harmless when several do it at once: a lock
 * of the database lets one pass after the other.
 *
 * @param address as for `connectPostgres`; its user needs the right to make a schema
 * @param alsoMake makes what the store has besides, likewise idempotent, and returns whether anything had to be made
 * @returns whether anything had to be made
 * @throws Fault `state-too-new` where a newer Sparring did it, `store-outdated` where an older one did, and those of `connectPostgres`
 */
export async function migrate(
	address: string,
	alsoMake: (postgres: Postgres) => Promise<boolean> = async () => false,
): Promise<{ readonly changed: boolean }> {
	const postgres = await connectPostgres(address, LIMITS);
	try {
		return await postgres.transaction(async (lock) => {
			const key = `sparring ${postgres.schema}`;
			await lock.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [key]);
			const version = await schemaVersion(lock);
			if (version !== undefined && version > SCHEMA_VERSION) throw tooNew(postgres.shown);
			if (version !== undefined && version < SCHEMA_VERSION) throw outdated(postgres, version);
			// On connections of its own. It comes first, so that whoever finds a version finds all tables.
			const changed = await alsoMake(postgres);
			if (version !== undefined) return { changed };
			await lock.query(`CREATE SCHEMA IF NOT EXISTS ${postgres.schema}`);
			await createTables(lock);
			return { changed: true };
		});
	} finally {
		await postgres.close();
	}
}
