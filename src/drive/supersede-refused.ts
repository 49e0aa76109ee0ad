import type { Places } from "../places/places.ts";
import type { Store } from "../places/store.ts";
import { cancelWhole } from "./cancel-run.ts";
import { hasCalled } from "./ground-preflight.ts";

/**
 * Cancels the runs that a preflight stopped and that nobody took up since: a new run takes their place, so that
 * `spar resume` need not be told which is meant. None of them has called an agent.
 *
 * @returns their ids
 */
export async function supersedeRefused(
	store: Store,
	places: Places,
	newRun: string,
): Promise<readonly string[]> {
	const superseded: string[] = [];
	for (const run of await store.records.runs()) {
		const { runId } = run;
		if (runId === newRun || run.status !== "running") continue;
		if (await hasCalled(store.records, runId)) continue;
		if ((await store.leases.holder(runId)) !== undefined) continue;
		const ends = (await store.records.events(runId)).flatMap((event) =>
			event.type === "preflight-ended" ? [event.data.outcome] : [],
		);
		if (ends.at(-1) !== "stopped") continue;
		await cancelWhole(store, places, runId);
		superseded.push(runId);
	}
	return superseded;
}
