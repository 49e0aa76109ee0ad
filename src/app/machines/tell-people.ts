import { Fault } from "../../kernel/fault.ts";
import type { Lease, RunRecord, Write } from "../../store/records.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { notifierOf } from "../run/notifier-of.ts";
import { revealedNow } from "../run-masker.ts";
import { maskerOf } from "../secrets.ts";
import type { Store } from "../store.ts";
import type { WorkerPlace } from "./run-ground.ts";

/** A run whose lease this process has. */
interface HeldRun {
	/** As it is stored now. */
	readonly run: RunRecord;
	readonly lease: Lease;
	readonly commit: (writes: readonly Write[]) => Promise<void>;
}

/**
 * Tells the people whom the workflow names of questions and of the end of a run, as far as nobody was told yet: also
 * of what another worker stored before it was killed. What the holder of a task stores, it tells by itself.
 */
export async function tellPeople(place: WorkerPlace, held: HeldRun): Promise<void> {
	const { store, places, env } = place;
	const untold = await untoldEvents(store, held.run);
	if (untold.length === 0) return;
	const workflow = await knownWorkflow(place, held.run);
	const masker = maskerOf(env, workflow);
	const drive = { ...place, ...held, workflow, masker, repository: { root: places.root } };
	const notifier = notifierOf(drive, { signal: held.lease.lost, commit: held.commit });
	for (const event of untold) notifier.onEvent(event);
	await notifier.settled();
}

/** With its secrets as far as this machine has them: a notification rarely needs one of the workflow's. */
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

async function untoldQuestions(
	{ records, leases }: Store,
	runId: string,
): Promise<readonly StoredEvent[]> {
	const untold: StoredEvent[] = [];
	for (const { id, taskId, status } of await records.items(runId)) {
		if (status !== "PENDING") continue;
		if ((await leases.holder(runId, { task: taskId })) !== undefined) continue;
		const events = await records.events(runId, { task: taskId });
		if (events.some((event) => event.type === "person-notified" && event.data.item === id))
			continue;
		untold.push(
			...events.filter((event) => event.type === "item-opened" && event.data.item === id),
		);
	}
	return untold;
}

/** A run ends more than once where it waits for a person in between: its last end counts. */
function untoldEnd(events: readonly StoredEvent[]): readonly StoredEvent[] {
	const last = events.findLastIndex(({ type }) => type === "run-ended");
	const isTold = events
		.slice(last + 1)
		.some((event) => event.type === "person-notified" && event.data.item === null);
	return last < 0 || isTold ? [] : events.slice(last, last + 1);
}
