import type { GateReport } from "../gate/gate-report.ts";
import { type Masker, maskDeep } from "../kernel/masking.ts";
import { isBlocking } from "../review/finding-state.ts";
import type { Records } from "../store/records.ts";
import type { FindingReport } from "./sparring.ts";

/** A task of a run. */
export interface TaskPlace {
	readonly runId: string;
	readonly taskId: string;
}

/**
 * The gate's report of the newest turn that has one.
 *
 * @param masker the masker of the run, since the record is kept as it was evaluated
 */
export async function newestGateReport(
	records: Records,
	{ runId, taskId }: TaskPlace,
	masker: Masker,
): Promise<GateReport | null> {
	const turns = (await records.task(runId, taskId))?.turns ?? 0;
	for (let turn = turns; turn >= 0; turn -= 1) {
		const report = await records.step({ runId, taskId, turn, step: "gate-report" });
		// The gate's node alone writes this step, and what it writes is its report.
		if (report !== undefined) return maskDeep(masker, report as GateReport);
	}
	return null;
}

/** Every finding of a task with its life, in the order they were raised. */
export async function findingReports(
	records: Records,
	{ runId, taskId }: TaskPlace,
): Promise<FindingReport[]> {
	return (await records.findings(runId, taskId)).map((finding) => ({
		id: finding.id,
		state: finding.state,
		severity: finding.severity,
		blocking: isBlocking(finding),
		late: finding.late,
		source: finding.source,
		criterion: finding.criterion,
		file: finding.file,
		line: finding.line,
		issue: finding.issue,
		suggestion: finding.suggestion,
		subtask: finding.subtask,
		dispute: finding.dispute,
		raised_turn: finding.raisedTurn,
		changed_turn: finding.changedTurn,
	}));
}
