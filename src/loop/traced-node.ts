import { maskAllButNames } from "../store/mask-texts.ts";
import { type StepKey, stepWrite, type Write } from "../store/records.ts";
import type { TaskContext } from "./context.ts";
import { maskError } from "./mask-error.ts";
import { halt, type NodeDefinition, type NodeInput, type NodeResult, targetOf } from "./node.ts";
import { nodeInput } from "./node-ports.ts";
import { turnTakenBack } from "./records/turn.ts";
import { spentAccountIn } from "./spent-account.ts";
import type { TaskState, Update } from "./state.ts";
import { TaskLog } from "./task-log.ts";

/**
 * A node of the graph with its effect exactly once.
 *
 * Its result is stored as a step under (run, task, turn, node, epoch, items) in the transaction of its records. A node that
 * runs again after a kill finds the step and returns what was stored, without acting.
 *
 * Its result and what it throws are without secrets: LangGraph stores both in its checkpoints.
 */
export function tracedNode(
	context: TaskContext,
	node: NodeDefinition,
): (state: TaskState) => Promise<Update> {
	const { masker } = context;
	return async (state) => {
		try {
			return await act(context, node, state);
		} catch (error) {
			throw maskError(masker, error);
		}
	};
}

async function act(context: TaskContext, node: NodeDefinition, state: TaskState): Promise<Update> {
	const { run, task, clock } = context;
	const turn = state.turn + (node.beginsTurn === true ? 1 : 0);
	const log = new TaskLog({ runId: run.runId, taskId: task.id }, { turn, node: node.name }, clock);
	const key: StepKey<Update> = log.key(`${node.name}/${context.epoch}.${state.items}`);
	const stored = await context.records.step(key);
	if (stored !== undefined) return stored;
	const startedAt = clock.now();
	const { phase } = node;
	const { bound } = state;
	const commit = await tellingPhases(context, log);
	const entered = [log.event("node-entered", { phase, bound }), log.task({ phase })];
	if (node.announce === "before") await commit(entered);
	const result = await resultOf(node, await nodeInput({ ...context, commit }, state, log));
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

/** Result of a node's body; whichever seat it called, an account that has reached its limit stops it there. */
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

/** Commits writes, each change of the task's phase with the event that tells it. */
async function tellingPhases(context: TaskContext, log: TaskLog): Promise<TaskContext["commit"]> {
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

/** What a node changes, with where the task goes on after a person's yes; without secrets. */
function updateOf({ masker }: TaskContext, node: NodeDefinition, { update }: NodeResult): Update {
	const target = targetOf(node, update.next);
	const whole: { -readonly [Key in keyof Update]: Update[Key] } = { ...update };
	if (typeof target === "object") whole.resumeAt = target.resumeAt;
	if (update.reason != null) whole.reason = maskAllButNames(masker, update.reason);
	return whole;
}
