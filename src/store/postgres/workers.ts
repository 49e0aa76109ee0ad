import type { LiveWorker, Workers } from "../workers.ts";
import type { Postgres } from "./postgres.ts";

const GONE_AFTER_SECONDS = 30;

const FORGOTTEN_AFTER_SECONDS = 86_400;

export function postgresWorkers(postgres: Postgres): Workers {
	return {
		beat: async ({ id, host, tags, slots, busy }) => {
			await postgres.query(
				`INSERT INTO workers (id, host, tags, slots, busy, seen_at)
				VALUES ($1, $2, $3, $4, $5, clock_timestamp())
				ON CONFLICT (id) DO UPDATE
				SET host = $2, tags = $3, slots = $4, busy = $5, seen_at = clock_timestamp()`,
				[id, host, [...tags], slots, busy],
			);
			await postgres.query(
				"DELETE FROM workers WHERE seen_at < clock_timestamp() - make_interval(secs => $1)",
				[FORGOTTEN_AFTER_SECONDS],
			);
		},
		leave: async (id) => {
			await postgres.query("DELETE FROM workers WHERE id = $1", [id]);
		},
		live: async () => {
			const { rows } = await postgres.query(
				`SELECT id, host, tags, slots, busy,
					to_char(seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt"
				FROM workers WHERE seen_at >= clock_timestamp() - make_interval(secs => $1) ORDER BY id`,
				[GONE_AFTER_SECONDS],
			);
			// True because these are its fields; the driver reads an array of texts as one.
			return rows as readonly unknown[] as readonly LiveWorker[];
		},
		now: async () => {
			const sql = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now";
			const { rows } = await postgres.query(sql);
			return Number(rows[0]?.["now"]);
		},
	};
}
