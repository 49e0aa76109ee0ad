import type { RunStatus, TaskPhase, TaskStatus } from "../kernel/task-state.ts";
import type { EventData } from "../trace/event.ts";
import type { ActionState } from "./action-view.ts";
import type { AsOf } from "./as-of.ts";
import type { InboxItem } from "./inbox-view.ts";

/** `all` (default); `waiting` for a person; `failed`; `active`: not ended; `unlanded`: merged work that is not landed. */
export type RunFilter = "all" | "waiting" | "failed" | "active" | "unlanded";

/** Who works on a run. */
export interface HolderView {
	readonly host: string;
	readonly pid: number;
	readonly since: string;
	/** When it last said that it is there. */
	readonly seen_at: string;
}

export interface TaskCounts {
	readonly total: number;
	readonly completed: number;
	readonly failed: number;
	readonly blocked: number;
	readonly cancelled: number;
	readonly waiting: number;
	/** Those of them whose question has an answer that no process has acted on. */
	readonly answered: number;
}

/** A run in a line. */
export interface RunRow {
	readonly run_id: string;
	readonly workflow: string;
	readonly status: RunStatus;
	readonly base: string;
	readonly created_at: string;
	readonly ended_at: string | null;
	readonly landed: boolean;
	readonly pruned: boolean;
	readonly cancel_requested: boolean;
	readonly holder: HolderView | null;
	/** Whether machines share its store. */
	readonly shared: boolean;
	readonly tasks: TaskCounts;
	/** Of the calls whose cost is known. */
	readonly cost_usd: number | null;
	readonly unknown_cost_calls: number;
	/** Time in which a process held it. */
	readonly held_ms: number;
}

/** Newest first. `next` as `before` gives the following page; null: there is none. */
export interface RunsPage extends AsOf {
	readonly runs: readonly RunRow[];
	readonly next: string | null;
}

export interface UsageView {
	readonly calls: number;
	readonly cost_usd: number | null;
	readonly unknown_cost_calls: number;
	readonly input_tokens: number | null;
	readonly output_tokens: number | null;
	readonly ms: number;
}

export interface BudgetView {
	readonly usd: { readonly limit: number; readonly spent: number | null } | null;
	readonly wall: { readonly limit_ms: number; readonly spent_ms: number } | null;
}

/** What of `spar status --json` a screen shows of a task, and what the workflow says of it. */
export interface TaskRow {
	readonly id: string;
	/** First line of its description. */
	readonly title: string;
	readonly depends_on: readonly string[];
	readonly formal_review: boolean;
	readonly status: TaskStatus;
	readonly phase: TaskPhase;
	readonly turns: number;
	/** Turns that it may take. */
	readonly bound: number;
	readonly failure_reason: string | null;
	readonly blocked_by: { readonly task: string; readonly through: string | null } | null;
	readonly flags: readonly string[];
	readonly merged: boolean;
	readonly challenger_approved: boolean | null;
	/** From 0.0 to 1.0. */
	readonly confidence_score: number | null;
	readonly verification: "passed" | "failed" | "skipped" | "inconclusive" | null;
	readonly gate: { readonly risk_tier: string; readonly verdict: "PASS" | "FAIL" } | null;
	readonly open_findings: number;
	/** Id of the question that waits. */
	readonly human_item: string | null;
	/** True while that question has an answer that no process has acted on. */
	readonly human_item_answered: boolean;
	readonly started_at: string | null;
	readonly ended_at: string | null;
	readonly usage: UsageView;
	readonly budget: BudgetView | null;
	/** What a call, check or setup of a task in work said last; null where nothing did, or nothing runs. */
	readonly last_said: { readonly line: string; readonly at: string } | null;
}

/** What could be worked on, and no machine has taken. */
export interface UnclaimedView {
	readonly task: string;
	/** What a machine needs for it, sorted. */
	readonly tags: readonly string[];
	/** False: no worker that runs has all of that. */
	readonly has_worker: boolean;
}

/** A task that an error stopped, until the run is resumed. */
export interface StoppedView {
	readonly task: string;
	readonly code: string | null;
	readonly message: string;
	readonly hint: string | null;
}

export interface RunDetail extends RunRow, AsOf {
	/** The integration branch. */
	readonly branch: string;
	readonly base_commit: string;
	readonly usage: UsageView;
	readonly budget: BudgetView | null;
	/** Empty where one machine does it all. */
	readonly unclaimed: readonly UnclaimedView[];
	/** Likewise. */
	readonly stopped: readonly StoppedView[];
	/** What stopped it before its first call. */
	readonly preflight_stopped: {
		readonly task: string | null;
		readonly problems: EventData["preflight-ended"]["problems"];
	} | null;
	/** In dependency order. */
	readonly task_rows: readonly TaskRow[];
	/** Its questions that wait. */
	readonly items: readonly InboxItem[];
	/** What was started here last, if anything. */
	readonly last_action: ActionState | null;
}
