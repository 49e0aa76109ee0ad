import {
	Annotation,
	type BaseCheckpointSaver,
	type CompiledStateGraph,
	type LastValue,
	START,
	StateGraph,
} from "@langchain/langgraph";
import { type NodeDefinition, RESUME, type Target, targetOf } from "../node.ts";
import { initialState, type TaskState, type Update } from "../state.ts";

const ASK = "finalize_escalation";
const FAIL = "finalize_failure";

type TaskChannels = { -readonly [Key in keyof TaskState]: LastValue<TaskState[Key]> };

const NAMES = Object.keys(initialState({ runId: "", taskId: "", bound: 1 }));
/** Every channel keeps the last value written to it. The first state has each of its fields. */
const Channels = Annotation.Root(
	Object.fromEntries(NAMES.map((name) => [name, Annotation()])) as unknown as TaskChannels,
);

/** The compiled graph, as far as it is used. */
export type TaskGraph = Pick<
	CompiledStateGraph<TaskState, Update, string, TaskChannels, TaskChannels>,
	"invoke" | "getState" | "getStateHistory" | "getGraph" | "getGraphAsync"
>;

/**
 * The state machine of one task. A node routes by `next` alone; pure functions decide it (`decide-turn.ts`,
 * `edges.ts`) or a node's outcome.
 */
export function taskGraph({
	nodes,
	act,
	human,
	checkpointer,
}: {
	readonly nodes: readonly NodeDefinition[];
	readonly act: (node: NodeDefinition) => (state: TaskState) => Promise<Update>;
	readonly human: boolean;
	readonly checkpointer?: BaseCheckpointSaver;
}): TaskGraph {
	const graph = new StateGraph(Channels).addNode(
		Object.fromEntries(nodes.map((node) => [node.name, act(node)])),
	);
	const [first] = nodes;
	if (first === undefined) throw new Error("a graph needs a node");
	graph.addEdge(START, first.name);
	for (const node of nodes) {
		const targets = Object.values(node.to);
		const [only] = targets;
		if (targets.length === 1 && typeof only === "string") {
			graph.addEdge(node.name, only);
			continue;
		}
		const route = (state: TaskState) => placeOf(targetOf(node, state.next), state, human);
		graph.addConditionalEdges(node.name, route, ends(targets, nodes));
	}
	return graph.compile(checkpointer === undefined ? {} : { checkpointer });
}

function placeOf(target: Target, { resumeAt, reason }: TaskState, human: boolean): string {
	if (typeof target === "string") return target;
	if (target === RESUME) return resumeAt;
	return human && !(reason?.kind === "quota_spent" && reason.fails) ? ASK : FAIL;
}

function ends(targets: readonly Target[], nodes: readonly NodeDefinition[]): string[] {
	const names = targets.flatMap((target) => {
		if (typeof target === "string") return [target];
		return target === RESUME ? resumePoints(nodes) : [ASK, FAIL];
	});
	return [...new Set(names)];
}

export function resumePoints(nodes: readonly NodeDefinition[]): string[] {
	const named = new Set(
		nodes.flatMap(({ to }) =>
			Object.values(to).flatMap((target) => (typeof target === "object" ? [target.resumeAt] : [])),
		),
	);
	return nodes.flatMap(({ name }) => (named.has(name) ? [name] : []));
}
