import { hostname } from "node:os";
import { openRepository } from "../../git/repository.ts";
import { endMarkedIn } from "../../process/process-tree.ts";
import type { LiveWorker } from "../../store/workers.ts";
import { claimCheckouts } from "../checkouts-home.ts";
import { gitHost } from "../git-host.ts";
import type { Places } from "../places.ts";
import type { Store } from "../store.ts";
import { requireClone } from "./require-clone.ts";
import { machinesOf, workerId } from "./work-here.ts";
import { workInClone } from "./work-in-clone.ts";
import type { WorkerOptions } from "./worker.ts";

export interface WorkHow
	extends Pick<WorkerOptions, "tags" | "slots" | "signal" | "onNotice" | "onEvent" | "onJob"> {
	readonly onReady: (worker: Pick<LiveWorker, "id" | "tags" | "slots">) => void;
}

/**
 * Works in this clone until the signal aborts.
 *
 * @throws Fault `run-held` where another process works in this clone; `usage` where the store has the runs of another
 * repository; `store-unreachable`
 */
export async function workAt(
	place: {
		readonly store: Store;
		readonly places: Places;
		readonly env: Readonly<Record<string, string | undefined>>;
	},
	{ onReady, ...how }: WorkHow,
): Promise<void> {
	const machines = machinesOf(place.store);
	await machines.claim(await openRepository(place.places.root, gitHost(place.env)));
	const clone = await requireClone(place.store.leases, place.places);
	await endLeft(place.places, how.onNotice);
	const id = workerId();
	const tags = [...new Set(how.tags)].sort();
	onReady({ id, tags, slots: how.slots });
	await workInClone({ ...place, ...how, machines, id, host: hostname(), tags }, clone);
}

/**
 * Ends what a killed worker of this clone left running. Nobody else works here now; only a landing does not need the clone.
 */
async function endLeft(places: Places, onNotice: (text: string) => void): Promise<void> {
	const { directory } = await claimCheckouts(places);
	const ended = await endMarkedIn(directory, (mark) => !mark.includes(":landing:"));
	if (ended > 0) onNotice(`processes that an earlier worker left here were ended: ${ended}`);
}
