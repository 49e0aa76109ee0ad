import { detectStall, type StallTurn } from "../review/stall.ts";

/** Where a turn goes after `policy_gate`. */
export type Route = "approve" | "escalate" | "max_turns" | "feedback";

/** All that the decision at the end of a turn depends on. */
export interface RouteState {
	/** The effective verdict of the coach; `pending` when no coach sits. */
	readonly coachDecision: "pending" | "approve" | "feedback";
	/** True for a pair: then only an exit condition ends the loop, by default the coach's approval. */
	readonly paired: boolean;
	/** Exit conditions other than that default: the first one that holds, null when none does. Undefined: there are none. */
	readonly exit?: { readonly holds: string | null };
	/** True when a person took the developer's output of this turn. */
	readonly taken: boolean;
	/** Open findings that block. */
	readonly blocking: number;
	/** Required evidence without a pass, by name. */
	readonly shortEvidence: readonly string[];
	/** The work was not tested: the workflow has no acceptance check, or no check at all. Undefined: it was. */
	readonly untested?: "no acceptance check" | "no checks";
	/** null without a gate. */
	readonly gate: "PASS" | "FAIL" | null;
	/** A critical finding was raised or reopened in this turn, or the coach approved over one. */
	readonly critical: boolean;
	/** Conflicts of this turn that wait for a person, each as a sentence; undefined: none. */
	readonly conflicts?: readonly string[];
	/** What was overruled, where the coach's refusal became an approval because of it; undefined: it did not. */
	readonly overruled?: string;
	/** The newest turns, this one first. */
	readonly recentTurns: readonly StallTurn[];
	readonly turnCount: number;
	readonly maxTurns: number;
}

/** A route with the rule that decided it, for the trace. */
export interface RouteDecision {
	readonly route: Route;
	readonly reason: string;
}

/**
 * The route of a turn: `approve`, `escalate`, `max_turns`, `feedback`, first match wins.
 *
 * The current turn is part of what is looked at, empty feedback is no repetition, and
 * escalation comes before the limit, so that a critical finding of the last turn is no plain failure.
 */
export function routeCoachDecision(state: RouteState): Route {
	return decideRoute(state).route;
}

/** `routeCoachDecision` with its reason. */
export function decideRoute(state: RouteState): RouteDecision {
	const obstacle = firstObstacle(state);
	if (obstacle === null) return { route: "approve", reason: approvalReason(state) };
	const escalation = escalationReason(state);
	if (escalation !== null) return { route: "escalate", reason: escalation };
	if (state.turnCount >= state.maxTurns) {
		return { route: "max_turns", reason: `Max turns (${state.maxTurns}) reached without approval` };
	}
	return { route: "feedback", reason: obstacle };
}

type EscalationState = Pick<RouteState, "conflicts" | "critical" | "recentTurns">;

/** Whether a person is needed before the limit: a conflict, a critical finding or a stall. */
export function shouldEscalate(state: EscalationState): boolean {
	return escalationReason(state) !== null;
}

function escalationReason(state: EscalationState): string | null {
	const { conflicts = [] } = state;
	if (conflicts.length > 0) return conflicts.join("\n");
	if (state.critical) return "a critical finding needs a person's decision";
	return detectStall(state.recentTurns)?.reason ?? null;
}

function firstObstacle(state: RouteState): string | null {
	if (state.shortEvidence.length > 0) {
		return `required evidence is missing or failed: ${state.shortEvidence.join(", ")}`;
	}
	if (state.gate === "FAIL") return "the gate did not pass";
	if (state.taken) return null;
	if ((state.conflicts ?? []).length > 0) return "a conflict waits for a person";
	if (state.blocking > 0) return `${state.blocking} blocking finding(s) open`;
	const approved = !state.paired || state.coachDecision === "approve";
	if (state.exit === undefined) return approved ? null : "the coach did not approve";
	if (state.exit.holds === null) return "no exit condition holds";
	// What nobody judged may leave only where the evidence policy did.
	return approved || state.gate !== null
		? null
		: "without the coach's approval only a gate lets go";
}

/** Why the turn is approved; where nothing tested the work, that is said in the same breath. */
function approvalReason(state: RouteState): string {
	const { untested } = state;
	if (untested === undefined) return approvedBecause(state);
	const none = `nothing was tested: the workflow has ${untested}`;
	return hasOtherReason(state) ? `${approvedBecause(state)}; ${none}` : none;
}

/** Whether somebody or something besides evidence approved. */
function hasOtherReason(state: RouteState): boolean {
	return state.taken || state.overruled !== undefined || state.exit?.holds != null || state.paired;
}

function approvedBecause(state: RouteState): string {
	if (state.taken) return "a person took the developer's output";
	if (state.overruled !== undefined) return state.overruled;
	if (state.exit?.holds != null) return `exit condition holds: ${state.exit.holds}`;
	if (!state.paired) return "required evidence passed";
	return "the coach approved and nothing blocks";
}
