import { requireOwn, requireWhole } from "../../../src/store/own-writes.ts";
import { assertFence } from "../../../src/store/postgres/fence.ts";
import type { Postgres } from "../../../src/store/postgres/postgres.ts";
import type { Records } from "../../../src/store/records.ts";

/** As much of `Records` as leases are tested with: the status of runs, each write behind its fence. */
export async function standInRecords(postgres: Postgres): Promise<Records> {
	await postgres.query(
		"CREATE TABLE IF NOT EXISTS stand_in_runs (run_id text PRIMARY KEY, status text NOT NULL)",
	);
	const records: Pick<Records, "commit" | "createRun" | "run"> = {
		createRun: async (run, tasks, fence, writes = []) => {
			requireWhole(fence, [run.runId, ...tasks.map((task) => task.runId)]);
			await postgres.transaction(async (client) => {
				await assertFence(client, fence);
				const values = [run.runId, run.status];
				await client.query("INSERT INTO stand_in_runs VALUES ($1, $2)", values);
			});
			return await records.commit(fence, writes);
		},
		commit: async (fence, writes) => {
			for (const write of writes) requireOwn(fence, write);
			await postgres.transaction(async (client) => {
				await assertFence(client, fence);
				for (const write of writes) {
					if (write.kind !== "run" || write.patch.status === undefined) continue;
					const sql = "UPDATE stand_in_runs SET status = $2 WHERE run_id = $1";
					await client.query(sql, [write.runId, write.patch.status]);
				}
			});
			return [];
		},
		run: async (runId) => {
			const sql = "SELECT status FROM stand_in_runs WHERE run_id = $1";
			const { rows } = await postgres.query(sql, [runId]);
			// True as far as those read it who use this: the status alone.
			return rows[0] as Awaited<ReturnType<Records["run"]>>;
		},
	};
	// True as far as the tests of leases call it.
	return records as Records;
}
