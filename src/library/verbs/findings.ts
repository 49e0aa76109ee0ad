import { findTask } from "../opened.ts";
import { RUN_OPTION, TASK } from "./fields.ts";
import { verb } from "./verb.ts";

export const findings = verb({
	fields: { task: TASK, runId: RUN_OPTION },
	places: ["task", "runId"],
	access: "read",
	examples: [
		"spar findings limiter",
		"spar findings limiter --run 20261121-230218-3a67",
		"spar findings limiter --json",
	],
	forAgents: "Lists what the coach found wrong in a task, with what became of it.",
	run: async (own, { task, runId }) => {
		const { records, of } = await findTask(own, task, runId);
		const { findingReports } = await import("../../view/finding-reports.ts");
		return await findingReports(records, of);
	},
});
