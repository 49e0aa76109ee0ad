import {
	Annotation,
	type BaseCheckpointSaver,
	type CompiledStateGraph,
	END,
	type LastValue,
	START,
	StateGraph,
} from "@langchain/langgraph";
import type { TaskContext } from "./context.ts";
import { awaitHuman } from "./nodes/await-human.ts";
import { coachTurn } from "./nodes/coach-turn.ts";
import { finalizeEscalation, finalizeFailure, finalizeSuccess } from "./nodes/finalize.ts";
import { initialize } from "./nodes/initialize.ts";
import { merge } from "./nodes/merge.ts";
import { processFeedback, verify } from "./nodes/pass-through.ts";
import { playerTurn } from "./nodes/player-turn.ts";
import { policyGate } from "./nodes/policy-gate.ts";
import { resolveConflict } from "./nodes/resolve-conflict.ts";
import { scoreConfidence } from "./nodes/score-confidence.ts";
import { signOff } from "./nodes/sign-off.ts";
import { validateStructure } from "./nodes/validate-structure.ts";
import type { NodeName, TaskState, Update } from "./state.ts";
import { type NodeOptions, tracedNode } from "./traced-node.ts";

/** Every channel keeps the last value written to it. */
const Channels = Annotation.Root({
	graphVersion: Annotation<TaskState["graphVersion"]>(),
	runId: Annotation<TaskState["runId"]>(),
	taskId: Annotation<TaskState["taskId"]>(),
	turn: Annotation<TaskState["turn"]>(),
	bound: Annotation<TaskState["bound"]>(),
	items: Annotation<TaskState["items"]>(),
	start: Annotation<TaskState["start"]>(),
	commit: Annotation<TaskState["commit"]>(),
	round: Annotation<TaskState["round"]>(),
	reviewed: Annotation<TaskState["reviewed"]>(),
	next: Annotation<TaskState["next"]>(),
	trigger: Annotation<TaskState["trigger"]>(),
	reason: Annotation<TaskState["reason"]>(),
	resumeAt: Annotation<TaskState["resumeAt"]>(),
	itemId: Annotation<TaskState["itemId"]>(),
	taken: Annotation<TaskState["taken"]>(),
	directive: Annotation<TaskState["directive"]>(),
	critical: Annotation<TaskState["critical"]>(),
});

const NODE_OPTIONS: Readonly<Record<NodeName, Omit<NodeOptions, "name">>> = {
	initialize: { phase: "initializing", announce: "before", body: initialize },
	player_turn: {
		phase: "player_implementing",
		announce: "before",
		turnOffset: 1,
		body: playerTurn,
	},
	validate_structure: { phase: "validating", announce: "before", body: validateStructure },
	verify: { phase: "verification_skipped", announce: "with-result", body: verify },
	coach_turn: { phase: "coach_validating", announce: "before", body: coachTurn },
	resolve_conflict: { phase: "resolving_conflict", announce: "before", body: resolveConflict },
	score_confidence: { phase: "scoring", announce: "before", body: scoreConfidence },
	policy_gate: { phase: "gating", announce: "with-result", body: policyGate },
	process_feedback: {
		phase: "processing_feedback",
		announce: "with-result",
		body: processFeedback,
	},
	sign_off: { phase: "gating", announce: "with-result", body: signOff },
	merge: { phase: "merging", announce: "before", body: merge },
	finalize_success: { phase: "completed", announce: "with-result", body: finalizeSuccess },
	finalize_failure: { phase: "failed", announce: "with-result", body: finalizeFailure },
	finalize_escalation: { phase: "escalated", announce: "with-result", body: finalizeEscalation },
	await_human: { phase: "awaiting_human", announce: "with-result", body: awaitHuman },
};

/** What the graph needs to know of a task before it runs: without a person, whoever would be asked is not. */
export interface GraphOptions {
	readonly human: boolean;
}

/** The nodes by name. */
export type NodeMap = Readonly<Record<NodeName, (state: TaskState) => Promise<Update>>>;

/** The nodes of a task with their effects; the graph itself is the same for every task. */
export function nodesOf(context: TaskContext): NodeMap {
	const node = (name: NodeName) => tracedNode(context, { name, ...NODE_OPTIONS[name] });
	return {
		initialize: node("initialize"),
		player_turn: node("player_turn"),
		validate_structure: node("validate_structure"),
		verify: node("verify"),
		coach_turn: node("coach_turn"),
		resolve_conflict: node("resolve_conflict"),
		score_confidence: node("score_confidence"),
		policy_gate: node("policy_gate"),
		process_feedback: node("process_feedback"),
		sign_off: node("sign_off"),
		merge: node("merge"),
		finalize_success: node("finalize_success"),
		finalize_failure: node("finalize_failure"),
		finalize_escalation: node("finalize_escalation"),
		await_human: node("await_human"),
	};
}

/** Whoever cannot go on asks a person, or fails when nobody is to be asked (HIL off). */
function stopFor(options: GraphOptions): "finalize_escalation" | "finalize_failure" {
	return options.human ? "finalize_escalation" : "finalize_failure";
}

type TaskChannels = { -readonly [Key in keyof TaskState]: LastValue<TaskState[Key]> };

/** The compiled graph, as far as it is used. */
type TaskGraph = Pick<
	CompiledStateGraph<TaskState, Update, NodeName, TaskChannels, TaskChannels>,
	"invoke" | "getState" | "getGraphAsync"
>;

const STOPS = ["finalize_escalation", "finalize_failure"] as const;

/**
 * The state machine of one task, with the node names of the design.
 *
 * Nodes route by `next` alone; what `next` is, pure functions decide (`edges.ts`) or a node's outcome.
 */
export function taskGraph(
	nodes: NodeMap,
	options: GraphOptions,
	checkpointer?: BaseCheckpointSaver,
): TaskGraph {
	const stop = stopFor(options);
	const goOr = (target: NodeName) => (state: TaskState) => (state.next === "halt" ? stop : target);
	const graph = new StateGraph(Channels)
		.addNode("initialize", nodes.initialize)
		.addNode("player_turn", nodes.player_turn)
		.addNode("validate_structure", nodes.validate_structure)
		.addNode("verify", nodes.verify)
		.addNode("coach_turn", nodes.coach_turn)
		.addNode("resolve_conflict", nodes.resolve_conflict)
		.addNode("score_confidence", nodes.score_confidence)
		.addNode("policy_gate", nodes.policy_gate)
		.addNode("process_feedback", nodes.process_feedback)
		.addNode("sign_off", nodes.sign_off)
		.addNode("merge", nodes.merge)
		.addNode("finalize_success", nodes.finalize_success)
		.addNode("finalize_failure", nodes.finalize_failure)
		.addNode("finalize_escalation", nodes.finalize_escalation)
		.addNode("await_human", nodes.await_human)
		.addEdge(START, "initialize")
		.addConditionalEdges("initialize", goOr("player_turn"), ["player_turn", ...STOPS])
		.addConditionalEdges("player_turn", goOr("validate_structure"), [
			"validate_structure",
			...STOPS,
		])
		.addConditionalEdges("validate_structure", goOr("verify"), ["verify", ...STOPS])
		.addEdge("verify", "coach_turn")
		.addConditionalEdges("coach_turn", goOr("resolve_conflict"), ["resolve_conflict", ...STOPS])
		.addConditionalEdges("resolve_conflict", goOr("score_confidence"), [
			"score_confidence",
			...STOPS,
		])
		.addConditionalEdges("score_confidence", goOr("policy_gate"), ["policy_gate", ...STOPS])
		.addConditionalEdges("policy_gate", afterGate(stop), ["sign_off", "process_feedback", ...STOPS])
		.addEdge("process_feedback", "player_turn")
		.addConditionalEdges("sign_off", goOr("merge"), ["merge", ...STOPS])
		.addConditionalEdges("merge", afterMerge(stop), [
			"finalize_success",
			"process_feedback",
			...STOPS,
		])
		.addEdge("finalize_success", END)
		.addEdge("finalize_failure", END)
		.addEdge("finalize_escalation", "await_human")
		.addConditionalEdges("await_human", afterAnswer, [
			"initialize",
			"player_turn",
			"validate_structure",
			"coach_turn",
			"resolve_conflict",
			"score_confidence",
			"policy_gate",
			"merge",
			"finalize_failure",
		]);
	return graph.compile(checkpointer === undefined ? {} : { checkpointer });
}

function afterGate(stop: NodeName) {
	return ({ next }: TaskState): NodeName => {
		if (next === "approve") return "sign_off";
		return next === "feedback" ? "process_feedback" : stop;
	};
}

function afterMerge(stop: NodeName) {
	return ({ next }: TaskState): NodeName => {
		if (next === "merged") return "finalize_success";
		return next === "feedback" ? "process_feedback" : stop;
	};
}

function afterAnswer({ next, resumeAt }: TaskState): NodeName {
	if (next === "reject") return "finalize_failure";
	return next === "player_turn" || next === "policy_gate" ? next : resumeAt;
}
