import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../kernel/clock.ts";
import { sqliteCheckpointer } from "./checkpointer.ts";
import { openDatabase } from "./database.ts";
import { sqliteLeases } from "./leases.ts";

// The suite calls these as globals.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });

const cleanups = new Map<BaseCheckpointSaver, () => Promise<void>>();

const initializer = {
	checkpointerName: "sqliteCheckpointer",
	createCheckpointer: async (): Promise<BaseCheckpointSaver> => {
		const db = openDatabase(":memory:");
		const lease = await sqliteLeases(db, { clock: systemClock }).take("conformance");
		const saver = sqliteCheckpointer(db, lease, { keep: "all" });
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
