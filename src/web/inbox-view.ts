import type { Choice } from "../human/human-item.ts";
import type { Question } from "../human/question.ts";
import type { RunStatus } from "../kernel/task-state.ts";
import type { ItemDetailJson, ItemJson } from "../story/item-json.ts";
import type { AsOf } from "./as-of.ts";
import type { Problem } from "./problem.ts";

export interface InboxItem extends ItemJson {
	readonly version: string;
	readonly workflow: string;
	/** First line of the task's description. */
	readonly title: string;
}

/** What waits for a person over all runs, the newest first. */
export interface Inbox extends AsOf {
	readonly items: readonly InboxItem[];
}

export interface Offer {
	readonly choice: Choice | "reject" | "add_budget";
	/** With `add_budget`: which limit can be raised; null otherwise. */
	readonly limit: "usd" | "wall" | null;
	/** The conflict that it is about, where several wait; null: the whole question. */
	readonly finding: string | null;
	readonly effect: string;
	/** The same answer in a terminal. */
	readonly command: string;
}

export type ItemDetail = Omit<InboxItem, "trigger"> &
	Question &
	AsOf &
	Pick<ItemDetailJson, "answers" | "resolution"> & {
		/** Empty once it is answered. */
		readonly offers: readonly Offer[];
		/** Where its run stands: an answered question goes on when a process takes the run on. */
		readonly run: {
			readonly status: RunStatus;
			/** The process that works on it, as `host:pid`. */
			readonly holder: string | null;
		};
	};

/**
 * Exactly one choice: `take` with `continue` (yes, or try again), a side (`developer` or `player`, `reviewer` or `coach`,
 * an agent's name), or `directive`, or `reject` with the reason, or `add_usd` and `add_wall`.
 */
export interface AnswerBody {
	readonly version: string;
	readonly take?: string | undefined;
	readonly directive?: string | undefined;
	readonly reject?: string | true | undefined;
	readonly finding?: readonly string[] | undefined;
	readonly notes?: string | undefined;
	readonly add_usd?: number | undefined;
	/** A duration such as `30m`. */
	readonly add_wall?: string | undefined;
}

export interface AnswerReply {
	readonly item: ItemDetail;
	/** True when the run goes on only once somebody resumes it, and nothing else of it waits for a person. */
	readonly can_resume: boolean;
}

export interface AnswerRefusal extends Problem {
	readonly item: ItemDetail;
}
