import { removeStaleLocks } from "../../git/refs.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Lease, RunRecord } from "../../store/records.ts";
import type { EventListener } from "../../trace/event.ts";
import { findRun, isLandingDue } from "../find-run.ts";
import { committer } from "../run/committer.ts";
import { landRun } from "../run/land-run.ts";
import { runEvent } from "../run/run-event.ts";
import { privatePrefix } from "../run/task-refs.ts";
import { withLandDrive } from "../run/with-land-drive.ts";
import { revealedNow, runMasker } from "../run-masker.ts";
import type { WorkerPlace } from "./run-ground.ts";

export interface LandJob {
	readonly runId: string;
	/** Whether a fault that passes by itself gives the job back, and does not refuse the landing. */
	readonly mayWait: boolean;
	readonly signal: AbortSignal;
	readonly onEvent?: EventListener | undefined;
}

/**
 * Lands a run whose workflow asks for that, under the lease of the run. Harmless when repeated. A landing that is refused
 * or fails is stored as such: `spar land` or `spar resume` tries again.
 *
 * @throws Fault `run-held` while another process holds the run or a task of it; the signal's reason; with `mayWait` what
 * passes by itself
 */
export async function doLandJob(place: WorkerPlace, job: LandJob): Promise<void> {
	const { store } = place;
	if (!(await isDue(place, job.runId))) return;
	const lease = await store.leases.take(job.runId);
	try {
		// Somebody else may have landed it meanwhile.
		if (!(await isDue(place, job.runId))) return;
		await landUnderLease(place, job, lease);
	} finally {
		await lease.release();
	}
}

async function isDue({ store }: WorkerPlace, runId: string): Promise<boolean> {
	const run = await findRun(store.records, runId);
	return isLandingDue(run, await store.records.tasks(runId));
}

async function landUnderLease(place: WorkerPlace, job: LandJob, lease: Lease): Promise<void> {
	const { store, places, env } = place;
	const run = await findRun(store.records, job.runId);
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
		runEvent(run.runId, {
			type: "landing-refused",
			task: null,
			turn: null,
			node: null,
			timestamp: new Date().toISOString(),
			data: { branch: run.baseBranch, reason },
		}),
	]);
}

/** Lands it; null, or why it is refused. */
async function landed(
	place: WorkerPlace,
	run: RunRecord,
	under: {
		readonly lease: Lease;
		readonly signal: AbortSignal;
		readonly onEvent: EventListener | undefined;
	},
): Promise<string | null> {
	const { places, env, onNotice } = place;
	const workflow = await revealedNow(run, { root: places.root, env });
	const given = { ...place, ...under, run, workflow };
	const report = await withLandDrive(
		given,
		(repository) => ({ workflow, env, repository, places, onNotice }),
		async (drive) => {
			// What a killed landing of this clone left; nobody else moves these refs here.
			await removeStaleLocks(drive.repository, privatePrefix(run.runId));
			return await landRun(drive);
		},
	);
	return report.outcome === "refused" ? (report.reason ?? "no reason given") : null;
}

const isPassing = (error: unknown): boolean => error instanceof Fault && error.retryable;

function wordsOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	const hint = error instanceof Fault ? error.hint : undefined;
	return hint === undefined ? message : `${message}. ${hint}`;
}
