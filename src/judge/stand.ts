import type { Blobs } from "../kernel/blobs.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Masker } from "../masking/masking.ts";
import type { TaskDefinition, Workflow } from "../workflow/workflow.ts";
import type { Checkouts, Evidences, Processes } from "./ports.ts";

/** Work's policy and the ports through which it is judged: of a turn, of a merge, or of work that exists. */
export interface Stand extends Checkouts, Processes, Evidences {
	readonly run: {
		/** Also marks processes. */
		readonly runId: string;
		/** The user's own commit. */
		readonly baseCommit: string;
		/** ISO 8601 UTC; evidence from before it was kept. */
		readonly createdAt: string;
	};
	readonly workflow: Workflow;
	/** The task's words are none of the tests' secrets. */
	readonly task: Pick<
		TaskDefinition,
		"id" | "allow" | "checklist" | "description" | "acceptanceCriteria"
	>;
	readonly masker: Masker;
	readonly clock: Clock;
	readonly blobs: Pick<Blobs, "put">;
}

/** Turn number under which evidence of the base is kept. */
export const BASELINE_TURN = 0;

/** Attempts besides the first where the environment keeps checks from saying anything. */
export const ENVIRONMENT_RETRIES = 2;
