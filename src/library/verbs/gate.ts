import { findTask } from "../opened.ts";
import { RUN_OPTION, TASK } from "./fields.ts";
import { verb } from "./verb.ts";

export const gate = verb({
	fields: { task: TASK, runId: RUN_OPTION },
	places: ["task", "runId"],
	access: "read",
	examples: [
		"spar gate limiter",
		"spar gate limiter --run 20261121-230218-3a67",
		"spar gate limiter --json",
	],
	run: async (own, { task, runId }) => {
		const { records, of } = await findTask(own, task, runId);
		const { newestGateReport } = await import("../../view/read-task.ts");
		return await own.withFiles(of.runId, await newestGateReport(records, of));
	},
});
