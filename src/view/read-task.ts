import { sumKnown } from "../agents/price.ts";
import type { VerificationReport } from "../loop/records/turn-verification.ts";
import type { Records, TaskRecord } from "../store/records.ts";

/** A task of a run. */
export interface TaskPlace {
	readonly runId: string;
	readonly taskId: string;
}

/** Outcome of verification in the newest turn in which it was decided; null where it never was. */
export async function newestVerification(
	records: Pick<Records, "step" | "calls">,
	task: Pick<TaskRecord, "runId" | "taskId" | "turns" | "verification">,
): Promise<VerificationReport | null> {
	if (task.verification === null) return null;
	const { verificationReport, verificationStep } = await import(
		"../loop/records/turn-verification.ts"
	);
	for (let turn = task.turns; turn > 0; turn -= 1) {
		const decided = await records.step(verificationStep(task, turn));
		if (decided === undefined) continue;
		const usage = decided.commit === null ? NO_USAGE : await verifierUsage(records, task);
		return { ...verificationReport(decided), usage };
	}
	return null;
}

const NO_USAGE: NonNullable<VerificationReport["usage"]> = { calls: 0, cost_usd: 0 };

async function verifierUsage(
	records: Pick<Records, "calls">,
	{ runId, taskId, turns }: Pick<TaskRecord, "runId" | "taskId" | "turns">,
): Promise<NonNullable<VerificationReport["usage"]>> {
	const costs: (number | null)[] = [];
	for (let turn = 1; turn <= turns; turn += 1)
		for (const { usage } of await records.calls(runId, taskId, turn, "verifier"))
			costs.push(usage?.costUsd ?? null);
	return { calls: costs.length, cost_usd: sumKnown(costs) };
}
