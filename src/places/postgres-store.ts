import type { Repository } from "../git/repository.ts";
import { hasRootOf, rootCommits } from "../git/root-commits.ts";
import { Fault } from "../kernel/fault.ts";
import type { Execute, Jobs } from "../schedule/jobs.ts";
import { bossJobs, type JobsStore, requireJobsTables } from "../schedule/pg-boss/boss-jobs.ts";
import { jobsSchemaOf } from "../store/postgres/address.ts";
import { postgresBlobs } from "../store/postgres/blobs.ts";
import { postgresLeases } from "../store/postgres/leases.ts";
import { requireSchema } from "../store/postgres/migrate.ts";
import { connectPostgres, type Postgres, type PostgresClient } from "../store/postgres/postgres.ts";
import { postgresRecords, postgresRunner } from "../store/postgres/records.ts";
import { storedRoots, storeRoots } from "../store/postgres/roots.ts";
import { postgresCalls } from "../store/postgres/shared-calls.ts";
import { postgresWorkers } from "../store/postgres/workers.ts";
import type { Store } from "./opened-store.ts";
import type { Places } from "./places.ts";
import { portableRecords } from "./portable-records.ts";

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
 * @throws Fault `store-unreachable`, `store-refused`, `store-outdated`, `state-too-new`; `usage` for
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
	const close = async (): Promise<void> => {
		for (const each of opened.splice(0))
			await each.then((one) => one.close()).catch(() => undefined);
		await postgres.close();
	};
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
			ownJobs: (onError) => bossJobs(jobsStore, { supervises: true, onError }),
		},
		checkpointer: async (fence) => {
			const { checkpointer } = await import("../store/queries/checkpointer.ts");
			return checkpointer(postgresRunner(postgres), fence);
		},
		requireFile: () => undefined,
		close,
		[Symbol.asyncDispose]: close,
	};
	return store;
}

/** Checks that all tables are those of this version. @throws Fault `store-outdated`, `state-too-new`, `store-refused` */
export async function requireTables(postgres: Postgres): Promise<void> {
	await requireSchema(postgres);
	await requireJobsTables(jobsStoreOf(postgres));
}

/**
 * Refuses a store that has the runs of another repository: their commits are not here, and whoever answers or cancels them
 * takes them for this repository's. A shallow clone cannot tell, and is let in. Without runs the store is anybody's, and
 * git is not asked.
 *
 * @throws Fault `usage`
 */
export async function requireOwnStore(
	postgres: Postgres,
	{ root, host }: Pick<Places, "root" | "host">,
): Promise<void> {
	const roots = await storedRoots(postgres);
	if (roots === null || (await hasRootOf({ root, host }, roots)) !== false) return;
	throw ofAnother(postgres, root, roots);
}

/**
 * Makes a store that has no repository yet that of this one; a shallow clone leaves it as it is. Reads the whole history: a
 * repository that only fetched the commits of another one can look at its runs, but begins none.
 *
 * @throws Fault `usage` where it has another one, which may have come first just now
 */
export async function claimStore(
	postgres: Postgres,
	places: Pick<Places, "root" | "host">,
	repository: Repository,
): Promise<void> {
	const own = await rootCommits(repository);
	if (own === null) return await requireOwnStore(postgres, places);
	if ((await storedRoots(postgres)) === null) await storeRoots(postgres, own);
	const roots = (await storedRoots(postgres)) ?? own;
	if (!roots.some((id) => own.includes(id))) throw ofAnother(postgres, places.root, roots);
}

function ofAnother(
	{ schema, shown }: Pick<Postgres, "schema" | "shown">,
	root: string,
	[first = ""]: readonly string[],
): Fault {
	return new Fault(
		`the schema ${schema} of the store ${shown} has the runs of another repository than ${root}: its first commit is ${first.slice(0, 12)}`,
		{
			code: "usage",
			hint: "Give each repository a schema: add `?schema=NAME` to the store's address, then run `spar store migrate`.",
		},
	);
}
