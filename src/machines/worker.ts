import { setTimeout as delay } from "node:timers/promises";
import { committer } from "../drive/committer.ts";
import { isHeld } from "../drive/take-run.ts";
import { Due } from "../kernel/due.ts";
import { Fault } from "../kernel/fault.ts";
import { isUnended } from "../places/find-run.ts";
import type { Machines } from "../places/opened-store.ts";
import { maskerOf } from "../places/secrets.ts";
import { type Jobs, type QueueName, serves, type TakenJob } from "../schedule/jobs.ts";
import { stoppedBy, stoppedEvent } from "../schedule/readiness.ts";
import { stoppedStep } from "../schedule/standing.ts";
import {
	type Lease,
	type Records,
	type RunRecord,
	type StepKey,
	stepWrite,
	type TaskRecord,
	type Write,
} from "../store/records.ts";
import type { LiveWorker } from "../store/workers.ts";
import type { EventListener } from "../trace/event.ts";
import { landDue } from "./land-due.ts";
import { NoGround, OpenGrounds, type WorkerPlace, workUnderLease } from "./run-ground.ts";
import { scheduleRun } from "./schedule-run.ts";

const MOST_TRIES = 8;

interface Tries {
	/** Turn and phase, such as `2/merging`: further on it counts from the start. */
	readonly point: string;
	readonly times: number;
}

const triesStep = ({
	runId,
	taskId,
}: Pick<TaskRecord, "runId" | "taskId">): StepKey<Tries | null> => ({
	runId,
	taskId,
	turn: 0,
	step: "tries",
});

const causeOf = (error: unknown): unknown => (error instanceof NoGround ? error.cause : error);

/**
 * Tells whether a task is taken up again after an error: up to eight times at the same point where the error passes by
 * itself or another machine may not meet it, always where the store was away.
 */
export async function mayPass(
	commit: (writes: readonly Write[]) => Promise<void>,
	records: Pick<Records, "task" | "step">,
	{
		runId,
		taskId,
		error,
	}: { readonly runId: string; readonly taskId: string; readonly error: unknown },
): Promise<boolean> {
	const cause = causeOf(error);
	const isPassing = cause instanceof Fault && cause.retryable;
	if (!isPassing && !(error instanceof NoGround)) return false;
	if (isPassing && cause.code === "store-unreachable") return true;
	const task = await records.task(runId, taskId);
	const point = `${task?.turns}/${task?.phase}`;
	const key = triesStep({ runId, taskId });
	const before = (await records.step(key)) ?? null;
	const times = before?.point === point ? before.times + 1 : 1;
	if (times > MOST_TRIES) return false;
	await commit([stepWrite(key, { point, times })]);
	return true;
}

const LOOK_MS = 300;
// pg-boss gives a job to another worker after 20 s. Of a task its lease says who works; this only keeps its job from being
// taken in vain.
const KEEP_MS = 7_000;
const BEAT_MS = 5_000;
const QUEUES_MS = 2_000;
const CANCEL_MS = 500;
// In case a job was lost.
const SWEEP_MS = 60_000;
const MOST_LANDINGS = 8;
// To others, after this machine could not do a job of the kind.
const LEAVE_MS = 10_000;

export interface WorkerOptions extends WorkerPlace {
	readonly machines: Machines;
	/** Like no other worker's, such as `"build-7:4711-k3f9ab"`. */
	readonly id: string;
	readonly host: string;
	readonly tags: readonly string[];
	readonly slots: number;
	readonly signal: AbortSignal;
	readonly onEvent?: EventListener | undefined;
	readonly onTask?: (told: ToldTask) => void;
}

export interface WorkOptions
	extends Pick<WorkerOptions, "tags" | "slots" | "signal" | "onNotice" | "onEvent" | "onTask"> {
	readonly onReady: (worker: Pick<LiveWorker, "id" | "tags" | "slots">) => void;
}

/** A task or a landing that a worker takes or lets go. */
export interface ToldTask {
	readonly runId: string;
	/** Null for the landing of the run. */
	readonly taskId: string | null;
	readonly kind: "task" | "landing";
	readonly what: "taken" | "done" | "given-back";
}

class CancelRequest extends Error {}

interface Work {
	readonly job: TakenJob;
	readonly slot: number;
	readonly ended: AbortController;
}

// Every job can be taken again: what is done is told by the records.
export async function work(options: WorkerOptions): Promise<void> {
	const jobs = await options.machines.ownJobs((error) => options.onNotice(error.message));
	try {
		await new Worker(options, jobs).run();
	} finally {
		await options.machines.workers.leave(options.id).catch(() => undefined);
		await jobs.close();
	}
}

class Worker {
	readonly #options: WorkerOptions;
	readonly #jobs: Jobs;
	readonly #grounds: OpenGrounds;
	/** A job that came back while it is worked on here is in it twice. */
	readonly #work = new Set<Work>();
	readonly #ends = new Set<Promise<void>>();
	readonly #due = new Due();
	#toldBusy = 0;
	readonly #leftUntil = new Map<string, number>();
	#queues: readonly QueueName[] = [];
	#wake: () => void = () => undefined;

	constructor(options: WorkerOptions, jobs: Jobs) {
		this.#options = options;
		this.#jobs = jobs;
		this.#grounds = new OpenGrounds(options);
	}

	async run(): Promise<void> {
		const { signal, onNotice } = this.#options;
		let told = false;
		while (!signal.aborted) {
			try {
				await this.#look();
				told = false;
			} catch (error) {
				if (!(error instanceof Fault && error.retryable)) throw error;
				if (!told) onNotice(`${error.message}; it is tried again`);
				told = true;
			}
			await this.#pause();
		}
		for (const { ended } of this.#work) ended.abort(signal.reason);
		await Promise.all(this.#ends);
		await this.#grounds.close();
	}

	async #pause(): Promise<void> {
		const { signal } = this.#options;
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#wake = resolve;
		const waited = new AbortController();
		const either = AbortSignal.any([signal, waited.signal]);
		const slept = delay(LOOK_MS, undefined, { signal: either }).catch(() => undefined);
		await Promise.race([promise, slept]);
		waited.abort();
	}

	async #look(): Promise<void> {
		const { id, host, tags, slots, machines } = this.#options;
		const busy = this.#inSlots().length;
		if (this.#due.is("beat", BEAT_MS) || busy !== this.#toldBusy) {
			await machines.workers.beat({ id, host, tags, slots, busy });
			this.#toldBusy = busy;
		}
		if (this.#due.is("queues", QUEUES_MS)) await this.#findQueues();
		await this.#lookAfterRuns();
		for (const queue of this.#queues) {
			if (performance.now() < (this.#leftUntil.get(JSON.stringify(queue)) ?? 0)) continue;
			const free = slots - this.#inSlots().length;
			if (free > 0) await this.#take(queue, free);
		}
	}

	async #findQueues(): Promise<void> {
		const own = new Set(this.#options.tags);
		this.#queues = (await this.#jobs.queues()).filter((queue) => serves(own, queue));
	}

	async #lookAfterRuns(): Promise<void> {
		if (this.#due.is("sweep", SWEEP_MS)) await this.#sweep();
		if (this.#due.is("cancel", CANCEL_MS)) await this.#endCancelled();
		await this.#take({ kind: "schedule" }, 4);
	}

	#inSlots(): readonly Work[] {
		return [...this.#work].filter(({ job }) => job.queue.kind !== "schedule");
	}

	async #take(queue: QueueName, most: number): Promise<void> {
		for (const job of await this.#jobs.take(queue, most)) {
			const taken = new Set(this.#inSlots().map(({ slot }) => slot));
			let slot = 0;
			while (taken.has(slot)) slot += 1;
			const work = { job, slot, ended: new AbortController() };
			this.#work.add(work);
			this.#tell(job, "taken");
			const end = this.#do(work).finally(() => {
				this.#work.delete(work);
				this.#ends.delete(end);
				this.#wake();
			});
			this.#ends.add(end);
		}
	}

	// Never rejects: a job whose end cannot be told is given to another worker by pg-boss.
	async #do(work: Work): Promise<void> {
		const { job } = work;
		const keeping = setInterval(() => void this.#jobs.keep(job).catch(() => undefined), KEEP_MS);
		try {
			await this.#handle(work);
			await this.#jobs.done(job);
			this.#tell(job, "done");
		} catch (error) {
			this.#tell(job, "given-back");
			const why = error instanceof Error ? error.message : String(error);
			if (!isHeld(error) && !work.ended.signal.aborted) this.#options.onNotice(why);
			await this.#jobs.giveBack(job, why).catch(() => undefined);
		} finally {
			clearInterval(keeping);
		}
	}

	#tell({ runId, taskId }: TakenJob, what: ToldTask["what"]): void {
		if (taskId !== null) this.#options.onTask?.({ runId, taskId, kind: "task", what });
	}

	async #handle(work: Work): Promise<void> {
		const { runId, taskId } = work.job;
		if (taskId !== null) return await this.#task(work, taskId);
		const { id, machines } = this.#options;
		const land = (run: RunRecord, lease: Lease) => this.#land(work, run, lease);
		const own = { owner: id, jobs: this.#jobs, workers: machines.workers, land };
		await scheduleRun({ ...this.#options, ...own }, runId);
	}

	async #land({ job, ended }: Work, run: RunRecord, lease: Lease): Promise<void> {
		const { onEvent, onTask } = this.#options;
		const told = { runId: run.runId, taskId: null, kind: "landing" } as const;
		const mayWait = job.retries < MOST_LANDINGS;
		onTask?.({ ...told, what: "taken" });
		try {
			await landDue(this.#options, { run, lease, mayWait, signal: ended.signal, onEvent });
			onTask?.({ ...told, what: "done" });
		} catch (error) {
			onTask?.({ ...told, what: "given-back" });
			throw error;
		}
	}

	async #task(work: Work, taskId: string): Promise<void> {
		const { store, onNotice } = this.#options;
		const { runId } = work.job;
		const run = await store.records.run(runId);
		if (run === undefined || !isUnended(run) || run.cancelRequested) return;
		const lease = await store.leases.take(runId, { task: taskId });
		try {
			// It was stopped by whoever had the job before, and then killed.
			if ((await store.records.step(stoppedStep({ runId, taskId }))) != null) return;
			await this.#underLease(work, lease, taskId);
		} catch (error) {
			const { signal } = work.ended;
			if (signal.reason instanceof CancelRequest) return;
			if (signal.aborted || lease.lost.aborted) throw error;
			if (error instanceof NoGround) this.#leaveToOthers(work.job);
			if (await mayPass(this.#commitUnder(lease), store.records, { runId, taskId, error }))
				throw error;
			const cause = causeOf(error);
			onNotice(`task ${taskId} of run ${runId} stopped: ${stoppedBy(cause).message}`);
			await this.#stop({ lease, taskId }, cause);
		} finally {
			await lease.release();
		}
	}

	async #underLease(work: Work, lease: Lease, taskId: string): Promise<void> {
		const signal = AbortSignal.any([work.ended.signal, lease.lost]);
		const { onEvent, onNotice } = this.#options;
		const where = `task ${taskId} of run ${lease.runId}`;
		lease.lost.addEventListener("abort", () =>
			onNotice(`this worker could not renew its lease of ${where}, and gives it to others`),
		);
		const held = { taskId, slot: work.slot, lease, signal, onEvent };
		await this.#grounds.with(lease.runId, (ground) => workUnderLease(this.#options, ground, held));
	}

	#leaveToOthers({ queue }: TakenJob): void {
		this.#leftUntil.set(JSON.stringify(queue), performance.now() + LEAVE_MS);
	}

	async #stop(
		{ lease, taskId }: { readonly lease: Lease; readonly taskId: string },
		error: unknown,
	): Promise<void> {
		const { runId } = lease;
		await this.#commitUnder(lease)([
			stepWrite(stoppedStep({ runId, taskId }), stoppedBy(error)),
			stepWrite(triesStep({ runId, taskId }), null),
			stoppedEvent(runId, taskId, error),
		]);
	}

	#commitUnder(lease: Lease) {
		const { store, env, onEvent } = this.#options;
		return committer(store.records, { lease, masker: maskerOf(env, null), onEvent });
	}

	async #endCancelled(): Promise<void> {
		const { records } = this.#options.store;
		const works = this.#inSlots();
		const runs = new Set(works.map(({ job }) => job.runId));
		for (const runId of runs) {
			if (!(await records.cancelRequested(runId))) continue;
			for (const { job, ended } of works)
				if (job.runId === runId) ended.abort(new CancelRequest(`run ${runId} was cancelled`));
		}
	}

	async #sweep(): Promise<void> {
		for (const { runId } of await this.#options.store.records.activeRuns())
			await this.#jobs.send({ queue: { kind: "schedule" }, runId, taskId: null });
	}
}
