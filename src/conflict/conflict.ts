export type SideVerdict = "PASS" | "FAIL";

/** Two sides of one disagreement about a task's work. */
export interface ConflictEvent {
	/** From `detectConflict`; names one attempt at resolving it. */
	readonly conflictId: string;
	/** LangGraph thread of the task. */
	readonly threadId: string;
	readonly taskId: string;
	readonly developerVerdict: SideVerdict;
	readonly reviewerVerdict: SideVerdict;
	/** What the developer says for the work, and the work itself as far as it is in question. */
	readonly developerOutput: string;
	/** What the reviewer says against it. */
	readonly reviewerFeedback: string;
	/** From 1, over one disagreement. */
	readonly attemptCount: number;
}

/** The part of an event that `resolve` needs; without verdicts it is a reviewer's FAIL against a developer's PASS, of no task. */
export type ConflictRequest = Pick<
	ConflictEvent,
	"conflictId" | "attemptCount" | "developerOutput" | "reviewerFeedback"
> &
	Partial<ConflictEvent>;

/** The outcome of a conflict. */
export interface ConflictResolution {
	/** `AUTO`: the tie-breaker decided. `ESCALATE`: a person has to. */
	readonly resolution: "AUTO" | "ESCALATE";
	/** With `AUTO`: PASS takes the developer's side, FAIL the reviewer's. */
	readonly tieBreakerDecision?: SideVerdict;
	/** With `AUTO`: the tie-breaker's words, masked. */
	readonly rationale?: string;
	/** With `ESCALATE`: why nobody but a person can decide. */
	readonly escalationReason?: string;
	/** ISO 8601 UTC. */
	readonly resolvedAt: string;
}

/** A resolved attempt as it is kept: the columns of table `conflicts`. */
export interface ConflictRecord {
	readonly conflictId: string;
	readonly threadId: string;
	readonly taskId: string;
	readonly developerVerdict: SideVerdict;
	readonly reviewerVerdict: SideVerdict;
	readonly resolution: ConflictResolution["resolution"];
	readonly tieBreakerDecision: SideVerdict | null;
	readonly rationale: string | null;
	readonly escalationReason: string | null;
	readonly attemptCount: number;
	readonly resolvedAt: string;
}

/** What a conflict of the loop is about: one dispute of one finding. Attempts count by finding. */
export interface ConflictSubject {
	/** Id of the finding, such as `F1`. */
	readonly finding: string;
	/** Turn in which the attempt was made. */
	readonly turn: number;
	/** Turn in which the player disputed; a dispute is taken up once, in that turn or a later one. */
	readonly disputeTurn: number;
	/** Name of the agent that was asked as the tie-breaker; null where nobody was. */
	readonly tieBreaker: string | null;
}

/** A kept attempt with what it is about. */
export interface FindingConflict extends ConflictRecord, ConflictSubject {
	/** True once the task was paused because of it; left out where it was not. */
	readonly paused?: true;
}

/** Whether two sides disagree. */
export type ConflictDetection =
	| { readonly conflictDetected: true; readonly conflictId: string }
	| { readonly conflictDetected: false };
