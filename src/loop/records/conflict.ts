import type { ConflictRecord } from "../../conflict/conflict.ts";
import { CONFLICT_ESCALATION } from "../../conflict/conflict-resolution-engine.ts";
import { type UpheldFinding, upholderOf } from "../../conflict/open-conflicts.ts";
import type { Ruling } from "../../review/finding.ts";
import { type StepKey, stepWrite, type Write } from "../../store/records.ts";
import type { EventData } from "../../trace/event.ts";
import type { TaskLog } from "../task-log.ts";
import { findingChanged } from "./findings.ts";

/** A conflict is found, and told of once: a process that takes it up after a kill goes on under the same id. */
export function conflictDetected(
	log: TaskLog,
	key: StepKey<string>,
	found: EventData["conflict-detected"],
): Write[] {
	return [stepWrite(key, found.conflict), log.event("conflict-detected", found)];
}

export function conflictSettled(
	log: TaskLog,
	finding: UpheldFinding,
	{
		record,
		tieBreaker,
	}: {
		readonly record: ConflictRecord;
		readonly tieBreaker: string | null;
	},
): Write[] {
	const { conflictId, resolution, tieBreakerDecision, rationale, escalationReason } = record;
	const { runId, taskId, turn } = log;
	const writes: Write[] = [
		{
			kind: "conflict",
			runId,
			record,
			about: { finding: finding.id, turn, disputeTurn: finding.dispute.turn, tieBreaker },
		},
		log.event("conflict-resolved", {
			conflict: conflictId,
			finding: finding.id,
			attempt: record.attemptCount,
			upheld_by: upholderOf(finding),
			resolution,
			tie_breaker: tieBreaker,
			decision: tieBreakerDecision,
			rationale,
			escalation_reason: escalationReason,
		}),
		...ruled(log, finding, record),
	];
	if (escalationReason !== null)
		writes.push(log.event(CONFLICT_ESCALATION, { conflictId, taskId, escalationReason }));
	return writes;
}

function ruled(
	log: TaskLog,
	finding: UpheldFinding,
	{ tieBreakerDecision: decision, rationale }: ConflictRecord,
): Write[] {
	if (decision === null) return [];
	const { turn } = log;
	const text = rationale ?? "";
	const ruling: Ruling = { by: "tie_breaker", decision, rationale: text, turn };
	const settled =
		decision === "PASS"
			? { ...finding, ruling, state: "overruled" as const, changedTurn: turn }
			: { ...finding, ruling };
	return findingChanged(log, settled, { by: "tie_breaker", text, evidence: null });
}

/** The task pauses because of a conflict: once for each. */
export function conflictPaused(log: TaskLog, conflict: string, reason: string): Write {
	const event = log.told("PAUSED_FOR_USER_ESCALATION", { conflict, reason });
	return { kind: "conflict-paused", runId: log.runId, conflictId: conflict, event };
}
