import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../kernel/fault.ts";
import type { Store } from "../places/store.ts";
import type { Lease, LeaseScope } from "../store/records.ts";

// Somebody who looks at a run is waited for: a notification takes up to 10 s.
const LOOKING_MS = 15_000;
const PAUSE_MS = 200;

/** Tells whether something failed only because somebody else holds the run, or what of it was asked for, at this moment. */
export const isHeld = (error: unknown): boolean =>
	error instanceof Fault && error.code === "run-held";

/** For a lease that is taken where nobody has it: null then, in a `catch`. */
export function unlessHeld(error: unknown): null {
	if (isHeld(error)) return null;
	throw error;
}

/**
 * Takes a run or a part of it. Where several machines work on it, each of them holds it for a moment now and then, to look
 * what can be done next or to merge: that is waited for.
 *
 * @throws Fault `run-held`; the signal's reason
 */
export async function takeRun(
	{ leases, machines }: Pick<Store, "leases" | "machines">,
	runId: string,
	scope: LeaseScope = "run",
	{ mostMs = LOOKING_MS, signal }: { readonly mostMs?: number; readonly signal?: AbortSignal } = {},
): Promise<Lease> {
	const end = performance.now() + mostMs;
	for (;;) {
		try {
			return await leases.take(runId, scope);
		} catch (error) {
			if (machines === null || !isHeld(error) || performance.now() > end) throw error;
		}
		await delay(PAUSE_MS, undefined, { signal });
	}
}
