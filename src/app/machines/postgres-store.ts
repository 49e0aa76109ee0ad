import type { Execute, Jobs } from "../../schedule/jobs.ts";
import { bossJobs, type JobsStore } from "../../schedule/pg-boss/boss-jobs.ts";
import { jobsSchemaOf } from "../../store/postgres/address.ts";
import { postgresBlobs } from "../../store/postgres/blobs.ts";
import { postgresLeases } from "../../store/postgres/leases.ts";
import { requireSchema } from "../../store/postgres/migrate.ts";
import {
	connectPostgres,
	type Postgres,
	type PostgresClient,
} from "../../store/postgres/postgres.ts";
import { postgresRecords, postgresRunner } from "../../store/postgres/records.ts";
import { postgresCalls } from "../../store/postgres/shared-calls.ts";
import { postgresWorkers } from "../../store/postgres/workers.ts";
import type { Store } from "../opened-store.ts";
import type { Places } from "../places.ts";
import { portableRecords } from "../portable-records.ts";
import { claimStore, requireOwnStore } from "./own-store.ts";

const executeOn =
	(client: PostgresClient): Execute =>
	(sql, values) =>
		client.query(sql, values);

export function jobsStoreOf(postgres: Postgres): JobsStore {
	return {
		execute: executeOn(postgres),
		transaction: (work) => postgres.transaction((client) => work(executeOn(client))),
		schema: jobsSchemaOf(postgres.schema),
	};
}

/**
 * Opens the store that several machines share.
 *
 * @throws Fault `store-unreachable`, `store-refused`, `store-outdated`, `state-too-new`, `program-missing`; `usage` for
 * a store with the runs of another repository
 */
export async function openPostgresStore(places: Places, address: string): Promise<Store> {
	const postgres = await connectPostgres(address);
	try {
		await requireSchema(postgres);
		await requireOwnStore(postgres, places);
	} catch (error) {
		await postgres.close();
		throw error;
	}
	const jobsStore = jobsStoreOf(postgres);
	const opened: Promise<Jobs>[] = [];
	let sending: Promise<Jobs> | undefined;
	const jobs = (): Promise<Jobs> => {
		if (sending === undefined) {
			sending = bossJobs(jobsStore, { supervises: false, onError: () => undefined });
			opened.push(sending);
			// The next one tries again.
			sending.catch(() => {
				sending = undefined;
			});
		}
		return sending;
	};
	const records = postgresRecords(postgres, {
		announce: async (client, runId) => (await jobs()).announce(executeOn(client), runId),
	});
	const store: Store = {
		fenced: (fence) => ({ ...store, blobs: postgresBlobs(postgres, fence) }),
		records: portableRecords(records, places),
		leases: postgresLeases(postgres),
		blobs: postgresBlobs(postgres),
		machines: {
			claim: async (repository) => {
				await claimStore(postgres, places, repository);
				await jobs();
			},
			workers: postgresWorkers(postgres),
			calls: postgresCalls(postgres),
			jobs,
			ownJobs: (onError) => bossJobs(jobsStore, { supervises: true, onError }),
		},
		checkpointer: async (fence) => {
			const { checkpointer } = await import("../../store/queries/checkpointer.ts");
			return checkpointer(postgresRunner(postgres), fence);
		},
		requireFile: () => undefined,
		close: async () => {
			for (const each of opened.splice(0))
				await each.then((one) => one.close()).catch(() => undefined);
			await postgres.close();
		},
	};
	return store;
}
