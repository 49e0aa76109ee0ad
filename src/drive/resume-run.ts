import { counted } from "../kernel/counted.ts";
import { Fault } from "../kernel/fault.ts";
import { isEnded } from "../kernel/task-state.ts";
import { isUnended } from "../places/find-run.ts";
import { runEvent } from "../schedule/run-writes.ts";
import type { Records, RunRecord, TaskRecord, Write } from "../store/records.ts";
import { requireMaxTurns } from "../workflow/run-limits.ts";

export interface OtherAgents {
	player?: string;
	coach?: string;
	model?: string;
}

/**
 * Writes that a resume begins with: with `maxTurns` failed tasks are reopened from their last commit, those that they
 * blocked wait again, and pending ones get the new bound. Tasks under way keep theirs.
 *
 * @throws Fault `run-not-resumable`; `usage` for a bound that a failed task has already used up, or that is no number of turns
 */
export async function resumeWrites(
	records: Records,
	run: RunRecord,
	options: {
		readonly maxTurns: number | undefined;
		readonly owner: string;
		/** Agents that were put in the place of others. */
		readonly replaced?: OtherAgents;
	},
): Promise<Write[]> {
	if (run.pruned) {
		throw new Fault(`run ${run.runId} was pruned: its branches and checkouts are gone`, {
			code: "run-not-resumable",
			hint: "Start a new one: spar run",
		});
	}
	if (options.maxTurns !== undefined) requireMaxTurns(options.maxTurns);
	const tasks = await records.tasks(run.runId);
	const changes = options.maxTurns === undefined ? [] : reopen(run, tasks, options.maxTurns);
	if (!isUnended(run) && (run.status !== "failed" || changes.length === 0)) {
		throw new Fault(`run ${run.runId} has ended as ${run.status}`, {
			code: "run-not-resumable",
			hint:
				run.status === "failed"
					? `Reopen its failed tasks: spar resume ${run.runId} --max-turns N`
					: "Start a new one: spar run",
		});
	}
	return [
		...changes,
		{ kind: "run", runId: run.runId, patch: { status: "running", endedAt: null } },
		runEvent(run.runId, "run-resumed", { owner: options.owner, ...options.replaced }),
	];
}

/** The tasks that a resume may work on: with `reopens` failed and blocked ones as well. */
export function openTasks(tasks: readonly TaskRecord[], reopens: boolean): readonly TaskRecord[] {
	return tasks.filter(
		({ status }) => !isEnded(status) || (reopens && (status === "failed" || status === "blocked")),
	);
}

function reopen(run: RunRecord, tasks: readonly TaskRecord[], maxTurns: number): Write[] {
	const used = tasks.filter(({ status, turns }) => status === "failed" && turns >= maxTurns);
	const [first] = used;
	if (first !== undefined) {
		throw new Fault(
			`task ${first.taskId} has already used ${counted(first.turns, "turn")}, and --max-turns ${maxTurns} counts them all`,
			{
				code: "usage",
				hint: `Give more: spar resume ${run.runId} --max-turns ${first.turns + 1}`,
			},
		);
	}
	return tasks.flatMap((task): Write[] => {
		const patch = reopened(task, maxTurns);
		if (patch === null) return [];
		const { runId } = run;
		const write = { kind: "task", runId, taskId: task.taskId, patch } as const;
		// Whoever follows the run moves those that a failed task blocked along with it.
		return task.status === "failed"
			? [write, runEvent(runId, "task-reopened", { bound: maxTurns }, { task: task.taskId })]
			: [write];
	});
}

function reopened(task: TaskRecord, maxTurns: number) {
	const clean = {
		success: null,
		failureReason: null,
		flags: [],
		endedAt: null,
		bound: maxTurns,
	} as const;
	switch (task.status) {
		case "failed":
			return { ...clean, status: "running", phase: "initializing", epoch: task.epoch + 1 } as const;
		case "blocked":
			return { ...clean, status: "pending", phase: "initializing" } as const;
		case "pending":
			return { bound: maxTurns };
		case "running":
		case "needs_rework":
		case "paused_for_human":
		case "completed":
		case "cancelled":
			return null;
	}
}
