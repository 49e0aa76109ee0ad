import type { Records, RunRecord, TaskRecord } from "../../store/records.ts";
import { isLandingDue } from "../find-run.ts";

/** Why a worker could not land a run that is still to land; null where none has tried or the run is through. */
export async function landingRefusal(
	records: Pick<Records, "events">,
	run: RunRecord,
	tasks: readonly TaskRecord[],
): Promise<string | null> {
	if (!isLandingDue(run, tasks)) return null;
	let reason: string | null = null;
	for (const { type, data } of await records.events(run.runId)) {
		if (type === "run-ended") reason = null;
		if (type === "landing-refused" && "reason" in data) reason = data.reason;
	}
	return reason;
}
