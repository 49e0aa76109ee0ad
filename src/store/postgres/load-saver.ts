import type { BaseCheckpointSaver, SerializerProtocol } from "@langchain/langgraph-checkpoint";
import type { PostgresClient, PostgresSession } from "./postgres.ts";

/** What LangGraph's checkpointer uses of the driver's pool. */
export interface SaverPool extends PostgresClient {
	connect(): Promise<PostgresSession>;
}

/** LangGraph's checkpointer, on a pool of Sparring's. */
export type SaverClass = new (
	pool: SaverPool,
	serde: SerializerProtocol | undefined,
	options: { readonly schema: string },
) => BaseCheckpointSaver & {
	/** Makes its tables. Not inside a transaction. */
	setup(): Promise<void>;
};

/** LangGraph's checkpointer; its package is there wherever a store is open, see `requirePackages`. */
export async function loadSaver(): Promise<SaverClass> {
	const { PostgresSaver } = await import("@langchain/langgraph-checkpoint-postgres");
	// True because of the pool it calls `connect` and `query`, and of what these give `query`, `release` and `rows`.
	return PostgresSaver as unknown as SaverClass;
}
