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

export interface JobRequest {
	readonly queue: QueueName;
	readonly runId: string;
	/** Null where the job is of the run as a whole. */
	readonly taskId: string | null;
	readonly afterSeconds?: number;
	/** Number of times that it failed in a way that passes by itself; default 0. */
	readonly tries?: number;
}

export type TakenJob = Required<Omit<JobRequest, "afterSeconds">>;

/**
 * Hand-out of work between machines. Of a run or task one job waits at most; once it is taken it is gone, and the lease of
 * the task says who works. What was lost with a worker is handed out again by the next look at the run.
 *
 * @throws Fault `store-unreachable`
 */
export interface Jobs {
	/** Sends a job. One of the same run and task that waits stands for it. */
	send(job: JobRequest): Promise<void>;
	/** Sends the scheduling of a run inside the transaction that is its cause. */
	announce(execute: Execute, runId: string): Promise<void>;
	/** At most `most` jobs that wait, oldest first. */
	take(queue: QueueName, most: number): Promise<readonly TakenJob[]>;
	/** Queues of tasks into which anything was ever sent. */
	queues(): Promise<readonly TaskQueue[]>;
	close(): Promise<void>;
}

/** Tells whether a worker with these tags takes jobs of that queue. */
export function serves(tags: ReadonlySet<string>, queue: TaskQueue): boolean {
	return queue.tags.every((tag) => tags.has(tag));
}
