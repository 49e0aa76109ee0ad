import { committer } from "../drive/committer.ts";
import type { Supervision } from "../drive/run-options.ts";
import { anySignal } from "../kernel/any-signal.ts";
import { Fault } from "../kernel/fault.ts";
import { isLandingDue } from "../places/find-run.ts";
import { maskerOf } from "../places/secrets.ts";
import type { Store } from "../places/store.ts";
import { runEvent } from "../schedule/run-writes.ts";
import type { Lease, RunRecord } from "../store/records.ts";
import type { LandReport } from "./land-run.ts";

const CANCEL_POLL_MS = 250;

export interface LandingAtEnd extends Pick<Supervision, "signal" | "onEvent"> {
	readonly store: Pick<Store, "records">;
	readonly run: RunRecord;
	readonly lease: Lease;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly land: (signal: AbortSignal) => Promise<LandReport>;
}

/**
 * `merge.into: base`: lands a run when all of it is done. A run that is cancelled meanwhile has not landed, and does not
 * by itself: `spar land` does.
 *
 * @returns null when it is landed, was cancelled, or has nothing to land; else why it is not landed
 * @throws the signal's reason; what is no Fault
 */
export async function landAtEnd(landing: LandingAtEnd): Promise<string | null> {
	const { store, run, signal } = landing;
	if (!isLandingDue(run, await store.records.tasks(run.runId))) return null;
	const cancelled = new AbortController();
	using _poll = setInterval(() => {
		void store.records.cancelRequested(run.runId).then(
			(asked) => asked && cancelled.abort(),
			// A database that cannot be read shows itself in the work.
			() => undefined,
		);
	}, CANCEL_POLL_MS);
	try {
		const { outcome, reason } = await landing.land(anySignal(cancelled.signal, signal));
		return outcome === "refused" ? (reason ?? "no reason given") : null;
	} catch (error) {
		if (cancelled.signal.aborted && signal?.aborted !== true) {
			await storeCancelled(landing);
			return null;
		}
		if (!(error instanceof Fault)) throw error;
		return error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
	}
}

async function storeCancelled({ store, run, lease, env, onEvent }: LandingAtEnd): Promise<void> {
	const status = "cancelled";
	const masker = maskerOf(env, run.workflow);
	await committer(store.records, { lease, masker, onEvent })([
		{ kind: "run", runId: run.runId, patch: { status } },
		runEvent(run.runId, "run-ended", { status }),
	]);
}
