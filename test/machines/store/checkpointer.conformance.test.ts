import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { postgresLeases } from "../../../src/store/postgres/leases.ts";
import { postgresRunner } from "../../../src/store/postgres/records.ts";
import { checkpointer } from "../../../src/store/queries/checkpointer.ts";
import { testStore } from "../support/store.ts";

// The suite calls these as globals.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });

const cleanups = new Map<BaseCheckpointSaver, () => Promise<void>>();

const initializer = {
	// Under this name the suite spares a saver, as LangGraph's own, that stores checkpoints whole the test of channel deltas.
	checkpointerName: "@langchain/langgraph-checkpoint-sqlite",
	createCheckpointer: async (): Promise<BaseCheckpointSaver> => {
		const { postgres, remove } = await testStore();
		const lease = await postgresLeases(postgres).take("conformance");
		const saver = checkpointer(postgresRunner(postgres), lease, { keep: "all" });
		cleanups.set(saver, async () => {
			await lease.release();
			await remove();
		});
		return saver;
	},
	destroyCheckpointer: async (saver: BaseCheckpointSaver): Promise<void> => {
		await cleanups.get(saver)?.();
		cleanups.delete(saver);
	},
};

validate(initializer);
deltaChannelHistoryTests(initializer);
