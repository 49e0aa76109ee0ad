import type { HumanItem } from "../human/human-item.ts";
import { snake } from "../kernel/snake-case.ts";
import type { RunOverview } from "../store/overviews.ts";
import type { LeaseHolder, Leases, Records, RunRecord, TaskRecord } from "../store/records.ts";
import type { StoredEvent } from "../trace/event.ts";
import type { RunSummary, StoppedPreflight } from "./report.ts";

/** @example `"here:4711"`; null where no process works on the run */
export const holderName = (holder: LeaseHolder | undefined): string | null =>
	holder === undefined ? null : `${holder.host}:${holder.pid}`;

/** The questions that tasks wait with, by task. */
export async function waitingQuestions(
	records: Pick<Records, "item">,
	tasks: readonly TaskRecord[],
): Promise<ReadonlyMap<string, HumanItem>> {
	const questions = new Map<string, HumanItem>();
	for (const { taskId, status, humanItem } of tasks) {
		if (status !== "paused_for_human" || humanItem === null) continue;
		const item = await records.item(humanItem);
		if (item !== undefined) questions.set(taskId, item);
	}
	return questions;
}

/** Tells whether a question has an answer that no process has acted on yet. */
export const isAnswered = ({ answer, consumed }: Pick<HumanItem, "answer" | "consumed">): boolean =>
	answer !== null && !consumed;

/** The tasks, each with the question that stands for its own: one account is asked about once. */
export async function withSharedQuestions(
	records: Pick<Records, "item">,
	tasks: readonly TaskRecord[],
): Promise<readonly TaskRecord[]> {
	const ids = tasks.flatMap(({ status, humanItem }) =>
		status === "paused_for_human" && humanItem !== null ? [humanItem] : [],
	);
	if (ids.length < 2) return tasks;
	const found = await Promise.all(ids.map((id) => records.item(id)));
	const items = found.flatMap((item) => item ?? []);
	const { spokesItem } = await import("../human/human-item.ts");
	return tasks.map((task) => {
		const item = items.find(({ id }) => id === task.humanItem);
		return item === undefined ? task : { ...task, humanItem: spokesItem(item, items).id };
	});
}

/** A run in a line. */
export async function runSummary(
	{
		records,
		leases,
		machines = null,
	}: {
		readonly records: Pick<Records, "tasks" | "item">;
		readonly leases: Pick<Leases, "holder">;
		/** What machines share; left out or null on one machine. */
		readonly machines?: object | null;
	},
	run: RunOverview,
): Promise<RunSummary> {
	const paused = run.waiting === 0 ? [] : await records.tasks(run.runId);
	return {
		...snake(run, "runId", "workflow", "status"),
		base: run.baseBranch,
		holder: holderName(await leases.holder(run.runId)),
		shared: machines !== null,
		...snake(run, "createdAt", "endedAt"),
		landed: run.landedCommit !== null,
		tasks: {
			...snake(run, "total", "completed", "failed", "blocked", "cancelled", "waiting"),
			answered: [...(await waitingQuestions(records, paused)).values()].filter(isAnswered).length,
		},
	};
}

/**
 * Preflight that stopped a run before its first call, when nothing happened since; null for every other run.
 *
 * @param run what is known of it besides its events, which are read only where they matter
 */
export async function stoppedPreflight(
	run: { readonly status: RunRecord["status"]; readonly isHeld: boolean; readonly calls: number },
	readEvents: () => Promise<readonly StoredEvent[]>,
): Promise<StoppedPreflight | null> {
	if (run.status !== "running" || run.isHeld || run.calls > 0) return null;
	const events = await readEvents();
	const last = events.findLast(({ type }) => type === "preflight-ended" || type === "run-resumed");
	if (last?.type !== "preflight-ended" || last.data.outcome !== "stopped") return null;
	return { task: last.task, problems: last.data.problems };
}
