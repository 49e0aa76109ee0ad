import type { PairContext } from "../review/context.ts";
import type { TaskContext } from "./context.ts";
import type { TaskState } from "./state.ts";

/** The pair as prompts and contexts show it; null for a single agent. */
export function pairOf(context: TaskContext, turn: number): PairContext | null {
	const { pair, player, bound } = context.task;
	if (pair === undefined) return null;
	return {
		driver: player,
		challenger: pair.challenger,
		iteration: turn,
		maxIterations: pair.maxIterations ?? bound,
	};
}

/** A person's directive that binds the task; null when there is none. */
export async function directiveOf(context: TaskContext, state: TaskState): Promise<string | null> {
	if (state.directive === null) return null;
	const item = await context.records.item(state.directive);
	return item?.answer?.directive ?? null;
}
