import type { LiveWorker, Workers } from "../workers.ts";
import type { Postgres, Row } from "./postgres.ts";

/** A worker that was not heard of for so long counts as gone, in seconds: six missed beats. */
const GONE_AFTER_SECONDS = 30;

/** A row is forgotten by whoever beats, after so many seconds. */
const FORGOTTEN_AFTER_SECONDS = 86_400;

function workerOf(row: Row): LiveWorker {
	return {
		id: String(row["id"]),
		host: String(row["host"]),
		// An array of texts, which the driver reads as one.
		tags: row["tags"] as string[],
		slots: Number(row["slots"]),
		busy: Number(row["busy"]),
		seenAt: String(row["seen_at"]),
	};
}

/** Who works, as the database's clock tells it; see `Workers`. */
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
					to_char(seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS seen_at
				FROM workers WHERE seen_at >= clock_timestamp() - make_interval(secs => $1) ORDER BY id`,
				[GONE_AFTER_SECONDS],
			);
			return rows.map(workerOf);
		},
		now: async () => {
			const sql = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now";
			const { rows } = await postgres.query(sql);
			return Number(rows[0]?.["now"]);
		},
	};
}
