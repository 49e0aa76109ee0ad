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
import { type Lease, type RunRecord, stepWrite } from "../store/records.ts";
import type { LiveWorker } from "../store/workers.ts";
import type { EventListener, StoredEvent } from "../trace/event.ts";
import { Fitness, isMergedNext, Unfit } from "./fitness.ts";
import { landDue } from "./land-due.ts";
import {
	type HeldTask,
	mergeUnderLease,
	OpenGrounds,
	type RunGround,
	type WorkerPlace,
	workUnderLease,
} from "./run-ground.ts";
import { scheduleRun } from "./schedule-run.ts";
import { causeOf, isOfMachine, isWaitedFor, nextTry, pauseMs, triesStep } from "./tries.ts";
import { type HealthAddress, serveHealth, Vitals } from "./worker-health.ts";

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
	/** Gives back what is worked on. */
	readonly signal: AbortSignal;
	/** Ends once what is worked on rests, and takes nothing new. */
	readonly drain?: AbortSignal | undefined;
	readonly health?: HealthAddress | undefined;
	readonly onEvent?: EventListener | undefined;
	readonly onTask?: (told: ToldTask) => void;
}

export interface WorkOptions
	extends Pick<
		WorkerOptions,
		"tags" | "slots" | "signal" | "drain" | "health" | "onNotice" | "onEvent" | "onTask"
	> {
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
	const { machines, health, onNotice } = options;
	const jobs = await machines.ownJobs((error) => onNotice(error.message));
	const worker = new Worker(options, jobs);
	const waiting = () => jobs.waiting();
	let served: Awaited<ReturnType<typeof serveHealth>> | null = null;
	try {
		served = health === undefined ? null : await serveHealth(health, worker.vitals, waiting);
		if (served !== null) onNotice(`health: ${served.url}/live, /ready and /metrics`);
		await worker.run();
	} finally {
		await served?.close();
		await machines.workers.leave(options.id).catch(() => undefined);
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
	readonly #fitness: Fitness;
	readonly vitals = new Vitals();
	/** What others were told last. */
	#told = "";
	readonly #leftUntil = new Map<string, number>();
	#queues: readonly QueueName[] = [];
	#wake: () => void = () => undefined;

	constructor(options: WorkerOptions, jobs: Jobs) {
		this.#options = options;
		this.#jobs = jobs;
		this.#grounds = new OpenGrounds(options);
		this.#fitness = new Fitness(options);
		this.vitals.slots = options.slots;
		options.drain?.addEventListener("abort", () => this.#wake(), { once: true });
	}

	readonly #onEvent = (event: StoredEvent): void => {
		this.vitals.count(event);
		this.#options.onEvent?.(event);
	};

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
			this.vitals.turned(!told);
			if (this.vitals.draining && this.#work.size === 0) break;
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
		await this.#beat();
		if (this.#due.is("cancel", CANCEL_MS)) await this.#endCancelled();
		if (this.vitals.draining) return;
		if (this.#due.is("queues", QUEUES_MS)) await this.#findQueues();
		if (this.#due.is("sweep", SWEEP_MS)) await this.#sweep();
		await this.#take({ kind: "schedule" }, 4);
		for (const queue of this.#queues) {
			if (performance.now() < (this.#leftUntil.get(JSON.stringify(queue)) ?? 0)) continue;
			const free = this.#options.slots - this.#inSlots().length;
			if (free > 0) await this.#take(queue, free);
		}
	}

	async #beat(): Promise<void> {
		const { id, host, tags, slots, machines, drain, onNotice } = this.#options;
		const { lacks } = this.#fitness;
		const busy = this.#inSlots().length;
		const draining = this.vitals.draining || drain?.aborted === true;
		const says = { id, host, tags, slots, busy, lacks, draining };
		const isNews = JSON.stringify(says) !== this.#told;
		if (!this.#due.is("beat", BEAT_MS) && !isNews) return;
		const asked = await machines.workers.beat(says);
		this.#told = JSON.stringify(says);
		if (asked.draining && !this.vitals.draining)
			onNotice(`takes nothing new, and ends once what it works on rests: ${busy} in work`);
		Object.assign(this.vitals, { busy, lacks: lacks.length, draining: asked.draining });
	}

	async #findQueues(): Promise<void> {
		const own = new Set(this.#options.tags);
		this.#queues = (await this.#jobs.queues()).filter((queue) => serves(own, queue));
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
			if (!this.#fitness.isUnfit(job)) this.#tell(job, "taken");
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
		const wasUnfit = this.#fitness.isUnfit(job);
		using _keeping = setInterval(() => void this.#jobs.keep(job).catch(() => undefined), KEEP_MS);
		try {
			const what = await this.#handle(work);
			// Of what is left to others the run is scheduled again at once: no pause grows for them.
			await this.#jobs.done(job);
			if (what === "done" || !wasUnfit) this.#tell(job, what);
		} catch (error) {
			this.#tell(job, "given-back");
			const why = error instanceof Error ? error.message : String(error);
			if (!isHeld(error) && !work.ended.signal.aborted) this.#options.onNotice(why);
			await this.#jobs.giveBack(job, why).catch(() => undefined);
		}
	}

	#tell({ runId, taskId }: TakenJob, what: ToldTask["what"]): void {
		if (taskId !== null) this.#options.onTask?.({ runId, taskId, kind: "task", what });
	}

	async #handle(work: Work): Promise<"done" | "given-back"> {
		const { runId, taskId } = work.job;
		if (taskId !== null) return await this.#task(work, taskId);
		const { id, machines } = this.#options;
		const land = (run: RunRecord, lease: Lease) => this.#land(work, run, lease);
		const own = { owner: id, jobs: this.#jobs, workers: machines.workers, land };
		await scheduleRun({ ...this.#options, ...own }, runId);
		return "done";
	}

	async #land({ job, ended }: Work, run: RunRecord, lease: Lease): Promise<void> {
		const { onTask } = this.#options;
		const onEvent = this.#onEvent;
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

	async #task(work: Work, taskId: string): Promise<"done" | "given-back"> {
		const { store } = this.#options;
		const { runId } = work.job;
		const run = await store.records.run(runId);
		if (run === undefined || !isUnended(run) || run.cancelRequested) return "done";
		const lease = await store.leases.take(runId, { task: taskId });
		try {
			// It was stopped by whoever had the job before, and then killed.
			if ((await store.records.step(stoppedStep({ runId, taskId }))) != null) return "done";
			await this.#underLease(work, lease, taskId);
			return "done";
		} catch (error) {
			return await this.#afterError(work, { lease, taskId }, error);
		} finally {
			await lease.release();
		}
	}

	/** Acts on what ended the work on a task. @throws it where the task is to be taken again */
	async #afterError(
		work: Work,
		task: { readonly lease: Lease; readonly taskId: string },
		error: unknown,
	): Promise<"done" | "given-back"> {
		const { onNotice, env } = this.#options;
		const { lease, taskId } = task;
		const { runId } = lease;
		const { signal } = work.ended;
		if (signal.reason instanceof CancelRequest) return "done";
		if (signal.aborted || lease.lost.aborted) throw error;
		if (error instanceof Unfit || isOfMachine(error)) {
			const why = maskerOf(env, null).mask(stoppedBy(causeOf(error)).message);
			if (!(error instanceof Unfit)) this.#fitness.ofRun(runId, why);
			if (this.#fitness.cannotDo(work.job, why))
				onNotice(`this worker cannot work on ${taskId} of run ${runId}: ${why}`);
			this.#leftUntil.set(JSON.stringify(work.job.queue), performance.now() + LEAVE_MS);
			return "given-back";
		}
		if (isWaitedFor(error) || (await this.#nextTry(task, error)) === null) {
			const cause = causeOf(error);
			onNotice(`task ${taskId} of run ${runId} stopped: ${stoppedBy(cause).message}`);
			await this.#stop(task, cause);
			return "done";
		}
		throw error;
	}

	async #nextTry(
		{ lease, taskId }: { readonly lease: Lease; readonly taskId: string },
		error: unknown,
	): Promise<number | null> {
		const { records } = this.#options.store;
		return await nextTry(this.#commitUnder(lease), records, { runId: lease.runId, taskId, error });
	}

	async #underLease(work: Work, lease: Lease, taskId: string): Promise<void> {
		const signal = AbortSignal.any([work.ended.signal, lease.lost]);
		const { store, onNotice } = this.#options;
		const { runId } = lease;
		lease.lost.addEventListener("abort", () => {
			this.vitals.leaseLosses += 1;
			onNotice(
				`this worker could not renew its lease of task ${taskId} of run ${runId}, and gives it to others`,
			);
		});
		const held = { taskId, slot: work.slot, lease, signal, onEvent: this.#onEvent };
		await this.#grounds.with(runId, async (ground) => {
			this.#fitness.ofRun(runId, null);
			let isThrough = false;
			while (!isThrough) {
				const isMerged = isMergedNext(await store.records.task(runId, taskId));
				if (!isMerged)
					await this.#fitness.require(ground, { taskId, tags: this.#options.tags, signal });
				if (this.#fitness.canDo(work.job)) this.#tell(work.job, "taken");
				isThrough = await this.#isThrough(ground, held, isMerged);
			}
		});
	}

	/** @returns false where it goes on here, after a pause or a look at what its agents need */
	async #isThrough(ground: RunGround, held: HeldTask, isMerged: boolean): Promise<boolean> {
		try {
			if (isMerged) return await mergeUnderLease(this.#options, ground, held);
			await workUnderLease(this.#options, ground, held);
			return true;
		} catch (error) {
			if (held.signal.aborted || !isWaitedFor(error)) throw error;
			const times = await this.#nextTry(held, error);
			if (times === null) throw error;
			const where = `task ${held.taskId} of run ${held.lease.runId}`;
			this.#options.onNotice(`${where} waits: ${error.message}; it is tried again`);
			await delay(pauseMs(times), undefined, { signal: held.signal });
			return false;
		}
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
		const { store, env } = this.#options;
		const onEvent = this.#onEvent;
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
		const runs = await this.#options.store.records.activeRuns();
		this.#fitness.keep(new Set(runs.map(({ runId }) => runId)));
		for (const { runId } of runs)
			await this.#jobs.send({ queue: { kind: "schedule" }, runId, taskId: null });
	}
}
