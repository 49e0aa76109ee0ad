import { findRun, owesLanding } from "../find-run.ts";
import { landRun } from "../run/land-run.ts";
import { type WorkerPlace, withRunGround } from "./run-ground.ts";

/**
 * Lands a run that is done and whose workflow wants it in the base branch. One that is landed, or cannot be, is left as it
 * is: why stands in the notice, and `spar land` tries again.
 *
 * @throws Fault `run-held` while another process has the run
 */
export async function landUnderLease(
	place: WorkerPlace,
	runId: string,
	signal: AbortSignal,
): Promise<void> {
	const { store, onNotice } = place;
	const lease = await store.leases.take(runId);
	try {
		const run = await findRun(store.records, runId);
		if (!owesLanding(run)) return;
		await withRunGround(place, run, async (ground) => {
			const ended = AbortSignal.any([signal, lease.lost]);
			const drive = { ...place, ...ground, run, lease, signal: ended };
			const { outcome, reason } = await landRun(drive);
			if (outcome === "refused")
				onNotice(`run ${runId} was not landed: ${reason ?? "no reason given"}`);
		});
	} finally {
		await lease.release();
	}
}
