import { setTimeout as delay } from "node:timers/promises";
import { openRepository } from "../git/repository.ts";
import { type HumanItem, isOpen } from "../human/human-item.ts";
import { Fault } from "../kernel/fault.ts";
import { isEnded } from "../kernel/task-state.ts";
import { isUnended, landingState, owesLanding } from "../places/find-run.ts";
import { keptCheckout, type Places } from "../places/places.ts";
import type { Store } from "../places/store.ts";
import { runEvent, taskEnd } from "../schedule/run-writes.ts";
import type { Records, RunRecord, TaskRecord, Write } from "../store/records.ts";
import { hasCalled } from "./ground-preflight.ts";
import { removeLeftFiles, removeLeftLocks } from "./leftovers.ts";
import { unlessHeld } from "./take-run.ts";
import { writeTraces } from "./trace-file.ts";

const PATIENCE_MS = 30_000;
const POLL_MS = 50;

export async function cancelTasks(
	records: Records,
	runId: string,
	{
		checkoutOf,
		commit,
	}: {
		/** Path of the kept checkout of a task. */
		readonly checkoutOf: (task: TaskRecord) => string | null;
		readonly commit: (writes: readonly Write[]) => Promise<void>;
	},
): Promise<void> {
	const timestamp = new Date().toISOString();
	const open = (await records.tasks(runId)).filter(({ status }) => !isEnded(status));
	const asked = (await records.items(runId)).filter(isOpen);
	const end = { status: "cancelled", reason: "cancelled", timestamp } as const;
	await commit([
		// Nobody is to be asked for a run that cannot go on.
		...asked.map((item): Write => ({ kind: "item", item: withdrawn(item, timestamp) })),
		...open.flatMap((task) => taskEnd(task, { ...end, checkout: checkoutOf(task) })),
		{ kind: "run", runId, patch: { status: "cancelled", endedAt: timestamp } },
		runEvent(runId, "run-ended", { status: "cancelled" }, { timestamp }),
	]);
}

function withdrawn(item: HumanItem, answeredAt: string): HumanItem {
	const reason = "the run was cancelled";
	const answer = { choice: "reject", directive: null, notes: null, reason, answeredAt } as const;
	return { ...item, status: "REJECTED", answer, consumed: true };
}

interface Cancelling {
	readonly checkoutOf: (task: TaskRecord) => string | null;
	readonly onCancelled: () => Promise<void>;
}

async function cancelRun(
	store: Store,
	runId: string,
	{ checkoutOf, onCancelled }: Cancelling,
): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	await store.records.requestCancel(runId);
	for (;;) {
		const run = await store.records.run(runId);
		if (run === undefined || !(isUnended(run) || (await isLanding(store, run)))) return;
		const holder = await store.leases.holder(runId);
		if (holder === undefined && (await cancelHere(store, runId, checkoutOf))) {
			return onCancelled();
		}
		if (Date.now() > deadline) {
			throw new Fault(
				`run ${runId} did not stop within ${PATIENCE_MS / 1_000} s; ${holder?.host ?? "?"}:${holder?.pid ?? "?"} holds it`,
				{
					code: "run-held",
					hint: "End that process, then cancel again.",
				},
			);
		}
		await delay(POLL_MS);
	}
}

async function isLanding(
	{ leases, machines }: Pick<Store, "leases" | "machines">,
	run: RunRecord,
): Promise<boolean> {
	return machines === null && owesLanding(run) && (await leases.holder(run.runId)) !== undefined;
}

// It has ended but for its landing, which a worker does or is to do.
async function isLeftToWorker(
	{ records, machines }: Pick<Store, "records" | "machines">,
	run: RunRecord,
): Promise<boolean> {
	if (machines === null) return false;
	const { isAwaited } = await landingState(records, run, await records.tasks(run.runId));
	return isAwaited;
}

async function cancelHere(
	store: Store,
	runId: string,
	checkoutOf: Cancelling["checkoutOf"],
): Promise<boolean> {
	await using lease = await store.leases.take(runId).catch(unlessHeld);
	if (lease === null) return false;
	const run = await store.records.run(runId);
	// It ended by itself before the lease was ours.
	if (run === undefined || !isUnended(run)) return true;
	const { endMarked } = await import("../process/process-tree.ts");
	await endMarked(`${runId}:`);
	const commit = async (writes: readonly Write[]): Promise<void> => {
		await store.records.commit(lease, writes);
	};
	await cancelTasks(store.records, runId, { checkoutOf, commit });
	return true;
}

/**
 * The run that `spar cancel` means: the named one, or the only one that has not ended. One that is being landed by the
 * process that completed it has not ended.
 *
 * @throws Fault `run-not-found` when there is none or several, or `run-not-resumable` for a run that has ended otherwise than by cancelling
 */
export async function requireCancellable(
	store: Pick<Store, "records" | "leases" | "machines">,
	runId: string | undefined,
): Promise<RunRecord> {
	const { records } = store;
	const open: RunRecord[] = [];
	for (const each of runId === undefined ? await records.runs() : [])
		if (isUnended(each) || (await isLanding(store, each))) open.push(each);
	if (open.length > 1) {
		throw new Fault(
			`${open.length} runs are under way: ${open.map((each) => each.runId).join(", ")}`,
			{ code: "run-not-found", hint: "Name one: spar cancel <run>" },
		);
	}
	const run = runId === undefined ? open[0] : await records.run(runId);
	if (run === undefined) {
		throw new Fault(
			runId === undefined ? "no run is under way" : `there is no run ${runId} in this repository`,
			{
				code: "run-not-found",
				hint: "See all runs: spar runs",
			},
		);
	}
	if (isUnended(run) || run.status === "cancelled" || (await isLanding(store, run))) return run;
	if (await isLeftToWorker(store, run))
		throw new Fault(`all tasks of run ${run.runId} have ended, and a worker is to land its work`, {
			code: "run-not-resumable",
			hint: `A landing by a worker cannot be cancelled. Follow it: spar status ${run.runId} --watch. If no worker runs, land it here: spar land ${run.runId}`,
		});
	throw new Fault(`run ${run.runId} has already ended as ${run.status}`, {
		code: "run-not-resumable",
		hint: "Nothing is left to cancel. Remove its checkouts and refs: spar prune",
	});
}

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

/**
 * Cancels the runs that a preflight stopped and that nobody took up since: a new run takes their place, so that
 * `spar resume` need not be told which is meant. None of them has called an agent.
 *
 * @returns their ids
 */
export async function supersedeRefused(
	store: Store,
	places: Places,
	newRun: string,
): Promise<readonly string[]> {
	const superseded: string[] = [];
	for (const run of await store.records.runs()) {
		const { runId } = run;
		if (runId === newRun || run.status !== "running") continue;
		if (await hasCalled(store.records, runId)) continue;
		if ((await store.leases.holder(runId)) !== undefined) continue;
		const ends = (await store.records.events(runId)).flatMap((event) =>
			event.type === "preflight-ended" ? [event.data.outcome] : [],
		);
		if (ends.at(-1) !== "stopped") continue;
		await cancelWhole(store, places, runId);
		superseded.push(runId);
	}
	return superseded;
}
