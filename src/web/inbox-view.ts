import type { Choice } from "../human/human-item.ts";
import type { Question } from "../human/question.ts";
import type { RunStatus } from "../kernel/task-state.ts";
import type { ItemDetailJson, ItemJson } from "../story/item-json.ts";
import type { AsOf } from "./as-of.ts";
import type { Problem } from "./problem.ts";

/** A question in the list. */
export interface InboxItem extends ItemJson {
	/** Digest of what was shown; an answer gives it back. */
	readonly version: string;
	/** Name of the run's workflow. */
	readonly workflow: string;
	/** First line of the task's description. */
	readonly title: string;
}

/** What waits for a person over all runs, the newest first. */
export interface Inbox extends AsOf {
	readonly items: readonly InboxItem[];
}

/** One possible answer, and what it will do. */
export interface Offer {
	/** `add_budget`: with `add_usd` or `add_wall`. */
	readonly choice: Choice | "reject" | "add_budget";
	/** With `add_budget`: which limit can be raised; null otherwise. */
	readonly limit: "usd" | "wall" | null;
	/** The conflict that it is about, where several wait; null: the whole question. */
	readonly finding: string | null;
	/** One sentence or phrase. */
	readonly effect: string;
	/** The same answer in a terminal. */
	readonly command: string;
}

/** A question with everything to decide by. `context` is that of its `trigger`. */
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
	/** The reason; or true, where `notes` has it. */
	readonly reject?: string | true | undefined;
	/** The conflicts that it is for; needed where several wait. */
	readonly finding?: readonly string[] | undefined;
	readonly notes?: string | undefined;
	/** US dollars. */
	readonly add_usd?: number | undefined;
	/** A duration such as `30m`. */
	readonly add_wall?: string | undefined;
}

export interface AnswerReply {
	readonly item: ItemDetail;
	/** True when the run goes on only once somebody resumes it, and nothing else of it waits for a person. */
	readonly can_resume: boolean;
}

/** Item or tree changed since it was shown, or somebody gave another answer: with what is there now. */
export interface AnswerRefusal extends Problem {
	readonly item: ItemDetail;
}
