import type { FindingConflict } from "../conflict/conflict.ts";
import type { Finding } from "../review/finding.ts";
import type { FindingConflictReport, FindingReport } from "../review/finding-report.ts";
import { isBlocking } from "../review/finding-state.ts";
import type { Records } from "../store/records.ts";
import { findingHistories } from "./finding-history.ts";
import type { TaskPlace } from "./read-task.ts";

function conflictReport(conflict: FindingConflict): FindingConflictReport {
	return {
		conflict_id: conflict.conflictId,
		turn: conflict.turn,
		attempt: conflict.attemptCount,
		resolution: conflict.resolution,
		tie_breaker: conflict.tieBreaker,
		decision: conflict.tieBreakerDecision,
		rationale: conflict.rationale,
		escalation_reason: conflict.escalationReason,
	};
}

function rulingReport({ ruling }: Finding): FindingReport["ruling"] {
	if (ruling == null) return null;
	const { by, decision, rationale, turn } = ruling;
	return { by, decision, rationale, turn };
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
		ruling: rulingReport(finding),
		raised_turn: finding.raisedTurn,
		changed_turn: finding.changedTurn,
		history: histories.get(finding.id) ?? [],
		conflicts: conflicts.filter((one) => one.finding === finding.id).map(conflictReport),
	}));
}
