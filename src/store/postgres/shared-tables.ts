import { leases } from "../queries/leases.ts";

/**
 * Tables that are no records: the repository, who holds what, the files of runs, the workers, the calls of their agents. Times are the database's own.
 * Calls under way count while their process says so; starts of calls are kept for a minute.
 *
 * A chunk of a file begins at byte `at`; the chunks of a file leave no gap. Keys are compared byte by byte, so that
 * those below a folder are one range of the index.
 */
export const SHARED_TABLES = `
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
