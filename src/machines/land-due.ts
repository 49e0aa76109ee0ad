import { committer } from "../drive/committer.ts";
import { removeStaleLocks } from "../git/refs.ts";
import { Fault } from "../kernel/fault.ts";
import { landRun } from "../landing/land-run.ts";
import { withLandDrive } from "../landing/with-land-drive.ts";
import { revealedNow, runMasker } from "../places/run-masker.ts";
import { privatePrefix } from "../places/task-refs.ts";
import { runEvent } from "../schedule/run-writes.ts";
import type { Lease, RunRecord } from "../store/records.ts";
import type { EventListener } from "../trace/event.ts";
import type { WorkerPlace } from "./run-ground.ts";

/**
 * Lands a run whose workflow asks for that. Harmless when repeated; what refuses it is stored: `spar land` or `spar
 * resume` tries again.
 *
 * @throws Fault `run-held` while a task of the run is worked on; the signal's reason; with `mayWait` what passes by itself
 */
export async function landDue(
	place: WorkerPlace,
	job: {
		readonly run: RunRecord;
		readonly lease: Lease;
		/** With it a fault that passes by itself is thrown, to be tried again, and does not refuse the landing. */
		readonly mayWait: boolean;
		readonly signal: AbortSignal;
		readonly onEvent?: EventListener | undefined;
	},
): Promise<void> {
	const { store, places, env } = place;
	const { run, lease } = job;
	const signal = AbortSignal.any([job.signal, lease.lost]);
	const masker = await runMasker(run, { root: places.root, env });
	let reason: string | null;
	try {
		reason = await landed(place, run, { lease, signal, onEvent: job.onEvent });
	} catch (error) {
		if (signal.aborted || (job.mayWait && isPassing(error))) throw error;
		reason = wordsOf(error);
	}
	if (reason === null) return;
	place.onNotice(`run ${run.runId} did not land: ${masker.mask(reason)}`);
	await committer(store.records, { lease, masker, onEvent: job.onEvent })([
		runEvent(run.runId, "landing-refused", { branch: run.baseBranch, reason }),
	]);
}

async function landed(
	place: WorkerPlace,
	run: RunRecord,
	under: {
		readonly lease: Lease;
		readonly signal: AbortSignal;
		readonly onEvent: EventListener | undefined;
	},
): Promise<string | null> {
	const { places, env } = place;
	const workflow = await revealedNow(run, { root: places.root, env });
	const report = await withLandDrive({ ...place, ...under, run, workflow }, async (drive) => {
		// What a killed landing of this clone left; nobody else moves these refs here.
		await removeStaleLocks(drive.repository, privatePrefix(run.runId));
		return await landRun(drive);
	});
	return report.outcome === "refused" ? (report.reason ?? "no reason given") : null;
}

const isPassing = (error: unknown): boolean => error instanceof Fault && error.retryable;

function wordsOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	const hint = error instanceof Fault ? error.hint : undefined;
	return hint === undefined ? message : `${message}. ${hint}`;
}
