import { join } from "node:path";
import { type Checkout, openCheckout } from "../git/checkout.ts";
import type { MergeCommit } from "../git/merging.ts";
import type { Reach } from "../git/remotes.ts";
import type { Repository } from "../git/repository.ts";
import type { Vault } from "../git/vault.ts";
import type { Blobs } from "../kernel/blobs.ts";
import type { Clock } from "../kernel/clock.ts";
import { randomId } from "../kernel/ids.ts";
import type { CallAdmission } from "../loop/admission/admission.ts";
import {
	Ahead,
	type CallRecorder,
	type FirstAlone,
	type Seat,
	type Setups,
	type TaskContext,
	type TaskPlaces,
	type TaskRefs,
	type WorkUnderWay,
} from "../loop/context.ts";
import type { GroundProblem } from "../loop/ground-problems.ts";
import type { Masker } from "../masking/masking.ts";
import type { MergeQueue } from "../merge/merge-queue.ts";
import { checkoutDirectory, PLAYER_CHECKOUT } from "../places/kept-checkout.ts";
import { type Places, runDirectory } from "../places/places.ts";
import { remoteTaskRefs } from "../places/remote-refs.ts";
import { outputFolder, transcriptFolder } from "../places/run-folders.ts";
import { taskRefs } from "../places/task-refs.ts";
import { childEnvironment } from "../process/environment.ts";
import type { ProcessHost } from "../process/process.ts";
import { PORT_BASE, portBaseOf } from "../seats/port-base.ts";
import type { Records, RunRecord, TaskRecord, Write } from "../store/records.ts";
import type { VerificationJob } from "../verification/remote-job.ts";
import type { Verifier } from "../verification/verification.ts";
import type { TaskDefinition, Workflow } from "../workflow/workflow.ts";

export interface RunSurroundings {
	readonly run: RunRecord;
	readonly workflow: Workflow;
	readonly places: Places;
	readonly repository: Repository;
	readonly vault: Vault;
	readonly records: Records;
	readonly blobs: Blobs;
	commit(writes: readonly Write[]): Promise<void>;
	readonly clock: Clock;
	readonly masker: Masker;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
	readonly recorder: CallRecorder | null;
	readonly queue: MergeQueue;
	readonly underWay: WorkUnderWay;
	readonly baselines: FirstAlone;
	readonly admission: CallAdmission;
	readonly setups: Setups | null;
	readonly host: ProcessHost;
	seat(name: string): Promise<Seat>;
	commitAsUser(commit: MergeCommit): Promise<string>;
	obstacle(name: string): Promise<string | null>;
	preflight(taskId: string, problems: readonly GroundProblem[]): Promise<void>;
	/** The remote by which machines share the run's refs; null: this repository is all there is. */
	readonly reach: Reach | null;
	readonly leaseEpoch: number;
	/** @throws Fault `lease-lost` when another process has taken the run over */
	readonly requireLease: () => Promise<void>;
	/** Makes the verifier of a node in another process; null: nodes verify in this one. */
	readonly remoteVerifier: RemoteVerifiers | null;
}

export type RemoteVerifiers = (
	node: Pick<VerificationJob, "epoch" | "items" | "slot"> & { readonly taskId: string },
) => Verifier;

function taskPlaces(places: Places, vault: Vault, runId: string, taskId: string): TaskPlaces {
	const work = join(runDirectory(places, runId), taskId);
	const checkout = (name: string, own = vault): Checkout =>
		openCheckout(own, {
			dir: checkoutDirectory(places, work, name),
			indexFile: join(work, `index-${name}`),
		});
	const task = { runId, taskId };
	return {
		player: checkout(PLAYER_CHECKOUT),
		checks: checkout("checks"),
		coach: checkout("coach"),
		// Refs would lead it to the history.
		verifier: checkout("verifier", { ...vault, refs: [] }),
		verification: checkout("verification"),
		integration: checkout("integration"),
		clean: checkout("clean"),
		work,
		outputs: outputFolder(task),
		transcripts: transcriptFolder(task),
	};
}

/**
 * A task as agents are told it. Its texts are masked once and for all, because a coach copies a criterion back as it
 * was told, and is found again by that text.
 */
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

function remoteVerifierOf(
	{ remoteVerifier }: RunSurroundings,
	{ taskId, epoch }: TaskRecord,
	slot: number,
): TaskContext["remoteVerifier"] {
	if (remoteVerifier === null) return null;
	return ({ items }) => remoteVerifier({ taskId, epoch, items, slot });
}

function refsOf(around: RunSurroundings, record: TaskRecord): TaskRefs {
	const { run, repository, reach, leaseEpoch } = around;
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
		: remoteTaskRefs(repository, reach, { ...task, leaseEpoch });
}

/**
 * The context of one task's graph.
 *
 * @param slot from 0; no other task that is worked on now has it
 */
export function taskContext(
	around: RunSurroundings,
	record: TaskRecord,
	slot: number,
): TaskContext {
	const task = around.workflow.tasks.find(({ id }) => id === record.taskId);
	if (task === undefined) throw new Error(`the workflow has no task ${record.taskId}`);
	const { run, places } = around;
	const ports = { [PORT_BASE]: String(portBaseOf(run.runId, slot)) };
	return {
		...around,
		task: { ...toldTask(task, around.masker), bound: record.bound },
		subtask: null,
		epoch: record.epoch,
		places: taskPlaces(places, around.vault, run.runId, record.taskId),
		refs: refsOf(around, record),
		environment: (names) => ({ ...childEnvironment(around.env, names), ...ports }),
		ahead: new Ahead(around.signal),
		preflight: (problems) => around.preflight(task.id, problems),
		newItemId: () => randomId(6),
		remoteVerifier: remoteVerifierOf(around, record, slot),
	};
}
