import type { GivenValues } from "../library/verbs/call.ts";
import type { VerbName } from "../library/verbs/table.ts";
import type { StoredEvent } from "../trace/event.ts";
import type {
	Action,
	ActionBody,
	ActionList,
	ActionStarted,
	ActionState,
	AnswerBody,
	AnswerReply,
	CasesReply,
	EventsPage,
	Inbox,
	ItemDetail,
	LogList,
	LogPart,
	Plan,
	PlanEdit,
	RunDetail,
	RunFilter,
	RunsPage,
	Session,
	TaskDetail,
	VerbReply,
} from "./protocol.ts";

export interface TaskPlace {
	readonly run: string;
	readonly task: string;
}

/** Difference of the whole task, of a turn (`turn`), or of all turns after `since` up to `turn`. */
export interface DiffRange {
	readonly turn: number | null;
	/** 0: since the start of the task. */
	readonly since: number | null;
}

export interface EventFilter {
	readonly run: string | null;
	readonly task: string | null;
}

/**
 * Port between the pages and Sparring. Everything given is without secrets, and rejects with a `Fault` where something
 * outside keeps it from working, such as an id that nothing has.
 */
export interface Screens {
	session(): Session;
	inbox(): Promise<Inbox>;
	item(id: string): Promise<ItemDetail>;
	/** @throws Fault `outdated` where what was shown is not what is there; `answer-invalid` */
	answer(id: string, body: AnswerBody): Promise<AnswerReply>;
	runs(query: {
		readonly filter: RunFilter;
		readonly before: string | null;
		readonly limit: number;
	}): Promise<RunsPage>;
	run(runId: string): Promise<RunDetail>;
	task(place: TaskPlace): Promise<TaskDetail>;
	diff(place: TaskPlace, range: DiffRange): Promise<string>;
	cases(
		place: TaskPlace,
		of: { readonly turn: number; readonly check: string; readonly purpose: string },
	): Promise<CasesReply>;
	logs(place: TaskPlace): Promise<LogList>;
	/** Of a log of this task; what is none rejects. */
	log(place: TaskPlace, path: string, from: number): Promise<LogPart>;
	events(
		run: string,
		page: { readonly after: number; readonly limit: number; readonly task: string | null },
	): Promise<EventsPage>;
	actions(runId: string): Promise<ActionList>;
	/** Begins it; what goes on longer goes on by itself. @throws Fault where it cannot be done now */
	act(runId: string, action: Action, body: ActionBody): Promise<ActionStarted>;
	plan(file: string | null): Promise<Plan>;
	/** @throws Fault `outdated` where the file is not the one that was shown */
	editPlan(edit: PlanEdit): Promise<Plan>;
	/** Result of a reading verb of the library. `given`: values by the names of its fields. */
	verb(method: VerbName, given: GivenValues): Promise<VerbReply>;
	readonly feed: Feed;
}

/** Source of the stream. Asked only while somebody looks. */
export interface Feed {
	/** Id of the newest event; 0 without any. */
	newest(): Promise<number>;
	/** At most `limit` events behind `after`, in the order of their ids, and how far was looked. */
	eventsAfter(
		after: number,
		filter: EventFilter,
		limit: number,
	): Promise<{ readonly events: readonly StoredEvent[]; readonly cursor: number }>;
	/** Differs whenever something was written since; cheap enough for ten times a second. Never rejects. */
	pulse(): Promise<string>;
	/** By run that has not ended, what no event tells of it: who holds it, whether it was asked to stop. */
	standings(): Promise<ReadonlyMap<string, string>>;
	/** Size of a log of the task in bytes; null where it is not there. */
	logBytes(place: TaskPlace, path: string): Promise<number | null>;
	/** Told of each action that ends, until the returned function is called. */
	onActionEnded(listener: (state: ActionState) => void): () => void;
}
