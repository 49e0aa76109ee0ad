import { type Masker, noMasker } from "../masking/masking.ts";
import { maskWrites } from "../store/mask-writes.ts";
import type { Records, Write } from "../store/records.ts";
import type { Drive } from "./drive.ts";
import type { TimeKeeper } from "./time-keeper.ts";

// A budget lags behind by less.
const TIME_STEP_MS = 250;

/**
 * Commits under the lease, masked, and tells the listener what happened, as it was stored.
 *
 * @param drive.masker left out only where the writes hold nothing that anybody but us wrote
 * @param keeper the time that it measured goes into each batch, so that a budget is judged by the present
 */
export function committer(
	records: Records,
	drive: Pick<Drive, "lease" | "onEvent"> & { readonly masker?: Masker },
	keeper?: TimeKeeper,
): (writes: readonly Write[]) => Promise<void> {
	const { masker = noMasker } = drive;
	return async (writes) => {
		const time = keeper?.take(writes.length === 0 ? 0 : TIME_STEP_MS) ?? [];
		const events = await records.commit(drive.lease, maskWrites(masker, writes).concat(time));
		for (const event of events) drive.onEvent?.(event);
	};
}
