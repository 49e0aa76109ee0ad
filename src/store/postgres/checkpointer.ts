import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { type CheckpointerOptions, checkpointer } from "../queries/checkpointer.ts";
import type { Fence } from "../records.ts";
import type { Postgres } from "./postgres.ts";
import { postgresRunner } from "./records.ts";

/** Checkpoints in Postgres, see `checkpointer`. */
export function postgresCheckpointer(
	postgres: Postgres,
	fence: Fence | null,
	options?: CheckpointerOptions,
): BaseCheckpointSaver {
	return checkpointer(postgresRunner(postgres), fence, options);
}
