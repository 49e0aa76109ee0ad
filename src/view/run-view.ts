import type { Evidence, TestCounts } from "../evidence/evidence.ts";
import type { GateReport } from "../gate/gate-report.ts";
import type { Snake } from "../kernel/snake-case.ts";
import type { VerificationReport } from "../loop/records/turn-verification.ts";
import type { FindingReport } from "../review/finding-report.ts";
import type { CallRecord, TaskRecord } from "../store/records.ts";
import type { CriterionStatement } from "../trace/criterion-statement.ts";
import type { EventData } from "../trace/event.ts";
import type { ItemJson } from "./item-json.ts";
import type { RunReport, TaskReport } from "./report.ts";

/** Raised where a field goes, or means something else. */
export const VIEW_VERSION = 1;

/**
 * A run with all that is told of it: `spar report --json` prints it, and terminal, page, reports and tools select from it.
 * Its texts are masked. Times are ISO 8601 UTC, durations milliseconds, money US dollars; null where there is no value.
 */
export interface RunView {
	readonly version: typeof VIEW_VERSION;
	/** As `spar status --json` says it. */
	readonly run: RunReport;
	/** Path of the workflow file relative to the repository; null when it lies elsewhere. */
	readonly workflow_file: string | null;
	readonly base_commit: string;
	readonly created_at: string;
	/** null while the run can still go on. */
	readonly ended_at: string | null;
	/** True once `spar cancel` asked for it. */
	readonly cancel_requested: boolean;
	/** Time in which a process held the run. */
	readonly held_ms: number;
	/** Those that wait for a person, as `spar questions --json` lists them. */
	readonly questions: readonly ItemJson[];
	/** In dependency order; those that were asked for. */
	readonly tasks: readonly TaskView[];
}

/** A task without its turns, which does not grow with them. */
export interface TaskHead extends Snake<Pick<TaskRecord, "bound" | "startedAt" | "endedAt">> {
	readonly id: string;
	/** First line of its description. */
	readonly title: string;
	readonly depends_on: readonly string[];
	readonly formal_review: boolean;
	/** As `spar status --json` says it. */
	readonly report: TaskReport;
}

export interface TaskView extends TaskHead, Snake<Pick<TaskRecord, "startCommit">> {
	/** The rest of its description. */
	readonly description: string;
	readonly acceptance_criteria: readonly string[];
	readonly context_files: readonly string[];
	/** Names of the agents that sat there first; `coach` is null without one. */
	readonly player: string | null;
	readonly coach: string | null;
	/** The agents that sit there now; null before it began. */
	readonly seats: { readonly player: string; readonly coach: string | null } | null;
	/** The node of the loop that it is in; null before it began and once it ended. */
	readonly node: string | null;
	readonly criteria: readonly CriterionView[];
	/** Of the newest turn that has any: for each check its result on the merged tree, else on the turn's. */
	readonly evidence: readonly CheckView[];
	readonly findings: readonly FindingReport[];
	/** Of the newest turn that has one. */
	readonly gate: GateReport | null;
	/** The decision of a formal review; null for any other task, and before it decided. */
	readonly review: EventData["review-decided"] | null;
	readonly decisions: readonly DecisionView[];
	/** The checks on the commit that it began on. */
	readonly baseline: readonly CheckView[];
	/** The oldest first; one that is under way is there too. */
	readonly turns: readonly TurnView[];
}

export interface TurnView {
	/** From 1. */
	readonly turn: number;
	/** Decision of the coach; null without one. */
	readonly raw: "approve" | "feedback" | null;
	/** The same once evidence and findings were counted. */
	readonly effective: "approve" | "feedback" | null;
	/** Words of the coach. */
	readonly rationale: string;
	/** Words of the player, and its doubts. */
	readonly notes: string;
	readonly concerns: readonly string[];
	/** Way that the task took after the turn; null while it is under way. */
	readonly route: string | null;
	/** null until the player's work was taken. */
	readonly commit: string | null;
	readonly tree: string | null;
	/** Reasons for the verdict, one sentence each. */
	readonly reasons: readonly string[];
	readonly criteria: readonly CriterionStatement[];
	/** Attempts of the coach to break the work; null where it handed in no report. */
	readonly attempts: EventData["turn-judged"]["attempts"] | null;
	readonly checks: readonly CheckView[];
	readonly calls: readonly CallView[];
	/** Ids of the findings whose state it changed. */
	readonly findings: readonly string[];
	/** Ids of the questions that it led to. */
	readonly questions: readonly string[];
	readonly verification: VerificationView | null;
	readonly gate: GateReport | null;
	readonly score: EventData["confidence-scored"] | null;
}

/** Result of one check on a tree. */
export interface CheckView
	extends Snake<
		Pick<
			Evidence,
			| ("check" | "kind" | "purpose" | "status" | "reason" | "tree" | "ms" | "details")
			| ("exitCode" | "startedAt")
		>
	> {
	readonly counts: Snake<TestCounts> | null;
	/** Text of an item of a checklist; null otherwise. */
	readonly label: string | null;
	/** Path of its output in the folder of the state; null without output. */
	readonly log: string | null;
	readonly has_cases: boolean;
}

/** A call of an agent, with what is known of its use. */
export interface CallView
	extends Snake<
		Pick<CallRecord, "role" | "agent" | "call" | "outcome" | "message" | "startedAt" | "ms">
	> {
	readonly cost_usd: number | null;
	readonly model: string | null;
	/** Path of its transcript in the folder of the state; null without one. */
	readonly log: string | null;
}

export interface VerificationView extends Omit<VerificationReport, "output_path" | "usage"> {
	/** Path of its output in the folder of the state; null without output. */
	readonly log: string | null;
}

/** Last word on a criterion of the agent that judges: not evidence. */
export interface CriterionView {
	readonly criterion: string;
	readonly status: "met" | "unmet" | "overruled" | "unjudged";
	readonly evidence: string | null;
	readonly tests: readonly string[];
}

/** A person's answer. */
export interface DecisionView {
	readonly trigger: string;
	readonly choice: string;
	/** The finding that the answer is about; null for an answer to the whole question. */
	readonly finding: string | null;
	/** Directive, reason or notes; null where nothing was said. */
	readonly words: string | null;
	readonly answered_at: string;
}
