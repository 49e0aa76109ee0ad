import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { postgresLeases } from "../../../src/store/postgres/leases.ts";
import { postgresRunner } from "../../../src/store/postgres/records.ts";
import { checkpointer } from "../../../src/store/queries/checkpointer.ts";
import { offerGlobals, STORES_WHOLE } from "../../support/conformance.ts";
import { testStore } from "../support/store.ts";

offerGlobals();

const cleanups = new Map<BaseCheckpointSaver, () => Promise<void>>();

const initializer = {
	checkpointerName: STORES_WHOLE,
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
