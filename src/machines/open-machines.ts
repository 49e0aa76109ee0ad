import { openRepository } from "../git/repository.ts";
import { Fault } from "../kernel/fault.ts";
import { findRun } from "../places/find-run.ts";
import { gitHost, type Places, placesOf } from "../places/places.ts";
import { openStore, type Store } from "../places/store.ts";
import { usableStore } from "../places/store-address.ts";
import { standingOf } from "../schedule/standing.ts";
import type { LiveWorker } from "../store/workers.ts";
import type { WorkOptions } from "./worker.ts";

/** Doors to what several machines share in a store; see `SPAR_STORE`. */
export interface OnMachines {
	/**
	 * Workers that live, by name, and by run the tasks that only its `max_parallel` keeps from them.
	 *
	 * @throws Fault `usage` where the store is that of one machine
	 */
	workers(): Promise<{
		readonly workers: readonly LiveWorker[];
		readonly heldBack: readonly { readonly runId: string; readonly tasks: readonly string[] }[];
	}>;
	/**
	 * Asks workers to finish what they work on, and to end: one by its id, those of a host, or with null all.
	 *
	 * @returns their ids
	 * @throws Fault `usage` likewise
	 */
	drain(which: string | null): Promise<readonly string[]>;
	/**
	 * Takes tasks of any run until the signal aborts, or until it was drained.
	 *
	 * @throws Fault `usage` likewise; `run-held` where another process works in this clone; `store-outdated`
	 */
	work(options: WorkOptions): Promise<void>;
	/** Makes the tables of the store, or brings them up to date. @throws Fault `usage` likewise; `state-too-new` */
	migrateStore(): Promise<{ readonly changed: boolean }>;
}

/** Opens what the machines of a repository share. Each call connects and closes by itself. */
export async function openMachines(options: {
	readonly directory: string;
	readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<OnMachines> {
	const { directory, env } = options;
	const { root } = await openRepository(directory, gitHost(env));
	const places = placesOf(root, env);
	return {
		workers: () =>
			withMachines(places, async ({ records, machines }) => {
				const heldBack = [];
				for (const { runId } of await records.activeRuns()) {
					const { workflow } = await findRun(records, runId);
					const { heldBack: tasks } = await standingOf(records, runId, workflow);
					if (tasks.length > 0) heldBack.push({ runId, tasks: tasks.map(({ taskId }) => taskId) });
				}
				return { workers: (await machines?.workers.live()) ?? [], heldBack };
			}),
		drain: (which) =>
			withMachines(places, async (store) => (await store.machines?.workers.drain(which)) ?? []),
		work: (options) =>
			withMachines(places, async (store) => {
				const { workAt } = await import("./work-here.ts");
				await workAt({ store, places, env }, options);
			}),
		migrateStore: async () => {
			const address = requireAddress(places);
			const { migrate } = await import("../store/postgres/migrate.ts");
			const { migrateJobs } = await import("../schedule/pg-boss/boss-jobs.ts");
			const { jobsStoreOf } = await import("../places/postgres-store.ts");
			return await migrate(address, (postgres) => migrateJobs(jobsStoreOf(postgres)));
		},
	};
}

function requireAddress(places: Places): string {
	const address = usableStore(places);
	if (address !== null) return address;
	throw new Fault("several machines need a store that they share, and none is named", {
		code: "usage",
		hint: "Set SPAR_STORE to the address of a Postgres, such as postgres://user@host/database.",
	});
}

async function withMachines<T>(places: Places, work: (store: Store) => Promise<T>): Promise<T> {
	requireAddress(places);
	await using store = await openStore(places);
	return await work(store);
}
