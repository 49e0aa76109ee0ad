import { sumKnown } from "../agents/sum-known.ts";
import { falseClaimText } from "../evidence/false-claim.ts";
import type { GateReport } from "../gate/gate-report.ts";
import { auditStep } from "../loop/turn-claims.ts";
import type { VerificationReport } from "../loop/turn-verification.ts";
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

/** What of the player's last report is false, of each task where something is. */
export async function lastFalseClaims(
	records: Pick<Records, "step">,
	tasks: readonly Pick<TaskRecord, "runId" | "taskId" | "turns">[],
): Promise<ReadonlyMap<string, readonly string[]>> {
	const found = new Map<string, readonly string[]>();
	for (const task of tasks) {
		const audit = await records.step(auditStep(task, task.turns));
		if (audit !== undefined) found.set(task.taskId, audit.false.map(falseClaimText));
	}
	return found;
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
	records: Pick<Records, "step" | "calls">,
	task: Pick<TaskRecord, "runId" | "taskId" | "turns" | "verification">,
): Promise<VerificationReport | null> {
	if (task.verification === null) return null;
	const { verificationReport, verificationStep } = await import("../loop/turn-verification.ts");
	for (let turn = task.turns; turn > 0; turn -= 1) {
		const decided = await records.step(verificationStep(task, turn));
		if (decided === undefined) continue;
		const usage = decided.commit === null ? NO_USAGE : await verifierUsage(records, task);
		return { ...verificationReport(decided), usage };
	}
	return null;
}

type Usage = NonNullable<VerificationReport["usage"]>;

const NO_USAGE: Usage = { calls: 0, cost_usd: 0 };

/** What the verifier's calls of a task cost, all turns together. */
async function verifierUsage(
	records: Pick<Records, "calls">,
	{ runId, taskId, turns }: Pick<TaskRecord, "runId" | "taskId" | "turns">,
): Promise<Usage> {
	const costs: (number | null)[] = [];
	for (let turn = 1; turn <= turns; turn += 1)
		for (const { usage } of await records.calls(runId, taskId, turn, "verifier"))
			costs.push(usage?.costUsd ?? null);
	return { calls: costs.length, cost_usd: sumKnown(costs) };
}

/** The same of the tasks of a run, by task id; one without is left out. */
export async function newestVerifications(
	records: Pick<Records, "step" | "calls" | "tasks">,
	runId: string,
): Promise<ReadonlyMap<string, VerificationReport>> {
	const found = new Map<string, VerificationReport>();
	for (const task of await records.tasks(runId)) {
		const report = await newestVerification(records, task);
		if (report !== null) found.set(task.taskId, report);
	}
	return found;
}
