import type { TraceFile } from "../../drive/trace-file.ts";
import { count, given, RUN_OPTION, TASK, verb } from "./fields.ts";
import { result } from "./runs.ts";

export interface OfTask {
	readonly task: string;
	readonly runId?: string | undefined;
}

const OF_TASK = {
	fields: { task: TASK, runId: RUN_OPTION },
	places: ["task", "runId"],
	access: "read",
} as const;

export const logs = verb({
	...OF_TASK,
	summary: "show what agents and checks of a task print",
	examples: [
		"spar logs limiter",
		"spar logs limiter --follow --role player",
		"spar logs limiter --role check --turn 2",
	],
	page: "monitoring",
	run: async (own, { task, runId }: OfTask) => {
		const { records, blobs, of } = await own.task(task, runId);
		const { isWorkedOn, logsOf } = await import("../task-logs.ts");
		const found = await logsOf(blobs, of);
		const record = await records.task(of.runId, task);
		// Those of a task that works grow: whoever follows them reads what is new, and not all of it again and again.
		const grow = record !== undefined && isWorkedOn(record);
		return grow ? found : await own.withFiles(of.runId, found);
	},
});

export const trace = verb({
	...OF_TASK,
	summary: "show what happened in a task, and why",
	examples: [
		"spar trace limiter",
		"spar trace limiter --run 20261121-230218-3a67",
		"spar trace limiter --json",
	],
	forAgents: "Tells what happened in a task, and why.",
	run: async (own, { task, runId }: OfTask): Promise<TraceFile> => {
		const { records, blobs, run, of } = await own.task(task, runId);
		const { traceOf } = await import("../../drive/trace-file.ts");
		const { isUnended } = await import("../../places/find-run.ts");
		const { hasOutputs } = await import("../../places/places.ts");
		const told = await traceOf(records, of.runId, of.taskId);
		const isGone = !isUnended(run) && !(await hasOutputs(blobs, of.runId));
		return await own.withFiles(of.runId, isGone ? { ...told, files_removed: true } : told);
	},
});

export interface WantedDiff extends OfTask {
	readonly turn?: number | undefined;
	/** With `turn`: all after this one, 0 for the start of the task. */
	readonly since?: number | undefined;
	/**
	 * For `git apply`, not to be read: binary files whole, and in a line that is not UTF-8 each byte from 0x80 on as a
	 * low surrogate, U+DC80 to U+DCFF.
	 */
	readonly forApply?: boolean | undefined;
}

export const diff = verb({
	summary: "show what a task changed",
	fields: {
		task: TASK,
		turn: count("--turn <n>", "only what this turn changed"),
		runId: RUN_OPTION,
		since: given("number"),
		forApply: given("flag"),
	},
	places: ["task"],
	access: "read",
	examples: [
		"spar diff limiter",
		"spar diff limiter --turn 2",
		"spar diff limiter | git apply --stat",
	],
	run: async (own, { task, turn, runId, since, forApply }: WantedDiff) => {
		const { records, run, of } = await own.task(task, runId);
		const { openRepository } = await import("../../git/repository.ts");
		const { gitHost } = await import("../../places/places.ts");
		const { bringShared } = await import("../../places/remote-ground.ts");
		const { runMasker } = await import("../../places/run-masker.ts");
		const { taskDiff } = await import("../task-diff.ts");
		const repository = await openRepository(own.root, gitHost(own.env));
		await bringShared(repository, run, { env: own.env, tasks: [of.taskId] });
		const wanted = { run, task: of.taskId, turn, since, forApply };
		return (await runMasker(run, own)).mask(await taskDiff(records, repository, wanted));
	},
});

export const gate = verb({
	...OF_TASK,
	summary: "show what the gate said about a task",
	examples: [
		"spar gate limiter",
		"spar gate limiter --run 20261121-230218-3a67",
		"spar gate limiter --json",
	],
	run: async (own, { task, runId }: OfTask) => {
		const { of } = await own.task(task, runId);
		const { tasks } = await result.run(own, { runId: of.runId, tasks: [task] });
		return await own.withFiles(of.runId, tasks[0]?.gate ?? null);
	},
});

export const findings = verb({
	...OF_TASK,
	summary: "list a task's findings and their history",
	examples: [
		"spar findings limiter",
		"spar findings limiter --run 20261121-230218-3a67",
		"spar findings limiter --json",
	],
	forAgents: "Lists what the coach found wrong in a task, with what became of it.",
	run: async (own, { task, runId }: OfTask) => {
		const { of } = await own.task(task, runId);
		const { tasks } = await result.run(own, { runId: of.runId, tasks: [task] });
		return tasks[0]?.findings ?? [];
	},
});
