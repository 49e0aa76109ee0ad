import type { Approval, Reason, Untested } from "../human/reason.ts";
import { detectStall, type StallTurn } from "../review/stall.ts";
import type { ConflictsReason } from "../trace/conflicts-reason.ts";

/** Way of a turn after `policy_gate`. */
export type Route = "approve" | "escalate" | "max_turns" | "feedback";

export interface RouteState {
	readonly coachDecision: "pending" | "approve" | "feedback";
	readonly paired: boolean;
	readonly exit: { readonly holds: string | null } | null;
	readonly taken: boolean;
	readonly blocking: number;
	readonly shortEvidence: readonly string[];
	/** Kind of check that the workflow lacks, so that nothing tested the work; null: something did. */
	readonly untested: Untested["lacks"] | null;
	/** Tells whether the task has a gate that reports. */
	readonly gated: boolean;
	/** Tells whether a rule of the gate refuses the work, with a report or without. */
	readonly refused: boolean;
	readonly critical: boolean;
	/** Conflicts of this turn that wait for a person; null: none. */
	readonly conflicts: ConflictsReason | null;
	/** Ids of the findings that were overruled, where the coach's refusal became an approval because of it; null: it did not. */
	readonly overruled: readonly string[] | null;
	readonly suspicions: readonly string[];
	readonly unchanged: "first" | "again" | null;
	readonly recentTurns: readonly StallTurn[];
	/** What the turn was not approved for, as a person is told of it. */
	readonly inTheWay: readonly string[];
	readonly turnCount: number;
	readonly maxTurns: number;
}

export interface RouteDecision {
	readonly route: Route;
	readonly reason: Reason;
}

// First match wins. The current turn is part of what is looked at, empty feedback is no repetition, and escalation
// comes before the limit, so that a critical finding of the last turn is no plain failure.
export function decideRoute(state: RouteState): RouteDecision {
	const obstacle = firstObstacle(state);
	if (obstacle === null) return { route: "approve", reason: approvalReason(state) };
	// Another turn of the player would answer nothing where no coach sits, or where it came up after the coach's word.
	const isUnasked = !state.paired || state.coachDecision === "approve";
	if (obstacle.kind === "suspicions_open" && isUnasked)
		return { route: "escalate", reason: obstacle };
	// The player was told, or cannot be.
	const isOver = state.unchanged === "again" || state.turnCount >= state.maxTurns;
	if (obstacle.kind === "nothing_changed" && isOver) return { route: "escalate", reason: obstacle };
	const escalation = escalationReason(state);
	if (escalation !== null) return { route: "escalate", reason: escalation };
	if (state.turnCount >= state.maxTurns)
		return { route: "max_turns", reason: { kind: "max_turns", bound: state.maxTurns } };
	return { route: "feedback", reason: obstacle };
}

export function escalationReason({
	conflicts,
	critical,
	recentTurns,
	inTheWay,
}: Pick<RouteState, "conflicts" | "critical" | "recentTurns" | "inTheWay">): Reason | null {
	if (conflicts !== null) return conflicts;
	if (critical) return { kind: "critical" };
	const stall = detectStall(recentTurns, inTheWay);
	return stall && { kind: "stalled", sign: stall.reason };
}

function firstObstacle(state: RouteState): Reason | null {
	if (state.shortEvidence.length > 0) return { kind: "evidence_short", names: state.shortEvidence };
	if (state.refused) return { kind: "gate_failed" };
	if (state.taken) return null;
	if (state.conflicts !== null) return { kind: "conflict_waits" };
	if (state.blocking > 0) return { kind: "blocked", findings: state.blocking };
	if (state.unchanged !== null) return { kind: "nothing_changed" };
	const unfinished = unfinishedReason(state);
	if (unfinished !== null) return unfinished;
	const { suspicions: ids } = state;
	return ids.length === 0 ? null : { kind: "suspicions_open", ids };
}

function unfinishedReason(state: RouteState): Reason | null {
	const approved = !state.paired || state.coachDecision === "approve";
	if (state.exit === null) return approved ? null : { kind: "not_approved" };
	if (state.exit.holds === null) return { kind: "no_exit_holds" };
	// What nobody judged may leave only where the evidence policy did.
	return approved || state.gated ? null : { kind: "ungated" };
}

function approvalReason(state: RouteState): Reason {
	const approval = approvalOf(state);
	if (state.untested === null) return approval;
	// Evidence that is not there approved nothing.
	const others = approval.kind === "evidence_passed" ? null : approval;
	return { kind: "untested", lacks: state.untested, approval: others };
}

function approvalOf(state: RouteState): Approval {
	if (state.taken) return { kind: "taken" };
	if (state.overruled !== null) return { kind: "overruled", findings: state.overruled };
	if (state.exit?.holds != null) return { kind: "exit_holds", condition: state.exit.holds };
	return { kind: state.paired ? "approved" : "evidence_passed" };
}
