import { openRepository } from "../../git/repository.ts";
import { Fault } from "../../kernel/fault.ts";
import type { TakenJob } from "../../schedule/jobs.ts";
import type { LiveWorker } from "../../store/workers.ts";
import { gitHost } from "../git-host.ts";
import { type Places, placesOf } from "../places.ts";
import type { Supervision } from "../sparring.ts";
import { openStore, type Store } from "../store.ts";
import { usableStore } from "../store-address.ts";

/** What a worker is started with. */
export interface WorkOptions extends Pick<Supervision, "onEvent"> {
	/** What this machine has; tasks whose agents need something else are left to others. */
	readonly tags: readonly string[];
	/** How much at once, at least 1. */
	readonly slots: number;
	/** Ends it; what it works on is given back. */
	readonly signal: AbortSignal;
	readonly onNotice: (text: string) => void;
	/** Told when it works. */
	readonly onReady: (worker: Pick<LiveWorker, "id" | "tags" | "slots">) => void;
	/** Told of each task or landing that it takes, and when it is through with it or gives it back. */
	readonly onTask: (told: ToldTask) => void;
}

/** A task or a landing that a worker takes or lets go. */
export interface ToldTask {
	readonly runId: string;
	/** Null for the landing of the run. */
	readonly taskId: string | null;
	readonly kind: "task" | "landing";
	readonly what: "taken" | "done" | "given-back";
}

/** What several machines do together that share a store; see `SPAR_STORE`. */
export interface OnMachines {
	/** Workers that live, by name. @throws Fault `usage` where the store is that of one machine */
	workers(): Promise<readonly LiveWorker[]>;
	/**
	 * Takes tasks of any run until the signal aborts.
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
			withMachines(places, async (store) => (await store.machines?.workers.live()) ?? []),
		work: ({ onTask, ...given }) =>
			withMachines(places, async (store) => {
				const { workAt } = await import("./work-here.ts");
				await workAt(
					{ store, places, env },
					{ ...given, onJob: (job, what) => tellTask(onTask, job, what) },
				);
			}),
		migrateStore: async () => {
			const address = requireAddress(places);
			const { migrate } = await import("../../store/postgres/migrate.ts");
			const { migrateJobs } = await import("../../schedule/pg-boss/boss-jobs.ts");
			const { jobsStoreOf } = await import("./postgres-store.ts");
			return await migrate(address, (postgres) => migrateJobs(jobsStoreOf(postgres)));
		},
	};
}

const KINDS = { task: "task", land: "landing" } as const;

function tellTask(
	onTask: WorkOptions["onTask"],
	{ runId, taskId, queue: { kind } }: TakenJob,
	what: ToldTask["what"],
): void {
	if (kind !== "schedule") onTask({ runId, taskId, kind: KINDS[kind], what });
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
	const store = await openStore(places);
	try {
		return await work(store);
	} finally {
		await store.close();
	}
}
