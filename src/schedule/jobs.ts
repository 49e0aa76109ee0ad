/** Runs one statement of SQL, perhaps inside a transaction; values stand for `$1`, `$2`, ... */
export type Execute = (
	sql: string,
	values?: readonly unknown[],
) => Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;

/**
 * A queue of jobs: one for scheduling runs, one for landing them, and for each set of tags one of tasks and one of
 * verifications.
 */
export type QueueName =
	| { readonly kind: "schedule" }
	| { readonly kind: "land" }
	/** Sorted, such as `["gpu", "linux"]`; empty for what any machine can do. */
	| { readonly kind: "task"; readonly tags: readonly string[] }
	/** Likewise, of what the verifier's agents need. */
	| { readonly kind: "verify"; readonly tags: readonly string[] };

/** A job as it was taken, for as long as it is worked on. */
export interface TakenJob {
	readonly id: string;
	readonly queue: QueueName;
	readonly runId: string;
	/** Null where the job is of the run as a whole. */
	readonly taskId: string | null;
	/** What it asks for, as JSON; null where run and task say it. */
	readonly body: string | null;
	/** How often it was taken before and came back. */
	readonly retries: number;
}

/** What a job is about. */
export interface JobRequest {
	readonly queue: QueueName;
	readonly runId: string;
	/** Null for a job of the whole run. */
	readonly taskId: string | null;
	/** Tells jobs of one task apart, such as `1/3/9f86d081884c7d65/0`; default: there is one. */
	readonly key?: string;
	/** JSON that travels with it, so that it is sent with what it asks for or not at all; default: nothing. */
	readonly body?: string;
	/** In how many seconds it may be taken at the earliest; default 0. */
	readonly afterSeconds?: number;
}

/**
 * Jobs between machines. A job that was taken comes back when its worker dies, and when it is given back; it is done once.
 * At most one job of a key waits or is worked on: the key is the run, with the task where there is one, and the request's
 * own. Of scheduling one may wait while another is worked on, since what happens meanwhile is to be looked at again.
 *
 * @throws Fault `store-unreachable`
 */
export interface Jobs {
	/** Sends a job. One of its key that is there already stands for it. */
	send(job: JobRequest): Promise<void>;
	/** Sends the scheduling or the landing of a run inside the transaction that is its cause. */
	announce(execute: Execute, runId: string, kind?: "schedule" | "land"): Promise<void>;
	/** At most `most` jobs that wait, oldest first. They come back unless `keep` is called every 20 s. */
	take(queue: QueueName, most: number): Promise<readonly TakenJob[]>;
	/** False when the job is no longer this worker's. */
	keep(job: TakenJob): Promise<boolean>;
	/** The job is done; where it was a task, its run is scheduled in the same transaction. */
	done(job: TakenJob): Promise<void>;
	/** Gives it back, to be taken again after a pause that grows with its tries: 1 s, 2 s, 4 s, at most 60 s. */
	giveBack(job: TakenJob, why: string): Promise<void>;
	/** Queues of tasks and verifications into which anything was ever sent. */
	queues(): Promise<readonly QueueName[]>;
	close(): Promise<void>;
}

/** Whether a worker with these tags takes jobs of that queue. */
export function serves(tags: ReadonlySet<string>, queue: QueueName): boolean {
	return !("tags" in queue) || queue.tags.every((tag) => tags.has(tag));
}
