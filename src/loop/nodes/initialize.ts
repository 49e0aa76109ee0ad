import { mkdir } from "node:fs/promises";
import { takeBaseline } from "../baseline.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "../context.ts";
import { halt } from "../halt.ts";
import { prepareCheckout } from "../prepare-checkout.ts";
import type { TaskState } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";

/**
 * `initialize`: fixes the commit that the task starts on, sets up the player's checkout and takes the baseline.
 *
 * A task that is reopened keeps its start and its last commit, and pays for no second baseline.
 */
export async function initialize(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	const start = await startCommit(context, site);
	if (context.task.formalReview === true) {
		// What is reviewed is all that the run has merged.
		return {
			update: { start: context.run.baseCommit, commit: start, next: "go" },
			writes: [taskWrite(context, { status: "running" })],
		};
	}
	const record = await context.records.task(context.run.runId, context.task.id);
	const commit = record?.commit ?? start;
	await mkdir(context.places.work, { recursive: true });
	const setup = await prepareCheckout(context, site, {
		checkout: context.places.player,
		name: "player",
		commit,
	});
	const update = { start, commit };
	if (setup !== null && state.turn === 0) {
		return {
			update: {
				...update,
				...halt("environment", `the setup failed in the player's checkout: ${setup}`, "initialize"),
			},
		};
	}
	await takeBaseline(context, site, start);
	return { update: { ...update, next: "go" }, writes: [taskWrite(context, { status: "running" })] };
}

/** The start is stored before anything is built on it, so that a kill cannot change it. */
async function startCommit(context: TaskContext, site: Site): Promise<string> {
	const { runId } = context.run;
	const record = await context.records.task(runId, context.task.id);
	if (record?.startCommit != null) return record.startCommit;
	const start = await context.refs.integrationTip();
	const { task } = context;
	await context.commit([
		taskWrite(context, {
			startCommit: start,
			status: "running",
			startedAt: new Date(context.clock.now()).toISOString(),
		}),
		eventWrite(context, site, "task-started", {
			branch: record?.branch ?? "",
			start_commit: start,
			bound: task.bound,
			player: task.player,
			coach: task.pair?.challenger ?? null,
		}),
	]);
	return start;
}
