import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { postgresCheckpointer } from "../../../src/store/postgres/checkpointer.ts";
import { postgresLeases } from "../../../src/store/postgres/leases.ts";
import { testStore } from "../support/store.ts";

// The suite calls these as globals.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });

const cleanups = new Map<BaseCheckpointSaver, () => Promise<void>>();

const initializer = {
	checkpointerName: "postgresCheckpointer",
	createCheckpointer: async (): Promise<BaseCheckpointSaver> => {
		const { postgres, remove } = await testStore();
		const lease = await postgresLeases(postgres).take("conformance");
		const saver = postgresCheckpointer(postgres, lease, { keep: "all" });
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
