import { sumKnown } from "../agents/price.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { GateReport } from "../gate/gate-report.ts";
import { snake } from "../kernel/snake-case.ts";
import type { VerificationReport } from "../loop/records/turn-verification.ts";
import { gateReportStep, type Records, type TaskRecord } from "../store/records.ts";
import type { EvidenceReport } from "./report.ts";

/** A task of a run. */
export interface TaskPlace {
	readonly runId: string;
	readonly taskId: string;
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

/** A piece of evidence as JSON has it. */
export function evidenceReport(piece: Evidence): EvidenceReport {
	const { counts } = piece;
	return {
		...snake(piece, "check", "kind", "purpose", "status", "reason", "tree", "ms", "details"),
		counts:
			counts === null
				? null
				: snake(counts, "total", "passed", "failed", "skipped", "knownFailing"),
	};
}
