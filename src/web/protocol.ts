import type { Calibration } from "../confidence/calibration-of.ts";
import type { StoredEvent } from "../trace/event.ts";
import type { ActionState } from "./action-view.ts";
import type { AsOf } from "./as-of.ts";
import type { Problem } from "./problem.ts";

export type { Calibration } from "../confidence/calibration-of.ts";
export type { StoredEvent } from "../trace/event.ts";
export type {
	Action,
	ActionBody,
	ActionList,
	ActionPreview,
	ActionStarted,
	ActionState,
} from "./action-view.ts";
export type { AsOf } from "./as-of.ts";
export type {
	AnswerBody,
	AnswerRefusal,
	AnswerReply,
	Inbox,
	InboxItem,
	ItemDetail,
	Offer,
} from "./inbox-view.ts";
export type { Problem } from "./problem.ts";
export type {
	RunDetail,
	RunFilter,
	RunRow,
	RunsPage,
	TaskRow,
} from "./run-view.ts";
export type {
	CallView,
	CasesReply,
	EventsPage,
	EvidenceView,
	LogFile,
	LogList,
	LogPart,
	TaskDetail,
	TurnView,
	VerificationView,
} from "./task-view.ts";

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
 * | GET  /api/calibration                               |                 | CalibrationReply                          |
 * | GET  /api/stream?after=N&run=R&task=T&log=P         |                 | server-sent events, see StreamMessages    |
 *
 * Whatever is refused is a Problem: 400 a request that makes no sense, 401 without the session's cookie, 403 a foreign or
 * missing Origin, 404 nothing of that name, 409 the state has changed, 413 a body that is too large, 415 another content
 * type than application/json, 421 another Host.
 *
 * Text of agents, checks and people is text: it may hold markup and control characters, and is never to be taken for
 * markup.
 */

/** `code` is what stood in the address behind `#code=`. It ends after 60 seconds, or when it was used. */
export interface SessionRequest {
	readonly code: string;
}

/** Where the page is. */
export interface Session {
	/** Name of the repository's folder. */
	readonly repository: string;
	/** Absolute path of the repository. */
	readonly root: string;
	/** Of Sparring. */
	readonly version: string;
}

/** The tasks of the workflow file as `spar approve --json` shows them. */
export interface Plan {
	readonly file: string;
	/** SHA-256 of the file's text; an edit gives it back. */
	readonly digest: string;
	readonly tasks: readonly {
		readonly id: string;
		readonly title: string;
		readonly requires_verification: "auto" | boolean;
		/** Whether tests will be written, as far as can be told without a diff. */
		readonly effective: boolean;
		readonly by: "planner" | "heuristic" | "person" | "file";
		readonly reason: string | null;
		readonly verifier: string | null;
		/** A formal review has nothing to verify. */
		readonly formal_review: boolean;
		readonly allow: readonly {
			readonly path: string;
			readonly change: string;
			readonly reason: string;
		}[];
	}[];
	readonly warnings: readonly string[];
}

export type VerificationFlag = boolean | "auto";

/** Flags to set, for all tasks and by task; the latter wins. */
export interface PlanEdit {
	readonly file?: string | undefined;
	readonly digest: string;
	readonly all?: VerificationFlag | undefined;
	readonly tasks?: Readonly<Record<string, VerificationFlag>> | undefined;
}

/** The file changed since it was shown: with what it says now; null while it has errors. */
export interface PlanRefusal extends Problem {
	readonly plan: Plan | null;
}

export interface CalibrationReply {
	readonly groups: readonly Calibration[];
}

/**
 * What the stream sends. A message without `event:` is a StoredEvent, and its id is the event's: `after`, or the header
 * `Last-Event-ID` of a browser that connects again, asks for those behind it. Without either it begins with now. `run` and
 * `task` leave out other events. The others carry no id.
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
