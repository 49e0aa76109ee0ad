import type { BaseCheckpointSaver } from "@langchain/langgraph";
import type { Blobs } from "../kernel/blobs.ts";
import type { Fence, Leases, Records } from "../store/records.ts";
import type { Machines } from "./machines/machines.ts";

export interface Store {
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
	/** What several machines share; null where one process holds a run. */
	readonly machines: Machines | null;
	/** @throws Fault `state-lost` when the database was deleted or replaced since it was opened */
	requireFile(): void;
	close(): Promise<void>;
}
