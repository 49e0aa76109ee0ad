import type { Clock } from "../../kernel/clock.ts";
import type { StepKey, TaskPatch, Write } from "../../store/records.ts";
import type { EventData, EventType, TraceEvent } from "../../trace/event.ts";

interface Site {
	readonly turn: number;
	readonly node: string;
}

/**
 * Makes records of one task at one site. It stores nothing: what belongs together is one list of writes, which a node
 * hands back or keeps at once. What has to be written together the verbs in `records/` know.
 */
export class TaskLog {
	readonly runId: string;
	readonly taskId: string;
	readonly #site: Site;
	readonly #clock: Pick<Clock, "now">;

	constructor(
		of: { readonly runId: string; readonly taskId: string },
		site: Site,
		clock: Pick<Clock, "now">,
	) {
		this.runId = of.runId;
		this.taskId = of.taskId;
		this.#site = site;
		this.#clock = clock;
	}

	/** The turn that the records are of. */
	get turn(): number {
		return this.#site.turn;
	}

	/** Milliseconds since the epoch. */
	now(): number {
		return this.#clock.now();
	}

	/** ISO 8601 UTC. */
	timestamp(): string {
		return new Date(this.now()).toISOString();
	}

	/** An event of this task that goes with another record. */
	told<Type extends EventType>(type: Type, data: EventData[Type]): TraceEvent {
		const { turn, node } = this.#site;
		// `data` is what the union demands for `type`; TypeScript cannot follow that through a generic.
		return { type, task: this.taskId, turn, node, timestamp: this.timestamp(), data } as TraceEvent;
	}

	event<Type extends EventType>(type: Type, data: EventData[Type]): Write {
		return { kind: "event", run: this.runId, event: this.told(type, data) };
	}

	/** A change of the task's own record. */
	task(patch: TaskPatch): Write {
		return { kind: "task", runId: this.runId, taskId: this.taskId, patch };
	}

	/** The key of a step of this turn. */
	key<Result>(step: string): StepKey<Result> {
		return { runId: this.runId, taskId: this.taskId, turn: this.turn, step };
	}
}

type Of = Pick<StepKey, "runId" | "taskId">;

export const turnStep =
	<Result>(step: string) =>
	({ runId, taskId }: Of, turn: number): StepKey<Result> => ({ runId, taskId, turn, step });

export const taskStep =
	<Result>(step: string) =>
	({ runId, taskId }: Of): StepKey<Result> => ({ runId, taskId, turn: 0, step });
