import type { RunReport, RunSummary, TaskStand } from "../story/report.ts";
import type { ActionState } from "./action-view.ts";
import type { AsOf } from "./as-of.ts";
import type { InboxItem } from "./inbox-view.ts";

/** `all` (default); `waiting` for a person; `failed`; `active`: not ended; `unlanded`: merged work that is not landed. */
export type RunFilter = "all" | "waiting" | "failed" | "active" | "unlanded";

interface HolderView {
	readonly host: string;
	readonly pid: number;
	readonly since: string;
	/** When it last said that it is there. */
	readonly seen_at: string;
}

export interface RunRow extends Omit<RunSummary, "holder"> {
	readonly pruned: boolean;
	readonly cancel_requested: boolean;
	readonly holder: HolderView | null;
	readonly cost_usd: number | null;
	readonly unknown_cost_calls: number;
	readonly held_ms: number;
}

/** Newest first. `next` as `before` gives the following page; null: there is none. */
export interface RunsPage extends AsOf {
	readonly runs: readonly RunRow[];
	readonly next: string | null;
}

/** A task as `spar status --json` has it, but for what its newest turn showed; and what the workflow says of it. */
export interface TaskRow extends TaskStand {
	readonly id: string;
	/** First line of its description. */
	readonly title: string;
	readonly depends_on: readonly string[];
	readonly formal_review: boolean;
	readonly bound: number;
	readonly started_at: string | null;
	readonly ended_at: string | null;
	/** What a call, check or setup of a task in work said last; null where nothing did, or nothing runs. */
	readonly last_said: { readonly line: string; readonly at: string } | null;
}

export interface RunDetail
	extends RunRow,
		AsOf,
		Pick<RunReport, "branch" | "usage" | "budget" | "unclaimed" | "stopped" | "preflight_stopped"> {
	readonly base_commit: string;
	/** In dependency order. */
	readonly task_rows: readonly TaskRow[];
	readonly items: readonly InboxItem[];
	/** What was started here last, if anything. */
	readonly last_action: ActionState | null;
}
