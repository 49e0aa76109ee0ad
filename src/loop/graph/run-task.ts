import { inspect } from "node:util";
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

const MAX_DEPTH = 8;

const ALWAYS = ["message", "stack", "cause", "errors"] as const;

type Seen = Map<object, unknown>;

function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || prototype === Object.prototype || Array.isArray(value);
}

// An error stays the same one and is changed; of anything else that holds a secret a copy is made, since somebody
// may still work with it. What holds none is itself.
function masked(masker: Masker, value: unknown, depth: number, seen: Seen): unknown {
	if (typeof value === "string") return masker.mask(value);
	if (typeof value !== "object" || value === null) return value;
	if (seen.has(value)) return seen.get(value);
	seen.set(value, value instanceof Error ? value : "[Circular]");
	if (depth > MAX_DEPTH) return shownMasked(masker, value);
	if (value instanceof Error) {
		maskOwn(masker, value, depth, seen);
		return value;
	}
	if (!isPlain(value)) return shownMasked(masker, value);
	const copy = maskedPlain(masker, value, depth, seen);
	seen.set(value, copy);
	return copy;
}

function maskedPlain(masker: Masker, value: object, depth: number, seen: Seen): object {
	if (Array.isArray(value)) {
		const list: readonly unknown[] = value;
		const copy = list.map((inner) => masked(masker, inner, depth + 1, seen));
		return copy.some((inner, index) => inner !== list[index]) ? copy : list;
	}
	const fields = Object.entries(Object.getOwnPropertyDescriptors(value))
		.filter(([, { enumerable }]) => enumerable === true)
		.map(([key, field]) => {
			const before: unknown = field.value;
			const name = masker.mask(key);
			const after = masked(masker, before, depth + 1, seen);
			return { name, after, isSame: name === key && after === before };
		});
	if (fields.every(({ isSame }) => isSame)) return value;
	return Object.fromEntries(fields.map(({ name, after }) => [name, after]));
}

function shownMasked(masker: Masker, value: object): unknown {
	const shown = inspect(value, { depth: 4 });
	const text = masker.mask(shown);
	return text === shown ? value : text;
}

function maskOwn(masker: Masker, error: Error, depth: number, seen: Seen): void {
	const names = new Set<string | symbol>([...ALWAYS, ...Reflect.ownKeys(error)]);
	// A fault's code is one of a closed set, and decides the exit code.
	if (error instanceof Fault) names.delete("code");
	for (const name of names) {
		try {
			const value: unknown = Reflect.get(error, name);
			const after = masked(masker, value, depth + 1, seen);
			if (after !== value) Reflect.set(error, name, after);
		} catch {
			// A field that throws when it is read or written is shown to nobody either.
		}
	}
}

// Message, stack, every field of its own, and what caused it, however deep. It stays the same object, so that
// whoever compares it still finds it.
export function maskError(masker: Masker, error: unknown): unknown {
	return masked(masker, error, 0, new Map());
}
