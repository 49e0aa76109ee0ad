import { jobsStoreOf } from "../../../src/places/postgres-store.ts";
import { jobsContract } from "../../../src/schedule/jobs.contract.ts";
import { bossJobs, migrateJobs } from "../../../src/schedule/pg-boss/boss-jobs.ts";
import { testStore } from "../support/store.ts";

jobsContract("pg-boss", async () => {
	const { postgres, remove } = await testStore();
	const store = jobsStoreOf(postgres);
	await migrateJobs(store);
	const jobs = await bossJobs(store, { supervises: true, onError: () => undefined });
	return {
		jobs,
		transaction: (work) => store.transaction(work),
		pass: async (seconds) => {
			const past = `- make_interval(secs => ${seconds})`;
			await postgres.query(
				`UPDATE ${store.schema}.job SET created_on = created_on ${past},
				start_after = start_after ${past}, heartbeat_on = heartbeat_on ${past}`,
			);
		},
		close: async () => {
			await jobs.close();
			await remove();
		},
	};
});
