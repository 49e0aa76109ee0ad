import type { BaseCheckpointSaver, SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { loadPackage } from "./load-package.ts";
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

/** @throws Fault `program-missing` with the command that installs the package */
export async function loadSaver(): Promise<SaverClass> {
	const { PostgresSaver } = await loadPackage(
		["@langchain/langgraph-checkpoint-postgres"],
		() => import("@langchain/langgraph-checkpoint-postgres"),
	);
	// True because of the pool it calls `connect` and `query`, and of what these give `query`, `release` and `rows`.
	return PostgresSaver as unknown as SaverClass;
}
