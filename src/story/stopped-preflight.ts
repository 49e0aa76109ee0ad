import type { RunRecord } from "../store/records.ts";
import type { EventData, StoredEvent } from "../trace/event.ts";

/** A preflight after which a run did not go on: whose setup and baseline it saw, and what was in the way. */
export interface StoppedPreflight {
	readonly task: string | null;
	readonly problems: EventData["preflight-ended"]["problems"];
}

/**
 * What stopped a run before its first call, when nothing happened since; null for every other run.
 *
 * @param run what is known of it besides its events, which are read only where they matter
 */
export async function stoppedPreflight(
	run: { readonly status: RunRecord["status"]; readonly isHeld: boolean; readonly calls: number },
	readEvents: () => Promise<readonly StoredEvent[]>,
): Promise<StoppedPreflight | null> {
	if (run.status !== "running" || run.isHeld || run.calls > 0) return null;
	const events = await readEvents();
	const last = events.findLast(({ type }) => type === "preflight-ended" || type === "run-resumed");
	if (last?.type !== "preflight-ended" || last.data.outcome !== "stopped") return null;
	return { task: last.task, problems: last.data.problems };
}
