import { hostname } from "node:os";
import { randomId } from "../../kernel/ids.ts";
import type { Supervision } from "../sparring.ts";
import type { Store } from "../store.ts";
import { type Following, followRun } from "./follow-run.ts";
import { isStoreAway, outwaitStore } from "./outwait-store.ts";
import { requireClone } from "./require-clone.ts";
import type { WorkerPlace } from "./run-ground.ts";
import { workInClone } from "./work-in-clone.ts";
import type { WorkerOptions } from "./worker.ts";

/**
 * A new name for a worker of this process, another one each time: containers may share their host name and their process
 * ids.
 *
 * @example `"build-7:4711-k3f9ab"`
 */
export const workerId = (): string => `${hostname()}:${process.pid}-${randomId(6)}`;

/** A store that several machines share. @throws Error for another one: that is a bug */
export function machinesOf(store: Store): NonNullable<Store["machines"]> {
	if (store.machines === null) throw new Error("the store is that of one machine");
	return store.machines;
}

/**
 * Follows a run to its end or its questions. Meanwhile this process works, too, on whatever needs no tags: where no
 * worker runs, a run goes on all the same. A clone in which a worker runs already is left to it.
 */
export async function workThroughRun(
	place: WorkerPlace,
	run: { readonly runId: string; readonly slots: number },
	following: Omit<Following, "signal" | "onNotice"> & Pick<Supervision, "signal">,
): Promise<void> {
	const ended = new AbortController();
	const outer = following.signal === undefined ? [] : [following.signal];
	const signal = AbortSignal.any([ended.signal, ...outer]);
	const options: WorkerOptions = {
		...place,
		machines: machinesOf(place.store),
		id: workerId(),
		host: hostname(),
		tags: [],
		slots: run.slots,
		signal,
	};
	const failed = new AbortController();
	const working = workAlong(options).catch((error: unknown) => failed.abort(error));
	try {
		const told = AbortSignal.any([failed.signal, ...outer]);
		const { onNotice } = place;
		await followRun(place.store.records, run.runId, { ...following, onNotice, signal: told });
	} finally {
		ended.abort(new Error("the run that was followed rests"));
		await working;
	}
}

/** Takes tasks until the signal aborts; a store that is away is waited for, of which whoever follows the run tells. */
async function workAlong(options: WorkerOptions): Promise<void> {
	const { store, places, signal } = options;
	const work = async (): Promise<void> => {
		const clone = await requireClone(store.leases, places).catch((error: unknown) => {
			if (isStoreAway(error)) throw error;
			return null;
		});
		if (clone !== null) await workInClone(options, clone);
	};
	await outwaitStore(work, { signal });
}
