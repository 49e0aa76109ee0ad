import { systemClock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";

const AGAIN_MS = 1_000;

export interface Outwaiting {
	readonly signal?: AbortSignal | undefined;
	/** Told once that the store is away, however often it is asked until it is back. */
	readonly onNotice?: ((text: string) => void) | undefined;
	readonly pause?: () => Promise<void>;
}

// The store of one machine never is.
const isStoreAway = (error: unknown): error is Fault =>
	error instanceof Fault && error.code === "store-unreachable" && error.retryable;

/**
 * Looks into a store, and again while the store is away. For work that may be begun again: it may have been done in part.
 *
 * @throws what the look throws for another reason; the signal's reason when it aborts while the store is away
 */
export async function outwaitStore<T>(
	look: () => Promise<T>,
	{ signal, onNotice, pause }: Outwaiting,
): Promise<T> {
	for (let isTold = false; ; isTold = true) {
		try {
			return await look();
		} catch (error) {
			if (!isStoreAway(error)) throw error;
			if (!isTold) onNotice?.(`${error.message}; it is tried again`);
		}
		await (pause === undefined
			? systemClock.sleep(AGAIN_MS, signal).catch(() => undefined)
			: pause());
		signal?.throwIfAborted();
	}
}
