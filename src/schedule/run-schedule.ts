import { isDeepStrictEqual } from "node:util";
import { Fault, type FaultCode } from "../kernel/fault.ts";
import type { Records, TaskRecord, Write } from "../store/records.ts";
import type { Workflow } from "../workflow/workflow.ts";
import {
	answeredItems,
	blockedWrites,
	nearestToEnd,
	newlyBlocked,
	readinessOf,
	type ScheduleView,
	stoppedEvent,
	viewOf,
} from "./readiness.ts";

/** A task that is worked on. */
export interface ScheduledTask {
	readonly taskId: string;
	/** From 0; no two tasks that are worked on at the same time have the same one. */
	readonly slot: number;
}

export interface ScheduleContext {
	readonly runId: string;
	readonly workflow: Workflow;
	readonly records: Records;
	commit(writes: readonly Write[]): Promise<void>;
	/** Runs one task until it ends or needs a person. */
	runTask(task: ScheduledTask): Promise<void>;
	/** Resolves after a short time. While a task waits for a person, answers are looked for that often. */
	pause(): Promise<void>;
	/** Ends the tasks that are worked on: the run cannot go on. */
	stop(reason: unknown): void;
	onStopped(taskId: string, error: unknown): void;
	readonly signal: AbortSignal;
}

/**
 * Runs the tasks in dependency order, up to `max_parallel` at once, until none can continue without a person.
 *
 * An error stops its own task, which a resume takes up where it was; the others go on, and then the error is thrown.
 * What concerns the whole run (its lease, its database, a preflight) ends all of them at once.
 *
 * @throws the signal's reason; what concerns the run; else the first error that stopped a task
 */
export async function runSchedule(context: ScheduleContext): Promise<void> {
	const schedule = new Schedule(context, await context.records.tasks(context.runId));
	await schedule.run();
}

// Where the remote is away, a call that another task has paid for still ends and is stored. Any other fault is the run's.
const OF_ONE_TASK: ReadonlySet<FaultCode> = new Set([
	"branch-in-use",
	"checkout-dirty",
	"checkout-lost",
	"git-failed",
	"push-refused",
	"ref-in-the-way",
	"remote-unreachable",
	"run-not-resumable",
]);

class Schedule {
	readonly #context: ScheduleContext;
	readonly #tasks: Map<string, TaskRecord>;
	readonly #answered = new Set<string>();
	readonly #working = new Map<string, { readonly slot: number; readonly end: Promise<void> }>();
	readonly #stopped = new Map<string, unknown>();

	constructor(context: ScheduleContext, tasks: readonly TaskRecord[]) {
		this.#context = context;
		this.#tasks = new Map(tasks.map((task) => [task.taskId, task]));
	}

	async run(): Promise<void> {
		const { signal } = this.#context;
		try {
			for (;;) {
				signal.throwIfAborted();
				await this.#readAnswers();
				await this.#blockAll();
				this.#startReady();
				if (this.#working.size === 0) break;
				await this.#somethingChanged();
			}
		} catch (error) {
			// Records that cannot be read or written concern all tasks: none of them works on in vain.
			this.#context.stop(error);
			throw error;
		} finally {
			// Whatever ends the run, no task works on after it.
			await Promise.all([...this.#working.values()].map(({ end }) => end));
		}
		signal.throwIfAborted();
		for (const error of this.#stopped.values()) throw error;
	}

	#view(): ScheduleView {
		return viewOf(this.#context.workflow, { tasks: this.#tasks, answered: this.#answered });
	}

	async #readAnswers(): Promise<void> {
		for (const id of await answeredItems(this.#context.records, this.#tasks.values()))
			this.#answered.add(id);
	}

	// Each blocked task may block others.
	async #blockAll(): Promise<void> {
		const view = this.#view();
		for (;;) {
			const blocked = newlyBlocked(view);
			if (blocked.length === 0) return;
			for (const task of blocked) {
				await this.#context.commit(blockedWrites(task, view));
				await this.#readAgain(task.taskId);
			}
		}
	}

	#ready(): TaskRecord[] {
		const view = this.#view();
		return [...this.#tasks.values()].filter(
			(task) =>
				!this.#working.has(task.taskId) &&
				!this.#stopped.has(task.taskId) &&
				readinessOf(task, view) === "ready",
		);
	}

	#startReady(): void {
		const free = this.#context.workflow.maxParallel - this.#working.size;
		for (const { taskId } of this.#ready().toSorted(nearestToEnd).slice(0, Math.max(0, free)))
			this.#start(taskId);
	}

	#start(taskId: string): void {
		const taken = new Set([...this.#working.values()].map(({ slot }) => slot));
		let slot = 0;
		while (taken.has(slot)) slot += 1;
		this.#working.set(taskId, { slot, end: this.#work({ taskId, slot }) });
	}

	// Never rejects.
	async #work(task: ScheduledTask): Promise<void> {
		const { taskId } = task;
		try {
			const before = this.#tasks.get(taskId);
			await this.#context.runTask(task);
			await this.#readAgain(taskId);
			this.#requireMoved(before);
		} catch (error) {
			await this.#noteError(taskId, error);
		} finally {
			this.#working.delete(taskId);
		}
	}

	async #noteError(taskId: string, error: unknown): Promise<void> {
		this.#stopped.set(taskId, error);
		// What ends because the run ends is no news.
		if (this.#context.signal.aborted) return;
		if (error instanceof Fault && !OF_ONE_TASK.has(error.code)) {
			this.#context.stop(error);
			return;
		}
		this.#context.onStopped(taskId, error);
		const othersGoOn =
			[...this.#working.keys()].some((id) => id !== taskId) || this.#ready().length > 0;
		// Where it cannot be stored, nothing else can be either.
		await this.#context
			.commit([stoppedEvent(this.#context.runId, taskId, error, othersGoOn)])
			.catch((failed: unknown) => this.#context.stop(failed));
	}

	async #readAgain(taskId: string): Promise<void> {
		const { records, runId } = this.#context;
		const record = await records.task(runId, taskId);
		if (record !== undefined) this.#tasks.set(taskId, record);
	}

	// It would be started again without end.
	#requireMoved(before: TaskRecord | undefined): void {
		const after = before === undefined ? undefined : this.#tasks.get(before.taskId);
		if (after === undefined || readinessOf(after, this.#view()) !== "ready") return;
		if (!isDeepStrictEqual(before, after)) return;
		throw new Fault(`task ${after.taskId} could go on and did not, in phase ${after.phase}`, {
			code: "run-not-resumable",
			hint: `This is a defect of Sparring; \`spar trace ${after.taskId}\` shows what happened before it. To give the run up and keep its commits: spar cancel ${this.#context.runId}`,
		});
	}

	async #somethingChanged(): Promise<void> {
		const ends = [...this.#working.values()].map(({ end }) => end);
		const asks = [...this.#tasks.values()].some(({ status }) => status === "paused_for_human");
		await Promise.race(asks ? [...ends, this.#context.pause()] : ends);
	}
}
