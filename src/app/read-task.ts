import type { GateReport } from "../gate/gate-report.ts";
import { gateReportStep, type Records } from "../store/records.ts";

/** A task of a run. */
export interface TaskPlace {
	readonly runId: string;
	readonly taskId: string;
}

/** What the player was unsure of in the last turn of each task that has one. */
export async function lastConcerns(
	records: Records,
	tasks: readonly TaskPlace[],
): Promise<ReadonlyMap<string, readonly string[]>> {
	const concerns = new Map<string, readonly string[]>();
	for (const { runId, taskId } of tasks) {
		const [last] = await records.turns(runId, taskId, 1);
		if (last !== undefined) concerns.set(taskId, last.concerns);
	}
	return concerns;
}

/**
 * The gate's report of the newest turn that has one.
 */
export async function newestGateReport(
	records: Records,
	{ runId, taskId }: TaskPlace,
): Promise<GateReport | null> {
	const turns = (await records.task(runId, taskId))?.turns ?? 0;
	for (let turn = turns; turn >= 0; turn -= 1) {
		const report = await records.step(gateReportStep({ runId, taskId }, turn));
		if (report !== undefined) return report;
	}
	return null;
}
