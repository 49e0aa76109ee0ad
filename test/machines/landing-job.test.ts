import { afterEach, beforeEach, expect, test } from "vitest";
import { jobsStoreOf } from "../../src/app/machines/postgres-store.ts";
import type { Jobs } from "../../src/schedule/jobs.ts";
import { bossJobs, migrateJobs } from "../../src/schedule/pg-boss/boss-jobs.ts";
import { postgresLeases } from "../../src/store/postgres/leases.ts";
import { postgresRecords } from "../../src/store/postgres/records.ts";
import { RUN, run, TASK, task } from "../../src/store/record-builders.contract.ts";
import type { Lease, Records, Write } from "../../src/store/records.ts";
import { type TestStore, testStore } from "./support/store.ts";

const DUE: Write = { kind: "landing-due", runId: RUN };
const LAND = { kind: "land" } as const;

let store: TestStore;
let jobs: Jobs;
let records: Records;
let lease: Lease;

beforeEach(async () => {
	store = await testStore();
	const jobsStore = jobsStoreOf(store.postgres);
	await migrateJobs(jobsStore);
	jobs = await bossJobs(jobsStore, { supervises: false, onError: () => undefined });
	records = postgresRecords(store.postgres, {
		announce: (execute, runId, job) =>
			jobs.announce(async (sql, values = []) => ({ rows: await execute(sql, values) }), runId, job),
	});
	lease = await postgresLeases(store.postgres).take(RUN);
	await records.createRun(run(), [task()], lease);
});

afterEach(async () => {
	await lease.release();
	await jobs.close();
	await store.remove();
});

test("a run that is to land has one job, which is done once, however often it is said", async () => {
	await records.commit(lease, [DUE]);
	await records.commit(lease, [DUE]);
	const [job, ...others] = await jobs.take(LAND, 5);
	expect(others).toEqual([]);
	expect(job).toMatchObject({ queue: LAND, runId: RUN, taskId: null, retries: 0 });
	await records.commit(lease, [DUE]);
	expect(await jobs.take(LAND, 5)).toEqual([]);
	if (job !== undefined) await jobs.done(job);
	expect(await jobs.take(LAND, 5)).toEqual([]);
});

test("a transaction that is undone sends no landing, and one without says nothing of it", async () => {
	const impossible = { kind: "task", runId: RUN, taskId: "none", patch: { turns: 1 } } as const;
	await expect(records.commit(lease, [DUE, impossible])).rejects.toThrow("is not stored");
	await records.commit(lease, [
		{ kind: "task", runId: RUN, taskId: TASK, patch: { status: "running" } },
		{ kind: "run", runId: RUN, patch: { status: "completed" } },
	]);
	expect(await jobs.take(LAND, 5)).toEqual([]);
});

test("a landing that is given back is taken again, with its tries counted", async () => {
	await records.commit(lease, [DUE]);
	const [job] = await jobs.take(LAND, 1);
	if (job !== undefined) await jobs.giveBack(job, "the remote is away");
	// It waits for a second; the database says when that is over.
	const sql = `UPDATE ${store.postgres.schema}_jobs.job SET start_after = now() WHERE name = 'spar.land'`;
	await store.postgres.query(sql);
	expect(await jobs.take(LAND, 1)).toMatchObject([{ runId: RUN, retries: 1 }]);
});
