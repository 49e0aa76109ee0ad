import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../kernel/clock.ts";
import { checkpointer } from "../queries/checkpointer.ts";
import { openDatabase } from "./database.ts";
import { sqliteLeases } from "./leases.ts";
import { sqliteRunner } from "./records.ts";

// The suite calls these as globals.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });

const cleanups = new Map<BaseCheckpointSaver, () => Promise<void>>();

const initializer = {
	// Under this name the suite spares a saver, as LangGraph's own, that stores checkpoints whole the test of channel deltas.
	checkpointerName: "@langchain/langgraph-checkpoint-sqlite",
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
