import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../kernel/fault.ts";
import type { Lease } from "../../store/records.ts";
import { requireClone } from "./require-clone.ts";
import { type WorkerOptions, work } from "./worker.ts";

/** How often a store that is away is asked again, in ms. */
const AGAIN_MS = 1_000;

/**
 * Takes jobs in this clone until the signal aborts. A worker that could not renew its lease of the clone, because it was
 * stopped or the store was away, gives back what it has, takes the clone again once it can, and goes on.
 *
 * @param clone the lease of the clone, which is released in the end
 * @throws Fault `run-held` where another process took the clone meanwhile; `store-unreachable` when the store is away as
 * it begins
 */
export async function workInClone(options: WorkerOptions, clone: Lease): Promise<void> {
	const { signal, onNotice } = options;
	await workUnder(options, clone);
	for (let held = clone; !signal.aborted; ) {
		onNotice(
			"this worker could not renew its lease for 25 s, and others may take its tasks: it gives them back and begins again",
		);
		const taken = await takenAgain(options, held);
		if (taken === null) return;
		held = taken;
		await workUnder(options, taken).catch(unlessPassing);
	}
}

/** Ends by itself only when the signal aborts, or the lease is lost. */
async function workUnder(options: WorkerOptions, clone: Lease): Promise<void> {
	try {
		await work({ ...options, signal: AbortSignal.any([options.signal, clone.lost]) });
	} finally {
		await clone.release();
	}
}

/** @returns null when the signal aborts before the store is there */
async function takenAgain(
	{ store, places, signal }: WorkerOptions,
	lost: Lease,
): Promise<Lease | null> {
	while (!signal.aborted) {
		try {
			// For the store it may still be this process that holds the clone.
			await lost.release();
			return await requireClone(store.leases, places);
		} catch (error) {
			unlessPassing(error);
		}
		await delay(AGAIN_MS, undefined, { signal }).catch(() => undefined);
	}
	return null;
}

function unlessPassing(error: unknown): void {
	if (!(error instanceof Fault && error.retryable)) throw error;
}
