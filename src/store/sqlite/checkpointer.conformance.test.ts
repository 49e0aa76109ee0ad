import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { offerGlobals, STORES_WHOLE } from "../../../test/support/conformance.ts";
import { systemClock } from "../../kernel/clock.ts";
import { checkpointer } from "../queries/checkpointer.ts";
import { openDatabase } from "./database.ts";
import { sqliteLeases } from "./leases.ts";
import { sqliteRunner } from "./records.ts";

offerGlobals();

const cleanups = new Map<BaseCheckpointSaver, () => Promise<void>>();

const initializer = {
	checkpointerName: STORES_WHOLE,
	createCheckpointer: async (): Promise<BaseCheckpointSaver> => {
		const db = openDatabase(":memory:");
		const lease = await sqliteLeases(db, { clock: systemClock }).take("conformance");
		const saver = checkpointer(sqliteRunner(db), lease, { keep: "all" });
		cleanups.set(saver, async () => {
			await lease.release();
			db.close();
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
