import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../kernel/fault.ts";
import type { Lease, LeaseScope } from "../../store/records.ts";
import type { Store } from "../store.ts";

/** How long somebody may look at a run before it counts as held, in ms: a notification takes up to 10 s. */
const LOOKING_MS = 15_000;
const PAUSE_MS = 200;

/**
 * Takes a run or a part of it. Where several machines work on it, each of them holds it for a moment now and then, to look
 * what can be done next or to merge: that is waited for.
 *
 * @throws Fault `run-held`
 */
export async function takeRun(
	{ leases, machines }: Pick<Store, "leases" | "machines">,
	runId: string,
	scope: LeaseScope = "run",
): Promise<Lease> {
	const end = performance.now() + LOOKING_MS;
	for (;;) {
		try {
			return await leases.take(runId, scope);
		} catch (error) {
			const isHeld = error instanceof Fault && error.code === "run-held";
			if (machines === null || !isHeld || performance.now() > end) throw error;
		}
		await delay(PAUSE_MS);
	}
}
