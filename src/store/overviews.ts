import type { HumanItem } from "../human/human-item.ts";
import type { RunStatus } from "../kernel/task-state.ts";
import type { StoredEvent } from "../trace/event.ts";
import type { SuiteWork } from "./spending.ts";

export type RunSelection = "all" | "waiting" | "failed" | "active" | "unlanded";

export interface RunPageQuery {
	/**
	 * `waiting`: an item of it is open. `failed`: it failed, or a task of it did. `active`: it has not ended. `unlanded`: a task
	 * of it merged, and it is not landed.
	 */
	readonly selection: RunSelection;
	/** Id of the run behind which it goes on; null: from the newest on. */
	readonly before: string | null;
	readonly limit: number;
}

/** A run in a line, without its workflow. */
export interface RunOverview {
	readonly runId: string;
	/** Name of its workflow. */
	readonly workflow: string;
	readonly status: RunStatus;
	readonly baseBranch: string;
	readonly createdAt: string;
	readonly endedAt: string | null;
	readonly landedCommit: string | null;
	readonly cancelRequested: boolean;
	readonly pruned: boolean;
	readonly total: number;
	readonly completed: number;
	readonly failed: number;
	readonly blocked: number;
	readonly cancelled: number;
	readonly waiting: number;
	/** US dollars, of the calls whose cost is known; null where none is. */
	readonly costUsd: number | null;
	readonly unknownCalls: number;
	/** Milliseconds in which a process held it. */
	readonly heldMs: number;
}

export type ActiveRun = Pick<RunOverview, "runId" | "status" | "cancelRequested">;

/** Reads over all runs at once, without each of them whole. Part of `Records`. */
export interface Overviews {
	/** Runs as `runs()` orders them. An unknown run in `before` gives none. */
	runPage(query: RunPageQuery): Promise<readonly RunOverview[]>;
	runOverview(runId: string): Promise<RunOverview | undefined>;
	/** By task, of those that ran any; looks at all events of the run. */
	suiteWork(runId: string): Promise<ReadonlyMap<string, SuiteWork>>;
	/** Newest first. */
	activeRuns(): Promise<readonly ActiveRun[]>;
	/** Newest later run of the same workflow that has the task, too, and was not cancelled. */
	laterRun(runId: string, taskId: string): Promise<string | undefined>;
	/** Over all runs, the one stored last first. */
	openItems(): Promise<readonly HumanItem[]>;
	/** At most `limit` events with an id above `after`, in the order of their ids. */
	eventsAfter(
		after: number,
		selection: {
			readonly runId: string | null;
			/** Only together with `runId`. */
			readonly taskId: string | null;
		},
		limit: number,
	): Promise<readonly StoredEvent[]>;
	/** Id; 0 without an event. */
	newestEvent(): Promise<number>;
	/**
	 * Differs from what it was whenever anything was committed since, by this process or another. Cheap enough for ten
	 * times a second, whatever is stored.
	 */
	pulse(): Promise<string>;
}
