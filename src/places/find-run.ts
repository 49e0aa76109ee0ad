import { Fault } from "../kernel/fault.ts";
import type { Leases, Records, RunRecord, TaskRecord } from "../store/records.ts";
import { runSummary } from "../view/run-summary.ts";
import { runWords } from "../words/standing.ts";

/** The named run, or the newest. @throws Fault `run-not-found` */
export async function findRun(records: Records, runId?: string): Promise<RunRecord> {
	if (runId !== undefined) {
		const run = await records.run(runId);
		if (run !== undefined) return run;
		throw new Fault(`there is no run ${runId} in this repository`, {
			code: "run-not-found",
			hint: "See which there are: spar runs",
		});
	}
	const id = await records.newestRun();
	const newest = id === undefined ? undefined : await records.run(id);
	if (newest === undefined) throw noRuns();
	return newest;
}

export function noRuns(): Fault {
	return new Fault("this repository has no runs yet", {
		code: "run-not-found",
		hint: "Start one: spar run",
	});
}

/** Tells whether a run can still go on by itself or after an answer. */
export function isUnended(run: Pick<RunRecord, "status">): boolean {
	return run.status === "running" || run.status === "paused_for_user_escalation";
}

/**
 * The run that a bare `spar resume` means: the only one not ended; when tasks are to be reopened and none is under
 * way, the only failed one; else the newest, where it has completed and is still to land.
 *
 * @throws Fault `run-not-found` when there is none or several, listing them
 */
export async function findResumable(
	store: { readonly records: Records; readonly leases: Pick<Leases, "holder"> },
	reopening: boolean,
): Promise<RunRecord> {
	const runs = await store.records.runs();
	const unended = runs.filter(isUnended);
	const candidates =
		unended.length === 0 && reopening
			? runs.filter(({ status, pruned }) => status === "failed" && !pruned)
			: unended;
	const [only, ...others] = candidates;
	if (only === undefined) {
		const [newest] = runs;
		if (newest !== undefined && isLandingDue(newest, await store.records.tasks(newest.runId)))
			return newest;
		throw new Fault("no run is waiting to be resumed", {
			code: "run-not-found",
			hint: "See all runs: spar runs. Start one: spar run",
		});
	}
	if (others.length > 0) {
		const list: string[] = [];
		for (const { runId } of candidates) {
			const run = await store.records.runOverview(runId);
			if (run === undefined) continue;
			const { run_id: id, workflow, tasks, ...summary } = await runSummary(store, run);
			list.push(`  ${id}  ${workflow}  ${runWords({ ...tasks, ...summary })}`);
		}
		throw new Fault(`${candidates.length} runs can be resumed:\n${list.join("\n")}`, {
			code: "run-not-found",
			hint: "Name one: spar resume <run>",
		});
	}
	return only;
}

export function isLandingDue(
	run: Pick<RunRecord, "status" | "workflow" | "landedCommit">,
	tasks: readonly Pick<TaskRecord, "merged">[],
): boolean {
	return owesLanding(run) && tasks.some(({ merged }) => merged);
}

/** A run that has completed and whose workflow wants it in the base branch, where it is not yet. */
export function owesLanding(run: Pick<RunRecord, "status" | "workflow" | "landedCommit">): boolean {
	return (
		run.status === "completed" && run.workflow.merge.into === "base" && run.landedCommit === null
	);
}

export async function landingState(
	records: Pick<Records, "events">,
	run: RunRecord,
	tasks: readonly TaskRecord[],
): Promise<{
	/** True while a worker is still to land it. */
	readonly isAwaited: boolean;
	/** Reason why a worker could not; null where none has tried since the run ended, and where it has landed. */
	readonly refused: string | null;
}> {
	if (!isLandingDue(run, tasks)) return { isAwaited: false, refused: null };
	let reason: string | null = null;
	for (const { type, data } of await records.events(run.runId)) {
		if (type === "run-ended") reason = null;
		if (type === "landing-refused" && "reason" in data) reason = data.reason;
	}
	return { isAwaited: reason === null, refused: reason };
}
