import { join } from "node:path";
import { type Checkout, openCheckout } from "../git/checkout.ts";
import { hidingVault, judgingVault } from "../judge/judging-vault.ts";
import { randomId } from "../kernel/ids.ts";
import { commitTexts } from "../loop/commits.ts";
import { Ahead, type TaskContext, type TaskPlaces, type TaskRefs } from "../loop/context.ts";
import type { Masker } from "../masking/masking.ts";
import {
	checkoutDirectory,
	outputFolder,
	PLAYER_CHECKOUT,
	runDirectory,
	transcriptFolder,
} from "../places/places.ts";
import { remoteTaskRefs } from "../places/remote-refs.ts";
import { taskRefs } from "../places/task-refs.ts";
import { childEnvironment, userEnvironment } from "../process/environment.ts";
import { PORT_BASE, portBaseOf } from "../seats/port-base.ts";
import type { TaskRecord } from "../store/records.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import type { RunContext } from "./drive.ts";

function taskPlaces(
	{ places, vault, workflow, run: { runId, baseCommit } }: RunContext,
	taskId: string,
): TaskPlaces {
	const work = join(runDirectory(places, runId), taskId);
	const checkout = (name: string, own = vault): Checkout =>
		openCheckout(own, {
			dir: checkoutDirectory(places, work, name),
			indexFile: join(work, `index-${name}`),
		});
	const judging = judgingVault({ vault, workflow }, baseCommit);
	const task = { runId, taskId };
	return {
		player: checkout(PLAYER_CHECKOUT),
		checks: checkout("checks", judging),
		coach: checkout("coach"),
		// Refs would lead it to the history.
		verifier: checkout("verifier", { ...vault, refs: [] }),
		verification: checkout("verification", hidingVault(vault, baseCommit)),
		integration: checkout("integration", judging),
		clean: checkout("clean", judging),
		work,
		outputs: outputFolder(task),
		transcripts: transcriptFolder(task),
	};
}

// Masked once and for all: a coach copies a criterion back as it was told, and is found again by that text.
function toldTask(task: TaskDefinition, masker: Masker): TaskDefinition {
	const told = <T extends Pick<TaskDefinition, "description" | "acceptanceCriteria">>(
		part: T,
	): T => ({
		...part,
		description: masker.mask(part.description),
		acceptanceCriteria: part.acceptanceCriteria.map((criterion) => masker.mask(criterion)),
	});
	const { subtasks } = task;
	return { ...told(task), ...(subtasks === undefined ? {} : { subtasks: subtasks.map(told) }) };
}

function refsOf(around: RunContext, record: TaskRecord): TaskRefs {
	const { run, repository, reach, lease } = around;
	const task = {
		runId: run.runId,
		taskId: record.taskId,
		branch: record.branch,
		integration: run.branch,
		merged: () => around.records.mergedCommits(run.runId),
		base: run.baseBranch,
		requireLease: around.requireLease,
	};
	return reach === null
		? taskRefs(repository, task)
		: remoteTaskRefs(repository, reach, { ...task, leaseEpoch: lease.epoch });
}

/**
 * The context of one task's graph.
 *
 * @param slot from 0; no other task that is worked on now has it
 */
export function taskContext(around: RunContext, record: TaskRecord, slot: number): TaskContext {
	const task = around.workflow.tasks.find(({ id }) => id === record.taskId);
	if (task === undefined) throw new Error(`the workflow has no task ${record.taskId}`);
	const { run } = around;
	const { epoch } = record;
	const { remoteVerifier } = around;
	const ports = { [PORT_BASE]: String(portBaseOf(run.runId, slot)) };
	return {
		...around,
		task: { ...toldTask(task, around.masker), bound: record.bound },
		epoch,
		subtask: null,
		places: taskPlaces(around, record.taskId),
		refs: refsOf(around, record),
		texts: commitTexts(around.vault),
		environment: (names) => ({ ...childEnvironment(around.env, names), ...ports }),
		userEnvironment: () => userEnvironment(around.env),
		ahead: new Ahead(around.signal),
		preflight: (problems) => around.preflight(task.id, problems),
		newItemId: () => randomId(6),
		remoteVerifier:
			remoteVerifier && (({ items }) => remoteVerifier({ taskId: task.id, epoch, items, slot })),
	};
}
