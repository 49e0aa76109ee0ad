export interface WorkerRecord {
	/** Unique, such as `"build-7:4711-k3f9ab"`. */
	readonly id: string;
	readonly host: string;
	readonly tags: readonly string[];
	/** Number of tasks at once, at least 1. */
	readonly slots: number;
	readonly busy: number;
}

/** A worker that lives, as others see it. */
export interface LiveWorker extends WorkerRecord {
	/** By the database's clock; ISO 8601. */
	readonly seenAt: string;
}

/** Workers of a store, kept in the database. */
export interface Workers {
	/** Says that a worker lives. */
	beat(worker: WorkerRecord): Promise<void>;
	/** Forgets one that ends. Idempotent. */
	leave(id: string): Promise<void>;
	/** Those that were heard of in the last 30 s, by id. */
	live(): Promise<readonly LiveWorker[]>;
	/** The database's clock, which is the same for all machines; milliseconds since the epoch. */
	now(): Promise<number>;
}
