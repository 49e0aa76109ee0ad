import type { BaseCheckpointSaver } from "@langchain/langgraph";
import type { Repository } from "../git/repository.ts";
import type { Blobs } from "../kernel/blobs.ts";
import type { Jobs } from "../schedule/jobs.ts";
import type { Fence, Leases, Records } from "../store/records.ts";
import type { SharedCalls } from "../store/shared-calls.ts";
import type { Workers } from "../store/workers.ts";

export interface Store extends AsyncDisposable {
	readonly records: Records;
	readonly leases: Leases;
	readonly blobs: Blobs;
	/**
	 * The same store for whoever holds a lease: on several machines its files are written under that fence, as records are.
	 * On one machine it is this store.
	 */
	fenced(fence: Fence): Store;
	/** Loads LangGraph; only those who run tasks call it. */
	checkpointer(fence: Fence): Promise<BaseCheckpointSaver>;
	/** Null where one process holds a run. */
	readonly machines: Machines | null;
	/** @throws Fault `state-lost` when the database was deleted or replaced since it was opened */
	requireFile(): void;
	close(): Promise<void>;
}

export interface Machines {
	/**
	 * Makes the store that of this repository, before its first run or worker, and makes sure that jobs can be sent; one
	 * schema serves one repository.
	 *
	 * @throws Fault `usage` where it is another one's, `store-outdated` where it lacks the tables of the jobs
	 */
	claim(repository: Repository): Promise<void>;
	readonly workers: Workers;
	calls(runId: string): SharedCalls;
	/** Jobs to be taken, for the process that works: it looks after those whose worker died as well. */
	ownJobs(onError: (error: Error) => void): Promise<Jobs>;
}
