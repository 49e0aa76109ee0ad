import type { LiveWorker, Workers } from "../workers.ts";
import type { Postgres } from "./postgres.ts";

const GONE_AFTER_SECONDS = 30;

const FORGOTTEN_AFTER_SECONDS = 86_400;

const LIVES = "seen_at >= clock_timestamp() - make_interval(secs => $1)";

export function postgresWorkers(postgres: Postgres): Workers {
	return {
		beat: async ({ id, host, tags, slots, busy, lacks, draining }) => {
			const { rows } = await postgres.query(
				`INSERT INTO workers (id, host, tags, slots, busy, lacks, draining, seen_at)
				VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())
				ON CONFLICT (id) DO UPDATE
				SET host = $2, tags = $3, slots = $4, busy = $5, lacks = $6,
					draining = workers.draining OR $7, seen_at = clock_timestamp()
				RETURNING draining`,
				[id, host, [...tags], slots, busy, JSON.stringify(lacks), draining],
			);
			await postgres.query(
				"DELETE FROM workers WHERE seen_at < clock_timestamp() - make_interval(secs => $1)",
				[FORGOTTEN_AFTER_SECONDS],
			);
			return { draining: rows[0]?.["draining"] === true };
		},
		drain: async (which) => {
			const { rows } = await postgres.query(
				`UPDATE workers SET draining = true WHERE ${LIVES}
				AND ($2::text IS NULL OR id = $2 OR host = $2) RETURNING id`,
				[GONE_AFTER_SECONDS, which],
			);
			return rows.map((row) => String(row["id"])).sort();
		},
		leave: async (id) => {
			await postgres.query("DELETE FROM workers WHERE id = $1", [id]);
		},
		live: async () => {
			const { rows } = await postgres.query(
				`SELECT id, host, tags, slots, busy, lacks, draining,
					to_char(seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt"
				FROM workers WHERE ${LIVES} ORDER BY id`,
				[GONE_AFTER_SECONDS],
			);
			// True because these are its fields; the driver reads an array of texts as one, and JSON as what it says.
			return rows as readonly unknown[] as readonly LiveWorker[];
		},
		now: async () => {
			const sql = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now";
			const { rows } = await postgres.query(sql);
			return Number(rows[0]?.["now"]);
		},
	};
}
