import type { EventListener } from "../trace/event.ts";
import type { VerificationForecast } from "../verification/requirement.ts";
import type { Allowance } from "../workflow/workflow.ts";

/** Verification of a task as the workflow file has it. */
export interface TaskApproval extends VerificationForecast {
	readonly id: string;
	/** As the file has it, `defaults` merged. */
	readonly requires_verification: "auto" | boolean;
	/** Changes of tests and of what defines the checks that the task may make; a planner may have proposed them. */
	readonly allow: readonly Allowance[];
}

/** Answer of `spar approve`. */
export interface ApprovalReport {
	/** Relative to the caller's directory. */
	readonly file: string;
	/** SHA-256 of the file's text without a byte order mark, as 64 hexadecimal digits. */
	readonly digest: string;
	readonly tasks: readonly TaskApproval[];
	/** Effects on runs under way of the flags that were set, one sentence for each run. */
	readonly notes: readonly string[];
}

/** Values of `requires_verification`. */
export type VerificationFlag = boolean | "auto";

/** Flags to set before the tasks are shown. */
export interface ApprovalOptions {
	/** Default: `sparring.yaml` at the root. */
	readonly path?: string | undefined;
	/** `requires_verification` of every task but formal reviews. */
	readonly all?: VerificationFlag | undefined;
	/** By task; wins over `all`. */
	readonly tasks?: ReadonlyMap<string, VerificationFlag>;
	/** As `ApprovalReport.digest` gave it: a file that has another one by now is left alone, with an `outdated` fault. */
	readonly digest?: string | undefined;
}

/** Requirements to plan from. */
export interface PlanOptions {
	/** A text file, relative to the caller's directory. */
	readonly document: string;
	/** The workflow file; default: `sparring.yaml` at the root. */
	readonly path?: string | undefined;
	/** The planner's calls, as those of a run are told: of a task `plan`. */
	readonly onEvent?: EventListener | undefined;
	/** As of a run. */
	readonly onNotice?: ((text: string) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** Answer of `spar plan`. */
export type PlanReport =
	| (ApprovalReport & {
			readonly outcome: "written";
			readonly planner: string;
			/** The tasks that were added. */
			readonly tasks: readonly TaskApproval[];
			/** Notes for a person, one sentence each. */
			readonly notes: readonly string[];
			/** Cost in US dollars of the calls whose cost is known; null where none is. */
			readonly usage: { readonly calls: number; readonly cost_usd: number | null };
	  })
	/** `failed`: the agent gave no answer, or none that can be used. `unpaid`: the budget allows no further call. Nothing was written. */
	| { readonly outcome: "failed" | "unpaid"; readonly planner: string; readonly reason: string };
