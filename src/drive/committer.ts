import { type Masker, noMasker } from "../masking/masking.ts";
import { maskWrites } from "../store/mask-writes.ts";
import type { Records, Write } from "../store/records.ts";
import type { Drive } from "./drive.ts";

export interface TimeKeeper {
	begin(taskId: string): void;
	end(taskId: string): void;
	/**
	 * The time since the last one that was given out, to be stored at once: each millisecond is given out once.
	 *
	 * @param leastMs null for less; each task that is worked on costs a row. Default: 0
	 */
	take(leastMs?: number): (Write & { readonly kind: "time" }) | null;
}

/**
 * A time keeper that starts now.
 *
 * @param now milliseconds of a clock that runs evenly and is never set; on Linux it rests while the machine sleeps
 */
export function timeKeeper(runId: string, now: () => number = () => performance.now()): TimeKeeper {
	const active = new Set<string>();
	let at = now();
	let heldMs = 0;
	let tasks: Record<string, number> = {};
	const accrue = (): void => {
		const passed = now() - at;
		if (passed <= 0) return;
		at += passed;
		heldMs += passed;
		for (const taskId of active) tasks[taskId] = (tasks[taskId] ?? 0) + passed;
	};
	return {
		begin: (taskId) => {
			accrue();
			active.add(taskId);
		},
		end: (taskId) => {
			accrue();
			active.delete(taskId);
		},
		take: (leastMs = 0) => {
			accrue();
			if (heldMs < leastMs) return null;
			const write = { kind: "time", runId, heldMs, tasks } as const;
			heldMs = 0;
			tasks = {};
			return write;
		},
	};
}

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
