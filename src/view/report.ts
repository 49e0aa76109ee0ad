import type { MutantsJson } from "../formats/mutation/mutation-text.ts";
import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import type { Snake } from "../kernel/snake-case.ts";
import type { RunStatus } from "../kernel/task-state.ts";
import type { VerificationReport } from "../loop/records/turn-verification.ts";
import type { RunRecord, TaskRecord } from "../store/records.ts";
import type { SuiteWork } from "../store/spending.ts";
import type { EventData } from "../trace/event.ts";

export interface BlockedBy {
	/** The task that failed, was cancelled or was not merged: the first cause. */
	readonly task: string;
	/** The dependency that it blocks as well; null where the task depends on the cause itself. */
	readonly through: string | null;
}

export interface StoppedPreflight {
	readonly task: string | null;
	readonly problems: EventData["preflight-ended"]["problems"];
}

/** Run's standing: the contract's JSON (section 3), which `spar run --json` and `spar status --json` print. */
export interface RunReport {
	readonly run_id: string;
	readonly workflow: string;
	readonly status: RunStatus;
	readonly base: string;
	readonly branch: string;
	/** The process that works on the run, as `host:pid`; null when none does. */
	readonly holder: string | null;
	/** Of a run of several machines what each task waits for that no machine has taken yet. */
	readonly unclaimed: readonly {
		readonly task: string;
		readonly tags: readonly string[];
		/** False: no worker that runs can do it. */
		readonly has_worker: boolean;
		/** Machines that have the tags and still cannot do it, with the reason. */
		readonly unfit: readonly { readonly machine: string; readonly why: string }[];
	}[];
	/** Of such a run the tasks that are ready and wait for one of the `max_parallel` places. */
	readonly held_back: readonly string[];
	/** Of such a run the tasks that an error stopped; `resume` goes on with them. */
	readonly stopped: readonly {
		readonly task: string;
		readonly code: string | null;
		readonly message: string;
		readonly hint: string | null;
	}[];
	/** Machines share its store: each of them may take the run on. */
	readonly shared: boolean;
	/** True when the base branch holds all that the run merged. */
	readonly landed: boolean;
	/** A worker is still to land it: of a run of several machines that completed, with `merge.into: base`. */
	readonly landing_awaited: boolean;
	/** Reason why a run with `merge.into: base` that completed now could not be landed; null otherwise. */
	readonly landing_refused: string | null;
	/** True once its branches and checkouts were removed. */
	readonly pruned: boolean;
	/** Its outputs, transcripts and traces were removed by `spar prune` or `keep_runs`; the records tell all the same. */
	readonly files_removed: boolean;
	/** The sum over its tasks. */
	readonly usage: UsageReport;
	/** The sum over its tasks. */
	readonly suite_work: SuiteWorkReport;
	/** null without a budget of the run. */
	readonly budget: BudgetReport | null;
	/** Preflight that stopped the run before its first call; null where none did, or once the run goes on. */
	readonly preflight_stopped: StoppedPreflight | null;
	/** Results of setups that are kept for all runs of the repository. */
	readonly setup_cache: { readonly results: number; readonly bytes: number };
	readonly tasks: Readonly<Record<string, TaskReport>>;
}

/** Outcome of mutants on changed lines. A number counts mutants that were run. */
export interface MutationReport extends MutantsJson {
	/** Name of the evidence that says so, such as `mutation:built-in`. */
	readonly check: string;
	readonly status: EvidenceStatus;
	/** Null where the status is `pass`. */
	readonly reason: string | null;
}

/** Consumption so far. A number is null where nobody knows it, never 0. */
export interface UsageReport {
	/** Finished calls of agents, failed ones included. */
	readonly calls: number;
	/** US dollars, of the calls whose cost is known. */
	readonly cost_usd: number | null;
	readonly unknown_cost_calls: number;
	readonly input_tokens: number | null;
	readonly output_tokens: number | null;
	/** Time in which a process worked on it, in milliseconds; checks and setups included. */
	readonly ms: number;
}

/** Runs of the tests of the project (baseline, turns, cold runs) and of its setup, with those that kept results saved. */
export type SuiteWorkReport = Snake<SuiteWork>;

/** A budget with what people added to it, and what was used of it; null for a limit that is not set. */
export interface BudgetReport {
	readonly usd: { readonly limit: number; readonly spent: number | null } | null;
	/** Milliseconds in which a process held the run, or worked on the task. */
	readonly wall: { readonly limit_ms: number; readonly spent_ms: number } | null;
}

/** A task by its record, with what its newest turn showed, and what is on the disk. */
export interface TaskReport
	extends Snake<
		Pick<
			TaskRecord,
			| ("status" | "phase" | "turns" | "success" | "failureReason" | "flags")
			| ("branch" | "commit" | "merged" | "mergedCommit" | "challengerApproved")
			| ("confidenceScore" | "confidenceWarnings" | "checklist" | "verification")
			| ("openFindings" | "humanItem")
		>
	> {
	/** The task's `feature_id`; null without one. */
	readonly feature_id: string | null;
	/** null for a task that is not blocked. */
	readonly blocked_by: BlockedBy | null;
	readonly gate: { readonly risk_tier: string; readonly verdict: "PASS" | "FAIL" } | null;
	/** True while its question has an answer which no process has acted on yet: `resume` does. */
	readonly human_item_answered: boolean;
	/** Subject and reason of that question in one line; null while none waits. */
	readonly human_headline: string | null;
	readonly usage: UsageReport;
	/** null without a budget of its own. */
	readonly budget: BudgetReport | null;
	/**
	 * Reasons why its last turn was not approved, or not merged, one sentence each. Empty where nothing is in the way,
	 * and while the turn is judged.
	 */
	readonly obstacles: readonly string[];
	/** Those of them that are changes which the tamper wall blocks, with the file in front. */
	readonly blocked_changes: readonly string[];
	/** Of the last turn in which verification was decided; null before. */
	readonly verification_result: VerificationReport | null;
	/**
	 * Absolute path of the player's checkout while it is there; null before the task began, once its work has merged,
	 * and of a formal review.
	 */
	readonly checkout: string | null;
	/** Doubts of the player in its last turn, in its own words; nothing that Sparring looked at. */
	readonly concerns: readonly string[];
	/** Claims of the player's last turn that are not so, one sentence each. */
	readonly false_claims: readonly string[];
	readonly suite_work: SuiteWorkReport;
	/** Result of the base's own tests on the newest product; null while they were not run on it. */
	readonly replay: EvidenceStatus | null;
	/** Outcome of mutants on the lines that the newest turn changed; null where none were run. */
	readonly mutation: MutationReport | null;
	/** Cases of the newest turn that count for nothing, one sentence for each check: known failing, skipped, missing. */
	readonly not_counted: readonly string[];
	/** Relative to the repository; null when the files of the run were removed. */
	readonly trace_path: string | null;
}

export interface RunSummary
	extends Pick<
			RunReport,
			"run_id" | "workflow" | "status" | "base" | "holder" | "shared" | "landed"
		>,
		Snake<Pick<RunRecord, "createdAt" | "endedAt">> {
	readonly tasks: {
		readonly total: number;
		readonly completed: number;
		readonly failed: number;
		/** They depend on one that failed, was cancelled or was not merged. */
		readonly blocked: number;
		readonly cancelled: number;
		/** They wait for a person. */
		readonly waiting: number;
		/** Those of them whose question has an answer which no process has acted on yet: `resume` does. */
		readonly answered: number;
	};
}
