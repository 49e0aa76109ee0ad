import { ConflictResolutionEngine } from "../conflict/conflict-resolution-engine.ts";
import { nextAttempt, type UpheldFinding, upholderOf } from "../conflict/open-conflicts.ts";
import type { ArbiterGround } from "./arbiter.ts";
import type { PromptGround } from "./coach-call.ts";
import { conflictSides } from "./conflict-sides.ts";
import type { Ground } from "./context.ts";
import { conflictDetected, conflictSettled } from "./records/conflict.ts";
import { endOfEpisode, type SeatGround } from "./seat-call.ts";
import { type TaskState, threadOf } from "./state.ts";
import { seatTieBreaker } from "./tie-break-call.ts";

/** What a conflict is settled with. */
type ConflictGround = PromptGround & SeatGround & ArbiterGround & Pick<Ground, "epoch" | "log">;

/**
 * One attempt at settling a disputed finding: the tie-breaker decides, or it waits for a person. The attempt, what it
 * does to the finding and its events are one transaction, and stored when this returns.
 *
 * @throws ResolutionInterrupted when the tie-breaker could not be asked to the end; nothing is decided then
 */
export async function settleConflict(
	context: ConflictGround,
	state: TaskState,
	finding: UpheldFinding,
): Promise<void> {
	const { read, run, task, masker, clock } = context;
	const attempt = nextAttempt(await read.conflicts(), finding.id);
	const tieBreaker = seatTieBreaker(context, state, finding);
	const engine = new ConflictResolutionEngine({
		tieBreaker,
		records: {
			keep: async (record) =>
				await context.commit([
					...conflictSettled(context.log, finding, { record, tieBreaker: tieBreaker.asked() }),
					// The answers given in this attempt are no answers to the next question.
					await endOfEpisode(context, "tie_breaker"),
				]),
		},
		masker,
		clock,
	});
	const sides = {
		threadId: threadOf(run.runId, task.id, context.epoch),
		taskId: task.id,
		developerVerdict: "PASS",
		reviewerVerdict: "FAIL",
		...(await conflictSides(context, state, finding)),
	} as const;
	const conflictId = await detected(context, { finding, attempt, engine, sides });
	await engine.resolve({ ...sides, conflictId, attemptCount: attempt });
}

type Sides = Parameters<ConflictResolutionEngine["detectConflict"]>[0];

/** Finds the conflict, and tells of it once: a process that takes this up after a kill goes on under the same id. */
async function detected(
	context: Pick<Ground, "log" | "read" | "commit">,
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
	const key = context.log.key<string>(`conflict/${finding.id}`);
	const known = await context.read.step(key);
	if (known !== undefined) return known;
	const found = engine.detectConflict(sides);
	if (!found.conflictDetected) throw new Error(`both sides agree about ${finding.id}`);
	const { conflictId } = found;
	const about = {
		conflict: conflictId,
		finding: finding.id,
		attempt,
		upheld_by: upholderOf(finding),
	};
	await context.commit(conflictDetected(context.log, key, about));
	return conflictId;
}
