import { isUnended } from "../places/find-run.ts";
import { hasOutputs, keptCheckout, type Places } from "../places/places.ts";
import { setupCacheSize } from "../places/setup-cache.ts";
import type { Store } from "../places/store.ts";
import type { RunRecord } from "../store/records.ts";
import type { RunReport } from "../view/report.ts";
import { readRunReport } from "../view/run-report.ts";
import { holderName, stoppedPreflight, withSharedQuestions } from "../view/run-summary.ts";

export async function presentReport(
	store: Pick<Store, "records" | "leases" | "blobs" | "machines">,
	places: Places,
	{ run, landingRefused }: { readonly run: RunRecord; readonly landingRefused: string | null },
): Promise<RunReport> {
	const { records, leases, blobs, machines } = store;
	const { runId } = run;
	const newest = await records.newestRun();
	const current = (await records.run(runId)) ?? run;
	const tasks = await withSharedQuestions(records, await records.tasks(runId));
	const holder = await leases.holder(runId);
	const calls = (await records.spending(runId)).tasks.reduce((sum, task) => sum + task.calls, 0);
	return await readRunReport(
		records,
		{ run: current, tasks },
		{
			newest: newest === runId,
			holder: holderName(holder),
			shared: machines !== null,
			...(await machinesOf(store, { run: current, tasks, landingRefused })),
			files_removed: !isUnended(current) && !(await hasOutputs(blobs, runId)),
			preflight_stopped: await stoppedPreflight(
				{ status: current.status, isHeld: holder !== undefined, calls },
				() => records.events(runId),
			),
			setup_cache: await setupCacheSize(places),
			checkoutOf: (task) => keptCheckout(places, task),
		},
	);
}

async function machinesOf(
	store: Pick<Store, "records" | "leases" | "blobs" | "machines">,
	{
		run,
		tasks,
		landingRefused,
	}: {
		readonly run: RunRecord;
		readonly tasks: Awaited<ReturnType<typeof withSharedQuestions>>;
		readonly landingRefused: string | null;
	},
): Promise<
	Pick<RunReport, "unclaimed" | "stopped" | "held_back" | "landing_awaited" | "landing_refused">
> {
	if (store.machines === null) {
		const none = { unclaimed: [], stopped: [], held_back: [], landing_awaited: false };
		return { ...none, landing_refused: landingRefused };
	}
	const { waitingTasks } = await import("../machines/awaited.ts");
	const { landingState } = await import("../places/find-run.ts");
	const landing = await landingState(store.records, run, tasks);
	return {
		...(await waitingTasks(store, run)),
		landing_awaited: landingRefused === null && landing.isAwaited,
		landing_refused: landingRefused ?? landing.refused,
	};
}
