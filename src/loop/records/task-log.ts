import type { Clock } from "../../kernel/clock.ts";
import type { StepKey, TaskPatch, Write } from "../../store/records.ts";
import type { EventData, EventType, TraceEvent } from "../../trace/event.ts";

export type Journal = ReturnType<typeof logOf>;

/**
 * Makes records of one task at one site. It stores nothing: what belongs together is one list of writes, which a node
 * hands back or keeps at once. What has to be written together the verbs beside this file know.
 */
export const taskLog: typeof logOf = logOf;

function logOf(
	{ runId, taskId }: Of,
	{ turn, node }: { readonly turn: number; readonly node: string },
	clock: Pick<Clock, "now">,
) {
	const timestamp = (): string => new Date(clock.now()).toISOString();
	const told = <Type extends EventType>(type: Type, data: EventData[Type]): TraceEvent => {
		// `data` is what the union demands for `type`; TypeScript cannot follow that through a generic.
		return { type, task: taskId, turn, node, timestamp: timestamp(), data } as TraceEvent;
	};
	return {
		runId,
		taskId,
		/** The turn that the records are of. */
		turn,
		now: (): number => clock.now(),
		timestamp,
		/** An event of this task that goes with another record. */
		told,
		event: <Type extends EventType>(type: Type, data: EventData[Type]): Write => {
			return { kind: "event", run: runId, event: told(type, data) };
		},
		/** A change of the task's own record. */
		task: (patch: TaskPatch): Write => ({ kind: "task", runId, taskId, patch }),
		/** The key of a step of this turn. */
		key: <Result>(step: string): StepKey<Result> => ({ runId, taskId, turn, step }),
	};
}

type Of = Pick<StepKey, "runId" | "taskId">;

export const turnStep =
	<Result>(step: string) =>
	({ runId, taskId }: Of, turn: number): StepKey<Result> => ({ runId, taskId, turn, step });

export const taskStep =
	<Result>(step: string) =>
	({ runId, taskId }: Of): StepKey<Result> => ({ runId, taskId, turn: 0, step });
