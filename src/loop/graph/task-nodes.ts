import { END } from "@langchain/langgraph";
import {
	halt,
	type NodeDefinition,
	type NodeResult,
	node,
	passed,
	RESUME,
	stopThen,
} from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { awaitHuman } from "../nodes/await-human.ts";
import { coachTurn } from "../nodes/coach-turn.ts";
import { finalizeEscalation, finalizeFailure, finalizeSuccess } from "../nodes/finalize.ts";
import { initialize } from "../nodes/initialize.ts";
import { merge } from "../nodes/merge.ts";
import { playerTurn } from "../nodes/player-turn.ts";
import { policyGate } from "../nodes/policy-gate.ts";
import { resolveConflict } from "../nodes/resolve-conflict.ts";
import { scoreConfidence } from "../nodes/score-confidence.ts";
import { validateStructure } from "../nodes/validate-structure.ts";
import { verify } from "../nodes/verify.ts";

/**
 * The nodes of a task, in the order of a turn; a task begins at the first. The one place that names a node: the graph,
 * its drawing, the phases and the points where a person's answer takes the task up again all follow from it.
 */
export const TASK_NODES: readonly NodeDefinition[] = [
	node({
		name: "initialize",
		phase: "initializing",
		announce: "before",
		body: initialize,
		to: { go: "player_turn", halt: stopThen("initialize") },
	}),
	node({
		name: "player_turn",
		phase: "player_implementing",
		announce: "before",
		beginsTurn: true,
		body: playerTurn,
		to: { go: "validate_structure", halt: stopThen("player_turn") },
	}),
	node({
		name: "validate_structure",
		phase: "validating",
		announce: "before",
		body: validateStructure,
		to: { go: "verify", escalate: stopThen("verify"), halt: stopThen("validate_structure") },
	}),
	node({
		name: "verify",
		phase: "validated",
		announce: "before",
		body: verify,
		to: {
			go: "coach_turn",
			feedback: "process_feedback",
			max_turns: stopThen("player_turn"),
			halt: stopThen("verify"),
		},
	}),
	node({
		name: "coach_turn",
		phase: "coach_validating",
		announce: "before",
		body: coachTurn,
		to: { go: "resolve_conflict", halt: stopThen("coach_turn") },
	}),
	node({
		name: "resolve_conflict",
		phase: "resolving_conflict",
		announce: "before",
		body: resolveConflict,
		to: { go: "score_confidence", halt: stopThen("resolve_conflict") },
	}),
	node({
		name: "score_confidence",
		phase: "scoring",
		announce: "before",
		body: scoreConfidence,
		to: { go: "policy_gate", halt: stopThen("score_confidence") },
	}),
	node({
		name: "policy_gate",
		phase: "gating",
		body: policyGate,
		to: {
			approve: "sign_off",
			feedback: "process_feedback",
			escalate: stopThen("player_turn"),
			max_turns: stopThen("player_turn"),
			halt: stopThen("policy_gate"),
		},
	}),
	node({
		name: "process_feedback",
		phase: "processing_feedback",
		body: processFeedback,
		to: { go: "player_turn" },
	}),
	node({
		name: "sign_off",
		phase: "gating",
		body: signOff,
		to: { go: "merge", halt: stopThen("merge") },
	}),
	node({
		name: "merge",
		phase: "merging",
		announce: "before",
		body: merge,
		to: {
			merged: "finalize_success",
			feedback: "process_feedback",
			refused: stopThen("player_turn"),
			halt: stopThen("merge"),
		},
	}),
	node({
		name: "finalize_success",
		phase: "completed",
		body: finalizeSuccess,
		to: { go: END },
	}),
	node({
		name: "finalize_failure",
		phase: "failed",
		body: finalizeFailure,
		to: { go: END },
	}),
	node({
		name: "finalize_escalation",
		phase: "escalated",
		body: finalizeEscalation,
		to: { go: "await_human" },
	}),
	node({
		name: "await_human",
		phase: "awaiting_human",
		body: awaitHuman,
		to: { resume: RESUME, rework: "player_turn", take: "policy_gate", reject: "finalize_failure" },
	}),
];

/** `process_feedback`: the ledger was updated with the verdict; what is left is the status for people. */
export async function processFeedback({ log }: Pick<NodeInput, "log">): Promise<NodeResult<"go">> {
	return { update: { next: "go" }, writes: [log.task({ status: "needs_rework" })] };
}

/** `sign_off`: tier T2, and a task with `requires_human`, wait for a person before it merges. Without HIL it was warned of at load. */
export async function signOff({
	facts: { task },
	state: { turn },
}: Pick<NodeInput, "facts" | "state">): Promise<NodeResult<"go" | "halt">> {
	const of = { task: task.id, turn };
	if (task.gate && task.gatePolicy?.riskTier === "T2")
		return { update: halt("sign_off", { kind: "signature_needed", ...of }) };
	if (!task.requiresHuman) return passed("no sign-off is asked for");
	if (!task.human) return passed("requires_human, but HIL is off");
	return { update: halt("requires_human", { kind: "word_needed", ...of }) };
}
