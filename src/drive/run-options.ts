import type { ReadWorkflow, WorkflowSource } from "../places/load-source.ts";
import type { EventListener, StoredEvent } from "../trace/event.ts";
import type { VerificationForecast } from "../verification/requirement.ts";
import type { Estimate } from "../view/estimate.ts";
import type { PreflightProblem } from "./preflight-problem.ts";
/**
 * Doors by which a caller watches and stops. `signal` aborts: agents and checks end at once, everything done so far is
 * kept.
 */
export interface Supervision {
	readonly onEvent?: EventListener | undefined;
	/** Told once, before any event, what happened in the run until now; a new run has nothing to tell. */
	readonly onHistory?: ((events: readonly StoredEvent[]) => void) | undefined;
	/** Remarks for people: uncommitted changes, submodules, a cassette that masking changed. One sentence each. */
	readonly onNotice?: ((text: string) => void) | undefined;
	/**
	 * Asked before the first call whether to go on with these problems; false stops the run there. Left out where nobody
	 * can be asked. Not called with people off.
	 */
	readonly onPreflight?: ((problems: readonly PreflightProblem[]) => Promise<boolean>) | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Told of a task that an error stopped. The other tasks go on; at their end the run rejects with the first such error. */
	readonly onStopped?: ((taskId: string, error: unknown) => void) | undefined;
}

export interface RunOptions extends Supervision {
	readonly source: WorkflowSource | ReadWorkflow;
	/** Run only these and what they depend on. */
	readonly taskIds?: readonly string[] | undefined;
	/** Replaces each task's bound; 1 or more. */
	readonly maxTurns?: number | undefined;
	/** Replaces the workflow's `max_parallel`, how many tasks may be in work at once; 1 to 256. */
	readonly maxParallel?: number | undefined;
	/** Writes a cassette of every agent call; relative to the caller's directory. */
	readonly recordFile?: string | undefined;
	/** Goes on whatever the preflight finds; a task without its seats fails. */
	readonly anyway?: boolean | undefined;
	/** Returns once the run is stored; workers of this or other machines take its tasks. Needs `SPAR_STORE`. */
	readonly detach?: boolean | undefined;
}

export interface ResumeOptions extends Supervision {
	/** Default: the only run that has not ended. */
	readonly runId?: string | undefined;
	/** Reopens failed tasks with this many turns in all. */
	readonly maxTurns?: number | undefined;
	/** Most tasks in work at once in this call; 1 to 256. Default: as the run began. */
	readonly maxParallel?: number | undefined;
	/** Agents of the workflow, or coding agents, that play and coach from now on in the tasks that are left. */
	readonly player?: string | undefined;
	readonly coach?: string | undefined;
	/** Model of that player; else of that coach; else of those who play now. */
	readonly model?: string | undefined;
	/** See `RunOptions`. */
	readonly anyway?: boolean | undefined;
}

/** Plan that `--dry-run` shows: nothing is created. */
export interface RunPlan {
	readonly workflow: string;
	readonly base: string;
	readonly base_commit: string;
	readonly tasks: readonly {
		readonly id: string;
		readonly player: string;
		readonly coach: string | null;
		/** Agent that would write independent tests; null: nobody can. */
		readonly verifier: string | null;
		/** By what is known before the work: with `auto` the diff can still ask for it. */
		readonly requires_verification: boolean;
		readonly verification_by: VerificationForecast["by"];
		readonly verification_reasons: readonly string[];
		readonly bound: number;
		readonly depends_on: readonly string[];
	}[];
	readonly checks: readonly {
		readonly name: string;
		readonly kind: string;
		readonly run: string;
	}[];
	/** For one task, by earlier runs of this repository; null where none came through. */
	readonly estimate: Estimate | null;
}
