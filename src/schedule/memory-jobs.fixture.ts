import type { JobsUnderTest } from "./jobs.contract.ts";
import type { Execute, JobRequest, Jobs, QueueName, TakenJob, TaskQueue } from "./jobs.ts";

const LOST_AFTER_SECONDS = 20;

interface Entry {
	readonly id: string;
	readonly queue: QueueName;
	readonly runId: string;
	readonly taskId: string | null;
	retries: number;
	state: "waits" | "taken";
	sentAt: number;
	/** From then on it can be taken, or was heard of last. */
	at: number;
}

/** Jobs in memory, the shortest engine that keeps the contract; its clock stands still. */
class MemoryJobs implements Jobs {
	now = 0;
	#nth = 0;
	#entries: Entry[] = [];
	readonly #queues = new Map<string, TaskQueue>();
	readonly #pending = new WeakMap<Execute, string[]>();

	async send({ queue, runId, taskId, afterSeconds = 0 }: JobRequest): Promise<void> {
		const key = JSON.stringify(queue);
		if (queue.kind === "task") this.#queues.set(key, queue);
		const stands = this.#entries.some(
			(entry) =>
				JSON.stringify(entry.queue) === key &&
				entry.runId === runId &&
				entry.taskId === taskId &&
				(queue.kind === "task" || entry.state === "waits"),
		);
		if (stands) return;
		this.#nth += 1;
		const state = "waits" as const;
		const times = { sentAt: this.now, at: this.now + afterSeconds };
		this.#entries.push({ id: `${this.#nth}`, queue, runId, taskId, retries: 0, state, ...times });
	}

	async announce(execute: Execute, runId: string): Promise<void> {
		this.#pending.get(execute)?.push(runId);
	}

	async take(queue: QueueName, most: number): Promise<readonly TakenJob[]> {
		for (const entry of this.#entries)
			if (entry.state === "taken" && this.now - entry.at > LOST_AFTER_SECONDS) this.#back(entry, 0);
		const key = JSON.stringify(queue);
		const free = this.#entries.filter(
			(entry) =>
				JSON.stringify(entry.queue) === key && entry.state === "waits" && entry.at <= this.now,
		);
		return free.slice(0, most).map((entry) => {
			Object.assign(entry, { state: "taken", at: this.now });
			const { id, runId, taskId, retries } = entry;
			return { id, queue, runId, taskId, retries };
		});
	}

	async keep(job: TakenJob): Promise<void> {
		const entry = this.#taken(job);
		if (entry !== undefined) entry.at = this.now;
	}

	async done(job: TakenJob): Promise<void> {
		const entry = this.#taken(job);
		this.#entries = this.#entries.filter((each) => each !== entry);
		if (job.queue.kind === "task")
			await this.send({ queue: { kind: "schedule" }, runId: job.runId, taskId: null });
	}

	async giveBack(job: TakenJob): Promise<void> {
		const entry = this.#taken(job);
		if (entry !== undefined) this.#back(entry, Math.min(60, 2 ** entry.retries));
	}

	async queues(): Promise<readonly TaskQueue[]> {
		return [...this.#queues.values()];
	}

	async waiting(): Promise<{ readonly jobs: number; readonly oldestSeconds: number }> {
		const waiting = this.#entries.filter(
			({ queue, state }) => queue.kind === "task" && state === "waits",
		);
		const ages = waiting.map(({ sentAt }) => this.now - sentAt);
		return { jobs: waiting.length, oldestSeconds: Math.max(0, ...ages) };
	}

	async close(): Promise<void> {
		this.#entries = [];
	}

	async transaction(work: (execute: Execute) => Promise<void>): Promise<void> {
		const runs: string[] = [];
		const execute: Execute = async () => ({ rows: [] });
		this.#pending.set(execute, runs);
		await work(execute);
		for (const runId of runs) await this.send({ queue: { kind: "schedule" }, runId, taskId: null });
	}

	#taken({ id, retries }: TakenJob): Entry | undefined {
		return this.#entries.find(
			(entry) => entry.id === id && entry.retries === retries && entry.state === "taken",
		);
	}

	#back(entry: Entry, pause: number): void {
		Object.assign(entry, { state: "waits", retries: entry.retries + 1, at: this.now + pause });
	}
}

export async function memoryJobs(): Promise<JobsUnderTest> {
	const jobs = new MemoryJobs();
	return {
		jobs,
		transaction: (work) => jobs.transaction(work),
		pass: async (seconds) => {
			jobs.now += seconds;
		},
		close: () => jobs.close(),
	};
}
