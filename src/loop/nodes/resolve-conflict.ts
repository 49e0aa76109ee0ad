import { openConflicts, type UpheldFinding } from "../../conflict/open-conflicts.ts";
import { ResolutionInterrupted } from "../../conflict/resolution-interrupted.ts";
import type { Write } from "../../store/records.ts";
import { BudgetSpent } from "../budget-spent.ts";
import { settleConflict } from "../conflict-attempt.ts";
import { type Site, type TaskContext, taskEvent } from "../context.ts";
import { halt } from "../halt.ts";
import { openNow } from "../open-findings.ts";
import { overruledTurn } from "../overruled-turn.ts";
import { shortOfTurn } from "../short-evidence.ts";
import type { TaskState } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";
import { turnRecord } from "../turn-record.ts";

/**
 * `resolve_conflict`: the disputes that the coach upheld, one after another. What the tie-breaker decides for the player
 * changes the verdict of the turn; what only a person can decide, the route of the turn takes to one.
 *
 * Each attempt is stored with its effect on the finding before the next begins, so that no kill repeats one.
 */
export async function resolveConflict(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	const { records, run, task } = context;
	if (task.pair === undefined) return passed("no pair: nobody upholds a finding");
	const turn = await turnRecord(context, site.turn);
	const known = await records.conflicts(run.runId, task.id);
	const needsApproval = task.exitConditions === undefined;
	const ground = { open: await openNow(context), known, needsApproval };
	const cases = turn.effective === "feedback" ? openConflicts(ground) : [];
	// A process that ended in the middle of this node may have settled some already.
	const settled = known.some((attempt) => attempt.turn === site.turn);
	if (cases.length === 0 && !settled)
		return passed("no disputed finding that stands in the way was upheld");
	const short = cases.length === 0 ? [] : await shortOfTurn(context, state, turn);
	if (short.length > 0) {
		return passed(`disputes wait, since required evidence did not pass: ${short.join(", ")}`);
	}
	const unpaid = await settleAll(context, state, site, cases);
	if (unpaid !== null) return { update: halt("budget", unpaid, "resolve_conflict") };
	const { writes } = await overruledTurn(context, site, { turn });
	const pauses = await pauseWrites(context, site);
	return { update: { next: "go" }, writes: [...writes, ...pauses] };
}

const passed = (why: string): NodeResult => ({ update: { next: "go" }, passedThrough: why });

/** @returns why no further call may be made; null when every case is settled or waits for a person */
async function settleAll(
	context: TaskContext,
	state: TaskState,
	site: Site,
	cases: readonly UpheldFinding[],
): Promise<string | null> {
	try {
		for (const finding of cases) await settleConflict(context, state, site, finding);
		return null;
	} catch (error) {
		if (!(error instanceof ResolutionInterrupted)) throw error;
		if (error.cause instanceof BudgetSpent) return error.cause.message;
		throw error.cause;
	}
}

/**
 * The pauses of this turn, each once: for every attempt that needs a person and has not paused the task. It is read from
 * the records, so that what a process escalated that ended before this node did is waited for as well.
 */
async function pauseWrites(context: TaskContext, site: Site): Promise<Write[]> {
	const { records, run, task } = context;
	// With nobody to ask nothing pauses: the task fails.
	if (!task.human) return [];
	const attempts = await records.conflicts(run.runId, task.id);
	return attempts.flatMap(({ turn, conflictId, escalationReason: reason, paused }): Write[] => {
		if (turn !== site.turn || reason === null || paused === true) return [];
		const event = taskEvent(context, site, "PAUSED_FOR_USER_ESCALATION", {
			conflict: conflictId,
			reason,
		});
		return [{ kind: "conflict-paused", runId: run.runId, conflictId, event }];
	});
}
