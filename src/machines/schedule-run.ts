import { cancelTasks } from "../drive/cancel-run.ts";
import { committer } from "../drive/committer.ts";
import { notifierOf } from "../drive/notifier-of.ts";
import { resumeWrites } from "../drive/resume-run.ts";
import type { Supervision } from "../drive/run-options.ts";
import { settleRun } from "../drive/work-on-task.ts";
import { Fault } from "../kernel/fault.ts";
import { findRun, isUnended, landingState } from "../places/find-run.ts";
import { revealedNow } from "../places/run-masker.ts";
import { maskerOf } from "../places/secrets.ts";
import type { Store } from "../places/store.ts";
import type { Jobs } from "../schedule/jobs.ts";
import { blockedWrites, newlyBlocked } from "../schedule/readiness.ts";
import { type RunStanding, standingOf } from "../schedule/standing.ts";
import type { Lease, RunRecord, TaskRecord, Write } from "../store/records.ts";
import type { Workers } from "../store/workers.ts";
import type { StoredEvent } from "../trace/event.ts";
import type { TaskDefinition, Workflow } from "../workflow/workflow.ts";
import { isMergedNext, servedBy, tagsOfNext } from "./fitness.ts";
import { aloneAnswered, aloneWrites, type Wanted, waitingSince } from "./no-worker.ts";
import type { WorkerPlace } from "./run-ground.ts";

async function tellPeople(
	place: WorkerPlace,
	held: {
		readonly run: RunRecord;
		readonly lease: Lease;
		readonly commit: (writes: readonly Write[]) => Promise<void>;
	},
): Promise<void> {
	const { store, places, env } = place;
	const untold = await untoldEvents(store, held.run);
	if (untold.length === 0) return;
	const workflow = await knownWorkflow(place, held.run);
	const masker = maskerOf(env, workflow);
	const { lease, commit } = held;
	const drive = { ...place, ...held, workflow, repository: { root: places.root } };
	const notifier = notifierOf(drive, { signal: lease.lost, commit, masker });
	for (const event of untold) notifier.onEvent(event);
	await notifier.settled();
}

async function knownWorkflow({ places, env }: WorkerPlace, run: RunRecord): Promise<Workflow> {
	try {
		return await revealedNow(run, { root: places.root, env });
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return run.workflow;
	}
}

async function untoldEvents(store: Store, run: RunRecord): Promise<readonly StoredEvent[]> {
	const settings = run.workflow.human.notify;
	if (settings === undefined) return [];
	const { onCreated, onT2Gate, onEnd = [] } = settings;
	const asks = onCreated.length + onT2Gate.length > 0;
	const questions = asks ? await untoldQuestions(store, run.runId) : [];
	const ends = onEnd.length > 0 && run.status !== "running";
	return ends ? questions.concat(untoldEnd(await store.records.events(run.runId))) : questions;
}

async function untoldQuestions({ records }: Store, runId: string): Promise<readonly StoredEvent[]> {
	const untold: StoredEvent[] = [];
	for (const { id, taskId, status } of await records.items(runId)) {
		if (status !== "PENDING") continue;
		const events = await records.events(runId, { task: taskId });
		if (events.some((event) => event.type === "person-notified" && event.data.item === id))
			continue;
		untold.push(
			...events.filter((event) => event.type === "item-opened" && event.data.item === id),
		);
	}
	return untold;
}

// A run ends more than once where it waits for a person in between: its last end counts.
function untoldEnd(events: readonly StoredEvent[]): readonly StoredEvent[] {
	const last = events.findLastIndex(({ type }) => type === "run-ended");
	const isTold = events
		.slice(last + 1)
		.some((event) => event.type === "person-notified" && event.data.item === null);
	return last < 0 || isTold ? [] : events.slice(last, last + 1);
}

type Commit = (writes: readonly Write[]) => Promise<void>;

// Its tasks have not yet heard that it was cancelled.
const AGAIN_SECONDS = 1;

export interface Scheduling extends WorkerPlace {
	readonly jobs: Jobs;
	readonly workers: Pick<Workers, "live" | "now">;
	readonly owner: string;
	readonly onEvent?: Supervision["onEvent"] | undefined;
	readonly land: (run: RunRecord, lease: Lease) => Promise<void>;
}

/** Looks at a run once, under its lease. Harmless when repeated: everything that changes a run sends another look. */
export async function scheduleRun(scheduling: Scheduling, runId: string): Promise<void> {
	const { store } = scheduling;
	await using lease = await store.leases.take(runId);
	const run = await findRun(store.records, runId);
	const commit = committer(store.records, { lease, onEvent: scheduling.onEvent });
	if (isUnended(run)) await lookAt(scheduling, run, commit);
	// Whoever cancelled the run where nobody worked on it knows of it.
	else if (run.status === "cancelled") return;
	const now = await findRun(store.records, runId);
	await tellPeople(scheduling, { run: now, lease, commit });
	const tasks = await store.records.tasks(runId);
	if ((await landingState(store.records, now, tasks)).isAwaited) await scheduling.land(now, lease);
}

async function lookAt(scheduling: Scheduling, run: RunRecord, commit: Commit): Promise<void> {
	const { store } = scheduling;
	if (run.cancelRequested) return await cancel(scheduling, run, commit);
	const standing = await blockAll(store, run, commit);
	if (standing.ready.length > 0) return await sendReady(scheduling, run, { standing, commit });
	// Whoever was stopped by an error goes on when somebody resumes the run.
	if (standing.stopped.size > 0) return;
	if (run.status !== "running") return;
	await settleRun({ ...scheduling, run }, commit);
}

async function blockAll(
	{ records }: Store,
	{ runId, workflow }: RunRecord,
	commit: Commit,
): Promise<RunStanding> {
	for (;;) {
		const standing = await standingOf(records, runId, workflow);
		const blocked = newlyBlocked(standing.view);
		if (blocked.length === 0) return standing;
		await commit(blocked.flatMap((task) => blockedWrites(task, standing.view)));
	}
}

async function sendReady(
	scheduling: Scheduling,
	run: RunRecord,
	{ standing, commit }: { readonly standing: RunStanding; readonly commit: Commit },
): Promise<void> {
	const { store, jobs, workers, owner } = scheduling;
	const { runId, workflow } = run;
	// A person has answered: the run goes on.
	if (run.status !== "running")
		await commit(await resumeWrites(store.records, run, { maxTurns: undefined, owner }));
	const live = await workers.live();
	// Another machine may have stored since when a task waits: their clocks may differ.
	const now = await workers.now();
	for (const task of standing.ready) {
		const wanted = wantedOf(workflow, task);
		if (await actOnAnswer(store, task, { now, commit })) continue;
		const since = (await store.records.step(waitingSince(task))) ?? null;
		const { tags, definition } = wanted;
		const found = servedBy(run, { task: definition, tags, isMerged: isMergedNext(task) }, live);
		await commit(aloneWrites(wanted, { since, now, ...found }));
		const queue = { kind: "task", tags: wanted.tags } as const;
		await jobs.send({ queue, runId, taskId: task.taskId });
	}
}

function wantedOf(
	workflow: Workflow,
	task: TaskRecord,
): Wanted & { readonly definition: TaskDefinition } {
	const definition = workflow.tasks.find(({ id }) => id === task.taskId);
	if (definition === undefined) throw new Error(`the workflow has no task ${task.taskId}`);
	return { task, definition, tags: tagsOfNext(workflow, definition, task) };
}

// The graph of a task knows nothing of a question that was asked before a worker took it.
async function actOnAnswer(
	{ records }: Store,
	task: TaskRecord,
	{ now, commit }: { readonly now: number; readonly commit: Commit },
): Promise<boolean> {
	const item = task.humanItem === null ? undefined : await records.item(task.humanItem);
	if (item?.trigger !== "no_worker") return false;
	// What that changes is looked at again.
	await commit(aloneAnswered(task, item, now));
	return true;
}

// Those who work on its tasks were asked as well; once all have stopped, what is left is cancelled.
async function cancel(
	{ store, jobs }: Scheduling,
	{ runId }: RunRecord,
	commit: Commit,
): Promise<void> {
	for (const { taskId } of await store.records.tasks(runId)) {
		if ((await store.leases.holder(runId, { task: taskId })) === undefined) continue;
		const queue = { kind: "schedule" } as const;
		return await jobs.send({ queue, runId, taskId: null, afterSeconds: AGAIN_SECONDS });
	}
	await cancelTasks(store.records, runId, { checkoutOf: () => null, commit });
}
