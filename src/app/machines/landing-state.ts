import type { Records, RunRecord, TaskRecord } from "../../store/records.ts";
import { isLandingDue } from "../find-run.ts";

export interface LandingState {
	/** Whether a worker is still to land it. */
	readonly isAwaited: boolean;
	/** Why a worker could not; null where none has tried since the run ended, and where it has landed. */
	readonly refused: string | null;
}

export async function landingState(
	records: Pick<Records, "events">,
	run: RunRecord,
	tasks: readonly TaskRecord[],
): Promise<LandingState> {
	if (!isLandingDue(run, tasks)) return { isAwaited: false, refused: null };
	let reason: string | null = null;
	for (const { type, data } of await records.events(run.runId)) {
		if (type === "run-ended") reason = null;
		if (type === "landing-refused" && "reason" in data) reason = data.reason;
	}
	return { isAwaited: reason === null, refused: reason };
}
