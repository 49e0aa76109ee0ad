import type { TaskStatus } from "../kernel/task-state.ts";
import type { RunRecord, TaskRecord } from "../store/records.ts";
import { isUnended } from "./find-run.ts";
import { keptCheckout } from "./kept-checkout.ts";
import type { LandingState, landingState } from "./machines/landing-state.ts";
import type { Places } from "./places.ts";
import { lastConcerns, lastFalseClaims, newestVerifications } from "./read-task.ts";
import { hasOutputs } from "./run-folders.ts";
import { mutationsOf, replaysOf, runReport } from "./run-report.ts";
import { answeredTasks, withSharedQuestions } from "./run-summary.ts";
import { setupCacheSize } from "./setup-cache.ts";
import type { RunReport } from "./sparring.ts";
import { stoppedPreflight } from "./stopped-preflight.ts";
import type { Store } from "./store.ts";
import type { TurnObstacles } from "./turn-obstacles.ts";

/** A run as it stands now: its records, who holds it, and what is on the disk. */
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
	const spending = await records.spending(runId);
	const calls = spending.tasks.reduce((sum, task) => sum + task.calls, 0);
	const preflightStopped = await stoppedPreflight(
		{ status: current.status, isHeld: holder !== undefined, calls },
		() => records.events(runId),
	);
	const landing = machines === null ? LANDS_HERE : await landingOf(records, current, tasks);
	return runReport(current, tasks, {
		newest: newest === runId,
		filesRemoved: !isUnended(current) && !(await hasOutputs(blobs, runId)),
		holder,
		isShared: machines !== null,
		...(machines === null ? NOTHING_WAITS : await waitingOf(store, current)),
		preflightStopped,
		landingAwaited: landingRefused === null && landing.isAwaited,
		landingRefused: landingRefused ?? landing.refused,
		spending,
		verifications: await newestVerifications(records, runId),
		replays: await replaysOf(records, runId),
		mutations: await mutationsOf(records, runId),
		notCounted: await (await import("./not-counted.ts")).notCountedOf(records, runId),
		obstacles: await obstaclesOf(records, tasks),
		answered: await answeredTasks(records, tasks),
		setupCache: await setupCacheSize(places),
		concerns: await lastConcerns(records, tasks),
		falseClaims: await lastFalseClaims(records, tasks),
		checkoutOf: (task) => keptCheckout(places, task),
	});
}

/** Tasks that have a turn which something may stand in the way of. */
const MAY_BE_HELD_UP: ReadonlySet<TaskStatus> = new Set([
	"failed",
	"needs_rework",
	"paused_for_human",
	"running",
]);

/** Loaded where a task has not come through: the others are told of faster. */
async function obstaclesOf(
	records: Store["records"],
	tasks: readonly TaskRecord[],
): Promise<ReadonlyMap<string, TurnObstacles>> {
	const found = new Map<string, TurnObstacles>();
	const held = tasks.filter(({ status, turns }) => turns > 0 && MAY_BE_HELD_UP.has(status));
	if (held.length === 0) return found;
	const { turnObstacles } = await import("./turn-obstacles.ts");
	for (const task of held) {
		const obstacles = await turnObstacles(records, task);
		if (obstacles !== null) found.set(task.taskId, obstacles);
	}
	return found;
}

const NOTHING_WAITS = { unclaimed: [], stopped: [] };

/** The process that completes a run lands it. */
const LANDS_HERE: LandingState = { isAwaited: false, refused: null };

/** Loaded for those alone whose machines share a store: the others start faster. */
async function waitingOf(
	store: Pick<Store, "records" | "leases" | "machines">,
	run: RunRecord,
): Promise<Pick<RunReport, "unclaimed" | "stopped">> {
	const { waitingTasks } = await import("./machines/unclaimed.ts");
	return await waitingTasks(store, run);
}

/** Likewise. */
async function landingOf(...found: Parameters<typeof landingState>): Promise<LandingState> {
	const loaded = await import("./machines/landing-state.ts");
	return await loaded.landingState(...found);
}
