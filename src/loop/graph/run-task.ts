import { type BaseCheckpointSaver, Command } from "@langchain/langgraph";
import { Fault } from "../../kernel/fault.ts";
import type { Masker } from "../../masking/masking.ts";
import { maskAllButNames } from "../../store/mask-texts.ts";
import { type StepKey, stepWrite, type Write } from "../../store/records.ts";
import type { TaskContext } from "../context.ts";
import { halt, type NodeDefinition, type NodeResult, targetOf } from "../node.ts";
import { type NodeInput, nodeInput } from "../node-input.ts";
import { type Journal, taskLog } from "../records/task-log.ts";
import { turnTakenBack } from "../records/turn.ts";
import { takesNextPlace } from "../refused-merge.ts";
import { spentAccountIn } from "../seat-call.ts";
import { GRAPH_VERSION, initialState, type TaskState, threadOf, type Update } from "../state.ts";
import { taskGraph } from "./graph.ts";
import { TASK_NODES } from "./task-nodes.ts";

/** Makes what a node works with; tests put other ports into it. */
export type InputMaker = typeof nodeInput;

const STEPS_PER_TURN = 10;
const SPARE_STEPS = 60;

/**
 * Takes a task as far as it goes by itself: to its end, or to a question for a person.
 *
 * One decision at the start makes a repeated call harmless: never begun, finished, waiting without an answer,
 * waiting with one, or interrupted in the middle.
 *
 * @param inputFor default: the ports of the context
 * @throws Fault `run-not-resumable` when the stored graph is of another version
 */
export async function runTask(
	context: TaskContext,
	checkpointer: BaseCheckpointSaver,
	inputFor: InputMaker = nodeInput,
): Promise<void> {
	try {
		await goOn(context, checkpointer, inputFor);
		// Killed before the graph noted its question, a task comes to it again, and it may have been answered since.
		if (await isAnswered(context)) await goOn(context, checkpointer, inputFor);
	} finally {
		await context.ahead.stop();
	}
}

async function isAnswered({ run, task, records }: TaskContext): Promise<boolean> {
	const record = await records.task(run.runId, task.id);
	if (record?.humanItem == null) return false;
	return (await records.item(record.humanItem))?.answer != null;
}

async function goOn(
	context: TaskContext,
	checkpointer: BaseCheckpointSaver,
	inputFor: InputMaker,
): Promise<void> {
	const { run, task, epoch, records } = context;
	const record = await records.task(run.runId, task.id);
	if (record === undefined) throw new Error(`task ${task.id} is not part of run ${run.runId}`);
	const graph = taskGraph({
		nodes: TASK_NODES,
		act: (node) => tracedNode(context, node, inputFor),
		human: task.human,
		checkpointer,
	});
	const pieces = Math.max(1, task.subtasks?.length ?? 0);
	const thread = { configurable: { thread_id: threadOf(run.runId, task.id, epoch) } };
	const config = {
		...thread,
		recursionLimit: STEPS_PER_TURN * record.bound * pieces + SPARE_STEPS,
		durability: "sync",
	} as const;
	const snapshot = await graph.getState(thread);
	if (snapshot.createdAt === undefined) {
		const asked = (await records.items(run.runId)).filter(({ taskId }) => taskId === task.id);
		const { bound, turns: turn } = record;
		const state = initialState({
			runId: run.runId,
			taskId: task.id,
			bound,
			turn,
			items: asked.length,
			// Newest first: a directive of before the reopening still binds.
			directive: asked.find(({ answer }) => answer?.choice === "directive")?.id ?? null,
		});
		await graph.invoke(state, config);
		return;
	}
	const before = snapshot.values as Partial<TaskState>;
	refuseOtherVersion(run.runId, before);
	if (takesNextPlace({ refusals: before.refusals ?? 0 })) context.queue.reserve(task.id);
	// Finished is "no tasks", never "no next": a crash between two writes leaves a task pending without a next.
	if (snapshot.tasks.length === 0) return;
	const waiting = snapshot.tasks.some(({ interrupts }) => interrupts.length > 0);
	// Whoever was killed after the answer was taken, and before the graph had noted it, waits for nobody either.
	if (!waiting || record.humanItem === null) {
		await graph.invoke(null, config);
		return;
	}
	const item = await records.item(record.humanItem);
	if (item?.answer == null) return;
	await graph.invoke(new Command({ resume: item.id }), config);
}

function refuseOtherVersion(runId: string, state: Partial<TaskState>): void {
	// Before its first node a thread holds no values yet; then there is nothing that could differ.
	if (state.graphVersion === undefined || state.graphVersion === GRAPH_VERSION) return;
	throw new Fault(
		`run ${runId} was begun by another version of Sparring (graph ${state.graphVersion}, this one has ${GRAPH_VERSION})`,
		{
			code: "run-not-resumable",
			hint: `Finish it with that version, or give it up with \`spar cancel ${runId}\` and start again.`,
		},
	);
}

// Its result is stored as a step under (run, task, turn, node, epoch, items) in the transaction of its records. A
// node that runs again after a kill finds the step and returns what was stored, without acting. Its result and what
// it throws are without secrets: LangGraph stores both in its checkpoints.
export function tracedNode(
	context: TaskContext,
	node: NodeDefinition,
	inputFor: InputMaker = nodeInput,
): (state: TaskState) => Promise<Update> {
	const { masker } = context;
	return async (state) => {
		try {
			return await act(context, node, state, inputFor);
		} catch (error) {
			throw maskError(masker, error);
		}
	};
}

async function act(
	context: TaskContext,
	node: NodeDefinition,
	state: TaskState,
	inputFor: InputMaker,
): Promise<Update> {
	const { run, task, clock } = context;
	const turn = state.turn + (node.beginsTurn === true ? 1 : 0);
	const log = taskLog({ runId: run.runId, taskId: task.id }, { turn, node: node.name }, clock);
	const key: StepKey<Update> = log.key(`${node.name}/${context.epoch}.${state.items}`);
	const stored = await context.records.step(key);
	if (stored !== undefined) return stored;
	const startedAt = clock.now();
	const { phase } = node;
	const { bound } = state;
	const commit = await tellingPhases(context, log);
	const entered = [log.event("node-entered", { phase, bound }), log.task({ phase })];
	if (node.announce === "before") await commit(entered);
	const result = await resultOf(node, await inputFor({ ...context, commit }, state, log));
	const update = updateOf(context, node, result);
	const passed_through = result.passedThrough ?? null;
	await commit([
		...(node.announce === "before" ? [] : entered),
		...(result.writes ?? []),
		stepWrite(key, update),
		log.event("node-left", { ms: clock.now() - startedAt, passed_through }),
	]);
	await result.afterCommit?.();
	return update;
}

async function resultOf(node: NodeDefinition, input: NodeInput): Promise<NodeResult> {
	try {
		return await node.body(input);
	} catch (error) {
		const reason = spentAccountIn(error);
		if (reason === null) throw error;
		// No turn is charged for it.
		const writes = node.beginsTurn === true ? turnTakenBack(input.log) : [];
		return { update: halt("quota", reason), writes };
	}
}

async function tellingPhases(context: TaskContext, log: Journal): Promise<TaskContext["commit"]> {
	let from = (await context.records.task(log.runId, log.taskId))?.phase;
	return async (writes) => {
		const told = writes.flatMap((write): Write[] => {
			const to = write.kind === "task" ? write.patch.phase : undefined;
			if (to === undefined || from === undefined || to === from) return [write];
			const event = log.event("phase-changed", { from, to });
			from = to;
			return [write, event];
		});
		await context.commit(told);
	};
}

// With where the task goes on after a person's yes; without secrets.
function updateOf({ masker }: TaskContext, node: NodeDefinition, { update }: NodeResult): Update {
	const target = targetOf(node, update.next);
	const whole: { -readonly [Key in keyof Update]: Update[Key] } = { ...update };
	if (typeof target === "object") whole.resumeAt = target.resumeAt;
	if (update.reason != null) whole.reason = maskAllButNames(masker, update.reason);
	return whole;
}

const TEXTS_AND_CAUSES = ["message", "stack", "hint", "cause", "errors"] as const;

const MOST_ERRORS = 50;

function maskWithin(masker: Masker, value: unknown, seen: Set<unknown>): unknown {
	if (typeof value === "string") return masker.mask(value);
	if (Array.isArray(value)) return value.map((each) => maskWithin(masker, each, seen));
	if (seen.has(value) || !(value instanceof Error)) return value;
	// So many cause each other by mistake only.
	if (seen.size >= MOST_ERRORS) return undefined;
	seen.add(value);
	const isMasked = TEXTS_AND_CAUSES.map((name) => maskField(masker, value, name, seen));
	return isMasked.every(Boolean) ? value : new Error(masker.mask(value.message));
}

function maskField(masker: Masker, error: Error, name: string, seen: Set<unknown>): boolean {
	const before: unknown = Reflect.get(error, name);
	const after = maskWithin(masker, before, seen);
	const isSet = after === before || Reflect.set(error, name, after);
	// A getter of the class stands in the way of a DOMException's message.
	return isSet || Reflect.defineProperty(error, name, { value: after });
}

// What an error says, and what those that caused it say. It stays the same object, so that whoever compares it still
// finds it, unless it is frozen.
export function maskError(masker: Masker, error: unknown): unknown {
	try {
		return maskWithin(masker, error, new Set());
	} catch {
		// What throws when it is read or written.
		return new Error("An error that cannot be read was thrown.");
	}
}
