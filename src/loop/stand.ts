import type { ShownHome } from "../setups/execution.ts";
import type { RunRecord, TaskRecord } from "../store/records.ts";
import type { Ground, TaskContext, TaskPlaces } from "./context.ts";
import type { TaskReader } from "./records/task-reader.ts";

/** Ground on which a commit is judged against its base: that of a task's turn, or of work that exists (`spar check`). */
export interface Stand
	extends Pick<
		TaskContext,
		| "workflow"
		| "commit"
		| "clock"
		| "masker"
		| "vault"
		| "signal"
		| "host"
		| "environment"
		| "userEnvironment"
		| "setups"
		| "baselines"
		| "bases"
	> {
	readonly run: Pick<RunRecord, "runId" | "baseCommit" | "createdAt">;
	/** The task's words are none of the tests' secrets. */
	readonly task: Pick<
		TaskContext["task"],
		"id" | "allow" | "checklist" | "description" | "acceptanceCriteria"
	>;
	readonly records: Pick<TaskContext["records"], "evidenceFor">;
	readonly refs: Pick<TaskContext["refs"], "keep">;
	readonly blobs: Pick<TaskContext["blobs"], "put">;
	readonly places: Pick<TaskPlaces, "checks" | "clean" | "work" | "outputs"> &
		Partial<Pick<TaskPlaces, "player" | "coach" | "verifier">>;
	/** Set where executions see the home of the user. */
	readonly shown?: ShownHome | undefined;
	readonly state: Pick<Ground["state"], "items">;
	readonly log: Ground["log"];
	readonly read: Pick<TaskReader, "evidence" | "allEvidence" | "baseline" | "step"> & {
		task(): Promise<Pick<TaskRecord, "startCommit">>;
	};
}
