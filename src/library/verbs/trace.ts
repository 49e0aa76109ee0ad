import type { TraceFile } from "../../drive/trace-file.ts";
import { isUnended } from "../../places/find-run.ts";
import { hasOutputs } from "../../places/places.ts";
import { findTask } from "../opened.ts";
import { RUN_OPTION, TASK } from "./fields.ts";
import { verb } from "./verb.ts";

export const trace = verb({
	fields: { task: TASK, runId: RUN_OPTION },
	places: ["task", "runId"],
	access: "read",
	examples: [
		"spar trace limiter",
		"spar trace limiter --run 20261121-230218-3a67",
		"spar trace limiter --json",
	],
	forAgents: "Tells what happened in a task, and why.",
	run: async (own, { task, runId }): Promise<TraceFile> => {
		const { records, blobs, run, of } = await findTask(own, task, runId);
		const { traceOf } = await import("../../drive/trace-file.ts");
		const told = await traceOf(records, of.runId, of.taskId);
		const isGone = !isUnended(run) && !(await hasOutputs(blobs, of.runId));
		return await own.withFiles(of.runId, isGone ? { ...told, files_removed: true } : told);
	},
});
