import type { GateReport } from "../gate/gate-report.ts";
import {
	type VerificationReport,
	verificationReport,
	verificationStep,
} from "../loop/turn-verification.ts";
import { gateReportStep, type Records, type TaskRecord } from "../store/records.ts";

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

/** What verification came to in the newest turn in which it was decided; null where it never was. */
export async function newestVerification(
	records: Pick<Records, "step">,
	task: Pick<TaskRecord, "runId" | "taskId" | "turns" | "verification">,
): Promise<VerificationReport | null> {
	if (task.verification === null) return null;
	for (let turn = task.turns; turn > 0; turn -= 1) {
		const decided = await records.step(verificationStep(task, turn));
		if (decided !== undefined) return verificationReport(decided);
	}
	return null;
}

/** The same of the tasks of a run, by task id; one without is left out. */
export async function newestVerifications(
	records: Pick<Records, "step" | "tasks">,
	runId: string,
): Promise<ReadonlyMap<string, VerificationReport>> {
	const found = new Map<string, VerificationReport>();
	for (const task of await records.tasks(runId)) {
		const report = await newestVerification(records, task);
		if (report !== null) found.set(task.taskId, report);
	}
	return found;
}
