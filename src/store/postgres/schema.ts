import { recordTables } from "../queries/tables.ts";

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
