import type { FindingConflict } from "../conflict/conflict.ts";
import { snake } from "../kernel/snake-case.ts";
import type { Finding } from "../review/finding.ts";
import type { FindingConflictReport, FindingReport } from "../review/finding-report.ts";
import { isBlocking } from "../review/finding-state.ts";
import type { Records } from "../store/records.ts";
import { findingHistories } from "./finding-history.ts";
import type { TaskPlace } from "./read-task.ts";

function conflictReport(conflict: FindingConflict): FindingConflictReport {
	return {
		...snake(conflict, "conflictId", "turn"),
		attempt: conflict.attemptCount,
		...snake(conflict, "resolution", "tieBreaker"),
		decision: conflict.tieBreakerDecision,
		...snake(conflict, "rationale", "escalationReason"),
	};
}

function rulingReport({ ruling }: Finding): FindingReport["ruling"] {
	if (ruling == null) return null;
	return snake(ruling, "by", "decision", "rationale", "turn");
}

/** Every finding of a task with its life, in the order they were raised. */
export async function findingReports(
	records: Pick<Records, "findings" | "conflicts" | "events">,
	{ runId, taskId }: TaskPlace,
): Promise<FindingReport[]> {
	const all = await records.findings(runId, taskId);
	if (all.length === 0) return [];
	const conflicts = await records.conflicts(runId, taskId);
	const histories = findingHistories(await records.events(runId, { task: taskId }));
	return all.map((finding) => ({
		...snake(finding, "id", "state", "severity"),
		blocking: isBlocking(finding),
		...snake(finding, "late", "source", "criterion", "file", "line", "issue", "suggestion"),
		...snake(finding, "subtask", "dispute"),
		ruling: rulingReport(finding),
		...snake(finding, "raisedTurn", "changedTurn"),
		history: histories.get(finding.id) ?? [],
		conflicts: conflicts.filter((one) => one.finding === finding.id).map(conflictReport),
	}));
}
