import { counted } from "../kernel/counted.ts";
import { formatDuration } from "../kernel/duration.ts";
import { formatUsd } from "../kernel/money.ts";
import { isDelivered } from "../kernel/task-state.ts";
import type { Records } from "../store/records.ts";

/** Consumption of one task, by those of earlier runs that came through. Each number is a median. */
export interface Estimate {
	/** How many tasks it is made of; at least 1. */
	readonly from: number;
	/** Calls of agents. */
	readonly calls: number;
	/** Time in which a process worked on the task, in milliseconds. */
	readonly ms: number;
	/** US dollars; null where no agent tells. */
	readonly cost_usd: number | null;
}

/** So many of the newest runs are looked at: enough for a median, and it does not grow with history. */
const RUNS = 10;

/** The estimate for a task of this repository; null before any task of it came through. */
export async function estimateOf(
	records: Pick<Records, "runPage" | "tasks" | "spending">,
): Promise<Estimate | null> {
	const runs = await records.runPage({ selection: "all", before: null, limit: RUNS });
	const spent = await Promise.all(
		runs.map(async ({ runId }) => {
			const done = (await records.tasks(runId)).filter(isDelivered);
			const { tasks } = await records.spending(runId);
			return tasks.filter((task) => done.some(({ taskId }) => taskId === task.taskId));
		}),
	);
	const tasks = spent.flat();
	const calls = medianOf(tasks.map((task) => task.calls));
	const ms = medianOf(tasks.map(({ workMs }) => workMs));
	if (calls === null || ms === null) return null;
	const costs = tasks.flatMap(({ costUsd }) => costUsd ?? []);
	return { from: tasks.length, calls, ms: Math.round(ms), cost_usd: medianOf(costs) };
}

function medianOf(values: readonly number[]): number | null {
	return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;
}

/** @example `"about 4 calls, 6m 0s and $0.42 a task, by the last 5 that came through here"` */
export function estimateText({ from, calls, ms, cost_usd: cost }: Estimate): string {
	const money = cost === null ? "" : ` and ${formatUsd(cost)}`;
	const by = from === 1 ? "the last one" : `the last ${from}`;
	return `about ${counted(calls, "call")}${money === "" ? " and" : ","} ${formatDuration(ms)}${money} a task, by ${by} that came through here`;
}
