import type { Calibration } from "../confidence/calibration-of.ts";
import type { Question } from "../human/question.ts";
import type { TaskLog } from "../library/task-logs.ts";
import type { ApprovalReport, TaskApproval } from "../planning/planning-reports.ts";
import type { StoredEvent } from "../trace/event.ts";
import type { ItemDetailJson, ItemJson } from "../view/item-json.ts";
import type { RunReport, RunSummary } from "../view/report.ts";
import type { RunView, TaskHead, TaskView } from "../view/run-view.ts";
import type { Offer } from "../words/item-offers.ts";
import type { Action } from "./requests.ts";

export type { StoredEvent } from "../trace/event.ts";
export type {
	CallView,
	CheckView,
	TaskHead,
	TaskView,
	TurnView,
	VerificationView,
} from "../view/run-view.ts";
export type {
	Action,
	ActionBody,
	AnswerBody,
	PlanEdit,
	RunFilter,
	VerificationFlag,
} from "./requests.ts";

/*
 * What the dashboard's page and its server say to each other: JSON in snake_case, times in ISO 8601 UTC, durations in
 * milliseconds, money in US dollars. `null` means that there is no value; a number is never 0 for "unknown".
 *
 * | request                                             | body            | reply                                     |
 * | --------------------------------------------------- | --------------- | ----------------------------------------- |
 * | POST /api/session                                   | SessionRequest  | Session, and the cookie                   |
 * | GET  /api/session                                   |                 | Session                                   |
 * | GET  /api/inbox                                     |                 | Inbox                                     |
 * | GET  /api/items/:id                                 |                 | ItemDetail                                |
 * | POST /api/items/:id/answer                          | AnswerBody      | AnswerReply; 409: AnswerRefusal           |
 * | GET  /api/runs?filter=&before=&limit=               |                 | RunsPage                                  |
 * | GET  /api/runs/:run                                 |                 | RunDetail                                 |
 * | GET  /api/runs/:run/tasks/:task                     |                 | TaskDetail                                |
 * | GET  /api/runs/:run/tasks/:task/diff                |                 | text/plain, the unified diff of the task  |
 * | GET  /api/runs/:run/tasks/:task/turns/:turn/diff    |                 | text/plain, of the turn; with &since=M of |
 * |      ?since=M                                       |                 | all after turn M (0: the task's start)    |
 * | GET  /api/runs/:run/tasks/:task/turns/:turn/cases   |                 | CasesReply                                |
 * |      ?check=NAME&purpose=turn                       |                 |                                           |
 * | GET  /api/runs/:run/tasks/:task/logs                |                 | LogList                                   |
 * | GET  /api/runs/:run/tasks/:task/log?path=P&from=N   |                 | LogPart                                   |
 * | GET  /api/runs/:run/events?after=N&limit=N&task=T   |                 | EventsPage                                |
 * | GET  /api/runs/:run/actions                         |                 | ActionList                                |
 * | POST /api/runs/:run/:action                         | ActionBody      | 202 ActionStarted; 409: Problem           |
 * | GET  /api/plan?file=P                               |                 | Plan                                      |
 * | POST /api/plan                                      | PlanEdit        | Plan; 409: PlanRefusal                    |
 * | GET  /api/verbs/VERB                                | fields of VERB  | VerbReply, of a verb that reads           |
 * | GET  /api/stream?after=N&run=R&task=T&log=P         |                 | server-sent events, see StreamMessages    |
 *
 * Whatever is refused is a Problem: 400 a request that makes no sense, 401 without the session's cookie, 403 a foreign or
 * missing Origin, 404 nothing of that name, 409 the state has changed, 413 a body that is too large, 415 another content
 * type than application/json, 421 another Host.
 *
 * Text of agents, checks and people is text: it may hold markup and control characters, and is never to be taken for
 * markup.
 */

export interface Problem {
	readonly error: {
		/** A code of Sparring's faults, such as `item-not-found`; or `unauthorized`, `forbidden`, `not-found`, ... */
		readonly code: string;
		/** Event and its object. One sentence. */
		readonly message: string;
		/** Next step. */
		readonly hint: string | null;
	};
}

export interface AsOf {
	readonly cursor: number;
}

/** Page's repository. */
export interface Session {
	/** Name of the repository's folder. */
	readonly repository: string;
	/** Absolute path of the repository. */
	readonly root: string;
	/** Of Sparring. */
	readonly version: string;
}

export interface InboxItem extends ItemJson {
	readonly version: string;
	readonly workflow: string;
	/** First line of the task's description. */
	readonly title: string;
	/** Newest later run of the same workflow that has the task, too, and was not cancelled; null: there is none. */
	readonly replaced_by: string | null;
}

/** Questions that wait for a person over all runs, the newest first. */
export interface Inbox extends AsOf {
	readonly items: readonly InboxItem[];
}

export type ItemDetail = Omit<InboxItem, "trigger"> &
	Question &
	AsOf &
	Pick<ItemDetailJson, "answers" | "resolution"> & {
		/** Empty once it is answered. */
		readonly offers: readonly Offer[];
		/** Standing of its run: an answered question goes on when a process takes the run on. */
		readonly run: {
			readonly status: RunReport["status"];
			/** The process that works on it, as `host:pid`. */
			readonly holder: string | null;
			/** True when it goes on only once somebody resumes it, and nothing of it waits for a person. */
			readonly can_resume: boolean;
		};
	};

export interface AnswerReply {
	readonly item: ItemDetail;
	/** As the item's run has it. */
	readonly can_resume: boolean;
}

export interface AnswerRefusal extends Problem {
	readonly item: ItemDetail;
}

export interface RunRow extends RunSummary {
	readonly pruned: boolean;
	readonly cancel_requested: boolean;
	readonly cost_usd: number | null;
	readonly unknown_cost_calls: number;
	readonly held_ms: number;
}

/** Newest first. `next` as `before` gives the following page; null: there is none. */
export interface RunsPage extends AsOf {
	readonly runs: readonly RunRow[];
	readonly next: string | null;
}

/** Last words of calls, checks and setups of tasks in work, by task; without those of which nothing runs. */
export type LastWords = Readonly<
	Record<string, { readonly line: string; readonly at: string } | undefined>
>;

/** The run's screen: the view with the heads of its tasks. */
export interface RunDetail extends AsOf, Omit<RunView, "tasks" | "questions"> {
	/** In dependency order. */
	readonly tasks: readonly TaskHead[];
	readonly questions: readonly InboxItem[];
	readonly last_said: LastWords;
	/** Action that was started here last, if there was one. */
	readonly last_action: ActionState | null;
}

/** The task's screen: the view of that task. */
export interface TaskDetail extends AsOf {
	readonly run: RunReport;
	readonly task: TaskView;
	readonly last_said: LastWords;
}

export interface CasesReply {
	readonly cases: readonly {
		readonly id: string;
		readonly status: "passed" | "failed" | "skipped";
		readonly message: string | null;
	}[];
}

/** A file with what a call, a check or a setup printed; it grows while that runs. */
export interface LogFile extends Omit<TaskLog, "changedMs"> {
	readonly changed_at: string;
}

/** The one that changed last at the end. */
export interface LogList {
	readonly logs: readonly LogFile[];
}

/**
 * Whole characters of a log from byte `from` on, at most 1 MB: go on at `next` until it is `bytes`. A log is written once
 * more when its call or check ends, and may be shorter then: with `bytes` below `from` begin again at 0.
 */
export interface LogPart {
	readonly from: number;
	readonly next: number;
	readonly bytes: number;
	readonly text: string;
}

export interface EventsPage {
	/** In the order of their ids. */
	readonly events: readonly StoredEvent[];
	/** As `after` it gives the following ones; null: there are none yet. */
	readonly next: number | null;
}

export interface ActionPreview {
	readonly action: Action;
	/** null when it can be done; else why not, and the way out. */
	readonly refused: string | null;
	readonly effects: readonly string[];
	readonly command: string;
}

export interface ActionList extends AsOf {
	readonly actions: readonly ActionPreview[];
	readonly last_action: ActionState | null;
}

export interface ActionState {
	readonly run_id: string;
	readonly action: Action;
	readonly started_at: string;
	/** null while it goes on. */
	readonly ended_at: string | null;
	readonly exit_code: number | null;
	/** The last lines that it printed. */
	readonly said: readonly string[];
}

export interface ActionStarted {
	readonly started: ActionState;
}

/** The tasks of the workflow file as `spar approve --json` shows them; an edit gives `digest` back. */
export interface Plan extends Omit<ApprovalReport, "tasks" | "notes"> {
	/** Names of the checks that run on every turn. */
	readonly checks: readonly string[];
	readonly tasks: readonly (TaskApproval & {
		readonly title: string;
		readonly depends_on: readonly string[];
		readonly player: string;
		/** null without one. */
		readonly coach: string | null;
		/** So many turns at most. */
		readonly bound: number;
		/** A formal review has nothing to verify. */
		readonly formal_review: boolean;
	})[];
	readonly warnings: readonly string[];
}

/** The file changed since it was shown: with what it says now; null while it has errors. */
export interface PlanRefusal extends Problem {
	readonly plan: Plan | null;
}

export interface VerbReply<Told = unknown> {
	/** As `--json` of the command prints it. */
	readonly told: Told;
}

export type CalibrationReply = VerbReply<readonly Calibration[]>;

/**
 * Messages of the stream. One without `event:` is a StoredEvent, and its id is the event's: `after`, or the header
 * `Last-Event-ID` of a browser that connects again, asks for those behind it; without either it begins with now. `run`
 * and `task` leave out other events. The others carry no id.
 */
export interface StreamMessages {
	readonly message: StoredEvent;
	/** Once, when all events up to now were sent. */
	readonly "caught-up": AsOf;
	/** A run changed in what no event tells: who holds it, a request to cancel it. */
	readonly "run-changed": { readonly run_id: string };
	/** The file that `log` names has changed. */
	readonly "log-grown": { readonly path: string; readonly bytes: number };
	readonly "action-ended": ActionState;
}
