/** Runs one statement of SQL, perhaps inside a transaction; values stand for `$1`, `$2`, ... */
export type Execute = (
	sql: string,
	values?: readonly unknown[],
) => Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;

/** A queue of jobs: one for scheduling runs, and for each set of tags one of tasks. */
export type QueueName = { readonly kind: "schedule" } | TaskQueue;

export interface TaskQueue {
	readonly kind: "task";
	readonly tags: readonly string[];
}

/** A job as it was taken, for as long as it is worked on. */
export interface TakenJob {
	readonly id: string;
	readonly queue: QueueName;
	readonly runId: string;
	/** Null where the job is of the run as a whole. */
	readonly taskId: string | null;
	/** Number of times that it was taken before and came back. */
	readonly retries: number;
}

export interface JobRequest {
	readonly queue: QueueName;
	readonly runId: string;
	readonly taskId: string | null;
	readonly afterSeconds?: number;
}

/**
 * Port of the jobs between machines; `jobs.contract.ts` tries an adapter. A job that was taken comes back when its worker dies, and when it is given back; it is done once.
 * At most one job of a run or task waits or is worked on in its queue. Of scheduling one may wait while another is worked on, since what happens meanwhile is to be looked at again.
 *
 * It decides nothing: who may write is said by leases, and what is done by the records, so a job that is taken twice does no
 * harm. Methods may be called at once, and again after they failed; none waits for a job to end.
 *
 * @throws Fault `store-unreachable`
 */
export interface Jobs {
	/** Sends a job. One of the same run and task that is there already stands for it. */
	send(job: JobRequest): Promise<void>;
	/** Sends the scheduling of a run inside the transaction that is its cause. */
	announce(execute: Execute, runId: string): Promise<void>;
	/** Takes the oldest jobs that wait, at most `most`, in any order. They come back unless `keep` is called every 20 s. */
	take(queue: QueueName, most: number): Promise<readonly TakenJob[]>;
	/** Says that the job is worked on. */
	keep(job: TakenJob): Promise<void>;
	/** The job is done; where it was a task, its run is scheduled in the same transaction. */
	done(job: TakenJob): Promise<void>;
	/** Gives it back, to be taken again after a pause that grows with its tries: 1 s, 2 s, 4 s, at most 60 s. */
	giveBack(job: TakenJob, why: string): Promise<void>;
	/** Queues of tasks into which anything was ever sent. */
	queues(): Promise<readonly TaskQueue[]>;
	/** Tasks that wait for a worker, also those that were given back. @returns their number, and how long the oldest has waited */
	waiting(): Promise<{ readonly jobs: number; readonly oldestSeconds: number }>;
	close(): Promise<void>;
}

/** Tells whether a worker with these tags takes jobs of that queue. */
export function serves(tags: ReadonlySet<string>, queue: TaskQueue): boolean {
	return queue.tags.every((tag) => tags.has(tag));
}
