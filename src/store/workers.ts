/** Something that a machine lacks to work on a run. */
export interface Lack {
	readonly runId: string;
	/** The agent that cannot be called there; null where the machine cannot work on the run at all. */
	readonly agent: string | null;
	/** One sentence. */
	readonly why: string;
}

export interface WorkerRecord {
	/** Unique, such as `"build-7:4711-k3f9ab"`. */
	readonly id: string;
	readonly host: string;
	readonly tags: readonly string[];
	/** Number of tasks at once, at least 1. */
	readonly slots: number;
	readonly busy: number;
	readonly lacks: readonly Lack[];
	/** It finishes what it works on, takes nothing new, and then ends. */
	readonly draining: boolean;
}

/** A worker that lives, as others see it. */
export interface LiveWorker extends WorkerRecord {
	/** By the database's clock; ISO 8601. */
	readonly seenAt: string;
}

/** Workers of a store, kept in the database. */
export interface Workers {
	/** Says that a worker lives. @returns whether it drains, by itself or because it was asked to */
	beat(worker: WorkerRecord): Promise<{ readonly draining: boolean }>;
	/** Asks live workers to drain: those of this id or host, or all. @returns their ids */
	drain(which: string | null): Promise<readonly string[]>;
	/** Forgets one that ends. Idempotent. */
	leave(id: string): Promise<void>;
	/** Those that were heard of in the last 30 s, by id. */
	live(): Promise<readonly LiveWorker[]>;
	/** The database's clock, which is the same for all machines; milliseconds since the epoch. */
	now(): Promise<number>;
}
