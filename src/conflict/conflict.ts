import type { Finding } from "../review/finding.ts";
import { isBlocking } from "../review/finding-state.ts";

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
	/** The developer's words for the work, and the work itself as far as it is in question. */
	readonly developerOutput: string;
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
export interface ConflictRecord
	extends Omit<ConflictEvent, "developerOutput" | "reviewerFeedback"> {
	readonly resolution: ConflictResolution["resolution"];
	readonly tieBreakerDecision: SideVerdict | null;
	readonly rationale: string | null;
	readonly escalationReason: string | null;
	readonly resolvedAt: string;
}

/** Subject of a conflict of the loop: one dispute of one finding. Attempts count by finding. */
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

export type ConflictDetection =
	| { readonly conflictDetected: true; readonly conflictId: string }
	| { readonly conflictDetected: false };

/** A finding whose dispute the coach or the verifier upheld. */
export interface UpheldFinding extends Finding {
	readonly state: "upheld";
	readonly dispute: NonNullable<Finding["dispute"]>;
}

/** The seat that upheld a finding: a test is the verifier's. */
export const upholderOf = ({ source }: Pick<Finding, "source">): "coach" | "verifier" =>
	source === "verification" ? "verifier" : "coach";

function isUpheldDispute(finding: Finding): finding is UpheldFinding {
	return finding.state === "upheld" && finding.dispute !== null;
}

/** Facts that decide whether a dispute is a conflict now. */
export interface ConflictGround {
	readonly open: readonly Finding[];
	readonly known: readonly Pick<ConflictSubject, "finding" | "disputeTurn">[];
	readonly needsApproval: boolean;
}

/**
 * The disputes that are conflicts now: upheld, standing in the way, and not taken up before. A finding that does not
 * block stands in the way only where the coach's refusal rests on nothing else, and the loop waits for its approval.
 */
export function openConflicts({ open, known, needsApproval }: ConflictGround): UpheldFinding[] {
	const restsOnMinor = needsApproval && !open.some(isBlocking);
	return open
		.filter(isUpheldDispute)
		.filter((finding) => isBlocking(finding) || restsOnMinor)
		.filter(
			({ id, dispute }) =>
				!known.some(({ finding, disputeTurn }) => finding === id && disputeTurn === dispute.turn),
		);
}

/** Number of the next attempt on a finding, from 1. */
export function nextAttempt(
	known: readonly Pick<ConflictSubject, "finding">[],
	finding: string,
): number {
	return known.filter((conflict) => conflict.finding === finding).length + 1;
}

/** The attempts of a turn that wait for a person: escalated, and their finding is still open. */
export function waitingConflicts<
	T extends Pick<ConflictSubject, "finding" | "turn"> & { readonly resolution: string },
>(known: readonly T[], open: readonly Finding[], turn: number): T[] {
	return known.filter(
		(conflict) =>
			conflict.turn === turn &&
			conflict.resolution === "ESCALATE" &&
			open.some(({ id }) => id === conflict.finding),
	);
}
