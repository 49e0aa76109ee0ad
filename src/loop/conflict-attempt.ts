import type { ConflictRecord } from "../conflict/conflict.ts";
import {
	CONFLICT_ESCALATION,
	ConflictResolutionEngine,
} from "../conflict/conflict-resolution-engine.ts";
import { nextAttempt, type UpheldFinding } from "../conflict/open-conflicts.ts";
import type { Finding, Ruling } from "../review/finding.ts";
import type { StepKey, Write } from "../store/records.ts";
import { conflictSides } from "./conflict-sides.ts";
import { eventWrite, type Site, type TaskContext } from "./context.ts";
import { findingWrites } from "./finding-writes.ts";
import { endOfEpisode } from "./seat-call.ts";
import type { TaskState } from "./state.ts";
import { threadOf } from "./thread-of.ts";
import { seatTieBreaker } from "./tie-break-call.ts";

/**
 * One attempt at settling a disputed finding: the tie-breaker decides, or it waits for a person. The attempt, what it
 * does to the finding and its events are one transaction, and stored when this returns.
 *
 * @throws ResolutionInterrupted when the tie-breaker could not be asked to the end; nothing is decided then
 */
export async function settleConflict(
	context: TaskContext,
	state: TaskState,
	site: Site,
	finding: UpheldFinding,
): Promise<void> {
	const { records, run, task, masker, clock } = context;
	const attempt = nextAttempt(await records.conflicts(run.runId, task.id), finding.id);
	const engine = new ConflictResolutionEngine({
		tieBreaker: seatTieBreaker(context, state, site, finding),
		records: {
			keep: async (record) =>
				await context.commit(await attemptWrites(context, site, finding, record)),
		},
		masker,
		clock,
	});
	const sides = {
		threadId: threadOf(run.runId, task.id, context.epoch),
		taskId: task.id,
		developerVerdict: "PASS",
		reviewerVerdict: "FAIL",
		...(await conflictSides(context, state, site, finding)),
	} as const;
	const conflictId = await detected(context, site, { finding, attempt, engine, sides });
	await engine.resolve({ ...sides, conflictId, attemptCount: attempt });
}

type Sides = Parameters<ConflictResolutionEngine["detectConflict"]>[0];

/** Finds the conflict, and tells of it once: a process that takes this up after a kill goes on under the same id. */
async function detected(
	context: TaskContext,
	site: Site,
	{
		finding,
		attempt,
		engine,
		sides,
	}: {
		readonly finding: UpheldFinding;
		readonly attempt: number;
		readonly engine: ConflictResolutionEngine;
		readonly sides: Sides;
	},
): Promise<string> {
	const key: StepKey = {
		runId: context.run.runId,
		taskId: context.task.id,
		turn: site.turn,
		step: `conflict/${finding.id}`,
	};
	const known = await context.records.step(key);
	if (typeof known === "string") return known;
	const found = engine.detectConflict(sides);
	if (!found.conflictDetected) throw new Error(`both sides agree about ${finding.id}`);
	const { conflictId } = found;
	await context.commit([
		{ kind: "step", key, result: conflictId },
		eventWrite(context, site, "conflict-detected", {
			...{ conflict: conflictId, finding: finding.id, attempt },
		}),
	]);
	return conflictId;
}

async function attemptWrites(
	context: TaskContext,
	site: Site,
	finding: UpheldFinding,
	record: ConflictRecord,
): Promise<Write[]> {
	const { conflictId, resolution, tieBreakerDecision, rationale, escalationReason } = record;
	const { run, task } = context;
	const about = { finding: finding.id, turn: site.turn, disputeTurn: finding.dispute.turn };
	return [
		{ kind: "conflict", runId: run.runId, record, about },
		eventWrite(context, site, "conflict-resolved", {
			conflict: conflictId,
			finding: finding.id,
			attempt: record.attemptCount,
			resolution,
			decision: tieBreakerDecision,
			rationale,
			escalation_reason: escalationReason,
		}),
		...rulingWrites(context, site, finding, record),
		...(escalationReason === null
			? []
			: [
					eventWrite(context, site, CONFLICT_ESCALATION, {
						...{ conflictId, taskId: task.id, escalationReason },
					}),
				]),
		// The answers given in this attempt are no answers to the next question.
		await endOfEpisode(context, site, "tie_breaker"),
	];
}

/** PASS closes the finding; FAIL leaves it upheld, and binds the player. */
function rulingWrites(
	context: TaskContext,
	site: Site,
	finding: UpheldFinding,
	{ tieBreakerDecision: decision, rationale }: ConflictRecord,
): Write[] {
	if (decision === null) return [];
	const text = rationale ?? "";
	const ruling: Ruling = { by: "tie_breaker", decision, rationale: text, turn: site.turn };
	const settled: Finding =
		decision === "PASS"
			? { ...finding, ruling, state: "overruled", changedTurn: site.turn }
			: { ...finding, ruling };
	return findingWrites(context, site, settled, { by: "tie_breaker", text, evidence: null });
}
