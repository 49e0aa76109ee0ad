import { jobsStoreOf } from "../../../src/places/postgres-store.ts";
import { bossJobs } from "../../../src/schedule/pg-boss/boss-jobs.ts";
import { connectPostgres } from "../../../src/store/postgres/postgres.ts";

/** Sends the job of a task, whoever works on it. */
export async function sendJob(store: string, runId: string, taskId: string): Promise<void> {
	const postgres = await connectPostgres(store);
	const jobs = await bossJobs(jobsStoreOf(postgres));
	await jobs.send({ queue: { kind: "task", tags: [] }, runId, taskId });
	await jobs.close();
	await postgres.close();
}
