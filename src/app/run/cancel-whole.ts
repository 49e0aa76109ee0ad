import { openRepository } from "../../git/repository.ts";
import { keptCheckout } from "../kept-checkout.ts";
import type { Places } from "../places.ts";
import type { Store } from "../store.ts";
import { writeTraces } from "../trace-file.ts";
import { cancelRun } from "./cancel-run.ts";
import { removeLeftFiles, removeLeftLocks } from "./leftovers.ts";

/**
 * Cancels a run, removes what killed processes of it left, and writes its traces.
 *
 * @throws as `cancelRun`
 */
export async function cancelWhole(store: Store, places: Places, runId: string): Promise<void> {
	await cancelRun(store, runId, {
		checkoutOf: (task) => keptCheckout(places, task),
		onCancelled: async () => {
			const repository = await openRepository(places.root, places.host);
			await removeLeftLocks(repository, runId);
			await removeLeftFiles(places, repository, runId);
			await writeTraces(store, runId);
		},
	});
}
