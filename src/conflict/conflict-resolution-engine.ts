import { type Clock, isoTime } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import type { Masker } from "../masking/masking.ts";
import { excerpt } from "../review/excerpt.ts";
import type { EventData } from "../trace/event.ts";
import type {
	ConflictDetection,
	ConflictEvent,
	ConflictRecord,
	ConflictRequest,
	ConflictResolution,
	SideVerdict,
} from "./conflict.ts";
import type { TieBreak, TieBreaker } from "./tie-breaker.ts";

/** Type of the event that is emitted for each conflict that only a person can settle. */
export const CONFLICT_ESCALATION = "orchestrator:conflict:escalation";

const ESCALATION_ATTEMPT = 3;

const TOO_MANY_ATTEMPTS = "Maximum auto-resolution attempts reached; user intervention required.";

const QUOTED = 400;

interface ConflictRecords {
	/** In one transaction; a record whose id is stored already changes nothing. */
	keep(record: ConflictRecord): Promise<void>;
}

export interface ConflictResolutionOptions {
	readonly tieBreaker: TieBreaker;
	readonly records: ConflictRecords;
	/** undefined: escalations are only kept in the records. */
	readonly events?: {
		emit(type: typeof CONFLICT_ESCALATION, data: EventData[typeof CONFLICT_ESCALATION]): unknown;
	};
	readonly masker: Masker;
	readonly clock: Pick<Clock, "now">;
}

type AttemptOutcome =
	| { readonly resolution: "AUTO"; readonly decision: SideVerdict; readonly rationale: string }
	| { readonly resolution: "ESCALATE"; readonly reason: string };

const escalate = (reason: string): AttemptOutcome => ({ resolution: "ESCALATE", reason });

/** Settles disagreements between the developer and the reviewer of a task, or hands them to a person. */
export class ConflictResolutionEngine {
	readonly #options: ConflictResolutionOptions;

	constructor(options: ConflictResolutionOptions) {
		this.#options = options;
	}

	/**
	 * Whether the two sides disagree.
	 *
	 * @throws Fault `usage` for an event of another shape
	 * @returns with a conflict, a new id (UUID version 4) that names one attempt at resolving it
	 * @example PASS against FAIL is a conflict; PASS against PASS and FAIL against FAIL are not
	 */
	// REQ: 1_PRD-REQ-CON-003
	detectConflict(event: Omit<ConflictEvent, "conflictId" | "attemptCount">): ConflictDetection {
		requireSides("detectConflict", event);
		if (event.developerVerdict === event.reviewerVerdict) return { conflictDetected: false };
		return { conflictDetected: true, conflictId: crypto.randomUUID() };
	}

	/**
	 * Resolves a conflict. In attempts 1 and 2 the tie-breaker is asked twice, with the sides swapped, and decides when
	 * it says the same both times. In all other cases, and from attempt 3 on, a person decides.
	 *
	 * The record is kept before this returns; then an escalation is emitted. A listener that throws changes nothing of
	 * it. The texts of both sides are masked before anybody is asked, and what is said is masked before it is kept.
	 *
	 * @throws Fault `usage` for an event of another shape, an attempt that is not a whole number of 1 or more, and if both
	 * sides agree: then nothing is asked or kept
	 * @throws ResolutionInterrupted as the tie-breaker throws it, and whatever `keep` throws: nothing was decided
	 */
	// REQ: 1_PRD-REQ-CON-003
	async resolve(request: ConflictRequest): Promise<ConflictResolution> {
		const event = { ...UNSAID, ...request };
		requireResolvable(event);
		const outcome =
			event.attemptCount < ESCALATION_ATTEMPT
				? await this.#askTwice(event)
				: escalate(TOO_MANY_ATTEMPTS);
		const resolvedAt = isoTime(this.#options.clock.now());
		await this.#options.records.keep(recordOf(event, outcome, resolvedAt));
		if (outcome.resolution === "AUTO") {
			const { decision, rationale } = outcome;
			return { resolution: "AUTO", tieBreakerDecision: decision, rationale, resolvedAt };
		}
		this.#tell(event, outcome.reason);
		return { resolution: "ESCALATE", escalationReason: outcome.reason, resolvedAt };
	}

	async #askTwice(event: ConflictEvent): Promise<AttemptOutcome> {
		const { tieBreaker, masker } = this.#options;
		const masked: ConflictEvent = {
			...event,
			developerOutput: masker.mask(event.developerOutput),
			reviewerFeedback: masker.mask(event.reviewerFeedback),
		};
		try {
			const first = await tieBreaker.ask({ event: masked, order: "developer_first" });
			if (first.kind === "failed") return this.#failed(first);
			const second = await tieBreaker.ask({ event: masked, order: "reviewer_first" });
			if (second.kind === "failed") return this.#failed(second);
			if (first.verdict !== second.verdict) return this.#torn(first, second);
			const rationale = masker.mask(first.rationale);
			return { resolution: "AUTO", decision: first.verdict, rationale };
		} catch (error) {
			if (error instanceof ResolutionInterrupted) throw error;
			const message = error instanceof Error ? error.message : String(error);
			return escalate(`The tie-breaker could not be asked: ${this.#quote(message)}`);
		}
	}

	#failed({ reason }: Extract<TieBreak, { kind: "failed" }>): AttemptOutcome {
		return escalate(`The tie-breaker gave no verdict: ${this.#quote(reason)}`);
	}

	#torn(
		first: Extract<TieBreak, { kind: "verdict" }>,
		second: Extract<TieBreak, { kind: "verdict" }>,
	): AttemptOutcome {
		const [one, other] = [first, second].map(
			({ verdict, rationale }) => `${verdict} (${this.#quote(rationale)})`,
		);
		return escalate(
			`The tie-breaker contradicted itself when the sides were swapped: first ${one}, then ${other}`,
		);
	}

	#quote(text: string): string {
		return excerpt(this.#options.masker.mask(text), QUOTED);
	}

	#tell({ conflictId, taskId }: ConflictEvent, escalationReason: string): void {
		try {
			this.#options.events?.emit(CONFLICT_ESCALATION, { conflictId, taskId, escalationReason });
		} catch {
			// The record holds all that a listener is told, so a failing listener must not undo it.
		}
	}
}

const UNSAID = {
	threadId: "",
	taskId: "",
	developerVerdict: "PASS",
	reviewerVerdict: "FAIL",
} as const;

const refusal = (what: string): Fault =>
	new Fault(what, {
		code: "usage",
		hint: "See docs/user-guide/library.md for what each call takes.",
	});

function requireSides(call: string, event: unknown, ...more: readonly string[]): void {
	const value = (key: string): unknown =>
		typeof event === "object" && event !== null ? Reflect.get(event, key) : undefined;
	const texts = [...more, "threadId", "taskId", "developerOutput", "reviewerFeedback"];
	const missing = texts.find((key) => typeof value(key) !== "string");
	if (missing !== undefined) throw refusal(`${missing} of ${call} must be a string`);
	const verdicts: readonly unknown[] = ["PASS", "FAIL"];
	const wrong = ["developerVerdict", "reviewerVerdict"].find(
		(key) => !verdicts.includes(value(key)),
	);
	if (wrong !== undefined) throw refusal(`${wrong} of ${call} must be PASS or FAIL`);
}

function requireResolvable(event: ConflictEvent): void {
	requireSides("resolve", event, "conflictId");
	const { conflictId, attemptCount, developerVerdict, reviewerVerdict } = event;
	if (!Number.isInteger(attemptCount) || attemptCount < 1)
		throw refusal(
			`attempt ${attemptCount} of conflict ${conflictId} is not a whole number of 1 or more`,
		);
	if (developerVerdict === reviewerVerdict)
		throw refusal(`${conflictId} is not a conflict: both sides say ${reviewerVerdict}`);
}

function recordOf(
	event: ConflictEvent,
	outcome: AttemptOutcome,
	resolvedAt: string,
): ConflictRecord {
	const { developerOutput: _developer, reviewerFeedback: _reviewer, ...kept } = event;
	const isAuto = outcome.resolution === "AUTO";
	return {
		...kept,
		resolution: outcome.resolution,
		tieBreakerDecision: isAuto ? outcome.decision : null,
		rationale: isAuto ? outcome.rationale : null,
		escalationReason: isAuto ? null : outcome.reason,
		resolvedAt,
	};
}

/**
 * A conflict could not be resolved for a reason outside of it: the run was cancelled, its lease was lost, its budget is
 * spent. Nothing is decided and nothing is stored, so it is taken up again later.
 *
 * `cause` is that reason.
 */
export class ResolutionInterrupted extends Error {
	constructor(cause: unknown) {
		super("the resolution of a conflict was interrupted", { cause });
		this.name = "ResolutionInterrupted";
	}
}
