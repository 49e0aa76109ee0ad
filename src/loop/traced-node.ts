import type { TaskPhase } from "../kernel/task-state.ts";
import type { StepKey, Write } from "../store/records.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "./context.ts";
import { maskError } from "./mask-error.ts";
import { presentContext } from "./present-task.ts";
import type { NodeName, TaskState, Update } from "./state.ts";

/** What a node's body hands back: the change of the state, and the records to keep in the same transaction. */
export interface NodeResult {
	readonly update: Update;
	readonly writes?: readonly Write[];
	/** Why the node had nothing to do, when it passed straight through. */
	readonly passedThrough?: string;
	/** Files that follow from the records; run when these are stored, and harmless when a kill comes before. */
	readonly afterCommit?: () => Promise<void>;
}

export type NodeBody = (context: TaskContext, state: TaskState, site: Site) => Promise<NodeResult>;

export interface NodeOptions {
	readonly name: NodeName;
	readonly phase: TaskPhase;
	/** `before`: the phase is stored when the node begins, because it may take long. `with-result`: in one transaction. */
	readonly announce: "before" | "with-result";
	/** 1 for the node that begins a turn, so that its records carry the new turn's number. */
	readonly turnOffset?: 0 | 1;
	readonly body: NodeBody;
}

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
	options: NodeOptions,
): (state: TaskState) => Promise<Update> {
	const { masker } = context;
	return async (state) => {
		try {
			return await act(context, options, state);
		} catch (error) {
			throw maskError(masker, error);
		}
	};
}

async function act(context: TaskContext, options: NodeOptions, state: TaskState): Promise<Update> {
	const site: Site = { turn: state.turn + (options.turnOffset ?? 0), node: options.name };
	const key = stepKey(context, state, site);
	const stored = await context.records.step(key);
	// The step holds what this very node returned before, as JSON of our own making.
	if (stored !== undefined) return stored as Update;
	const startedAt = context.clock.now();
	const entered = [
		taskWrite(context, { phase: options.phase }),
		eventWrite(context, site, "node-entered", { phase: options.phase }),
	];
	if (options.announce === "before") await context.commit(entered);
	const result = await run(context, options.body, state, site);
	await context.commit([
		...(options.announce === "before" ? [] : entered),
		...(result.writes ?? []),
		{ kind: "step", key, result: result.update },
		eventWrite(context, site, "node-left", {
			ms: context.clock.now() - startedAt,
			passed_through: result.passedThrough ?? null,
		}),
	]);
	await result.afterCommit?.();
	return result.update;
}

async function run(
	context: TaskContext,
	body: NodeBody,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	const result = await body(await presentContext(context), state, site);
	const { reason } = result.update;
	if (reason === undefined) return result;
	return { ...result, update: { ...result.update, reason: context.masker.mask(reason) } };
}

function stepKey(context: TaskContext, state: TaskState, site: Site): StepKey {
	return {
		runId: context.run.runId,
		taskId: context.task.id,
		turn: site.turn,
		step: `${site.node}/${context.epoch}.${state.items}`,
	};
}
