import { findRun } from "../find-run.ts";
import { type RunGround, type WorkerPlace, withRunGround } from "./run-ground.ts";

/** This machine cannot work on a run, for a reason that another machine may not have. */
export class NoGround extends Error {
	/** @param cause why, such as a secret that is not set here */
	constructor(runId: string, cause: unknown) {
		const why = cause instanceof Error ? cause.message : String(cause);
		super(`this machine cannot work on run ${runId}: ${why}`, { cause });
	}
}

interface Opened {
	readonly ground: Promise<RunGround>;
	users: number;
	readonly close: () => void;
	readonly closed: Promise<void>;
}

/** Grounds of runs, each open while a task of its run is worked on here. */
export class OpenGrounds {
	readonly #place: WorkerPlace;
	readonly #opened = new Map<string, Opened>();

	constructor(place: WorkerPlace) {
		this.#place = place;
	}

	/**
	 * Does some work on a run. The first one opens its ground, the last one closes it.
	 *
	 * @throws NoGround where it cannot be opened
	 */
	async with<T>(runId: string, work: (ground: RunGround) => Promise<T>): Promise<T> {
		const opened = this.#opened.get(runId) ?? this.#open(runId);
		opened.users += 1;
		try {
			const ground = await opened.ground.catch((error: unknown) => {
				throw new NoGround(runId, error);
			});
			return await work(ground);
		} finally {
			opened.users -= 1;
			if (opened.users === 0) {
				this.#opened.delete(runId);
				opened.close();
				await opened.closed;
			}
		}
	}

	async close(): Promise<void> {
		await Promise.all([...this.#opened.values()].map(({ closed }) => closed));
	}

	#open(runId: string): Opened {
		const ready = Promise.withResolvers<RunGround>();
		const leave = Promise.withResolvers<void>();
		const closed = this.#hold(runId, async (ground) => {
			ready.resolve(ground);
			await leave.promise;
		}).catch((error: unknown) => {
			ready.reject(error);
		});
		const opened = { ground: ready.promise, users: 0, close: leave.resolve, closed };
		this.#opened.set(runId, opened);
		return opened;
	}

	async #hold(runId: string, work: (ground: RunGround) => Promise<void>): Promise<void> {
		const run = await findRun(this.#place.store.records, runId);
		await withRunGround(this.#place, run, work);
	}
}
