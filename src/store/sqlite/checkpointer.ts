import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { type CheckpointerOptions, checkpointer } from "../queries/checkpointer.ts";
import type { Runner } from "../queries/records.ts";
import type { Fence } from "../records.ts";
import type { Database } from "./database.ts";
import { performOn } from "./perform-on.ts";

/** Checkpoints in the state database, see `checkpointer`. */
export function sqliteCheckpointer(
	db: Database,
	fence: Fence | null,
	options?: CheckpointerOptions,
): BaseCheckpointSaver {
	const runner: Pick<Runner, "snapshot" | "change"> = {
		snapshot: async (query) => db.snapshot(() => performOn(db, query)),
		change: async (work) => db.immediate(() => performOn(db, work())),
	};
	return checkpointer(runner, fence, options);
}
