import type { CoachReport } from "../agents/report.ts";
import type { AnsweredPlace } from "../kernel/suspected-place.ts";
import type { Suspicion } from "../wall/suspicion.ts";
import { isAskedFor } from "./asked-for.ts";
import type { Finding } from "./finding.ts";

/** Answer to a suspicion. It holds as long as the place is as it was. */
export interface SuspicionAnswer {
	/** Id of the suspicion. */
	readonly id: string;
	/** `Suspicion.place` at that time. */
	readonly place: string;
	readonly ok: boolean;
	/** Masked; may be empty. */
	readonly reason: string;
	readonly by: "coach" | "person";
	/** In which it was first given. */
	readonly turn: number;
}

/**
 * A suspicion as it stands. `accepted`: it was answered with yes, or the refusal of it was overruled; `open`: nobody
 * answered it as it is now.
 */
export interface JudgedSuspicion {
	readonly suspicion: Suspicion;
	readonly state: "accepted" | "refused" | "open";
	/** Words of the answer; empty without one. */
	readonly reason: string;
	readonly by: SuspicionAnswer["by"] | null;
}

/** Suspicions of the wall in a turn, and all that was said of suspicions so far. */
export interface Suspected {
	readonly suspicions: readonly Suspicion[];
	readonly answers: readonly SuspicionAnswer[];
	/** Set where a verifier's tests pass on the work: they know what the task asks for. */
	readonly verified?: boolean;
}

/**
 * The answers after a round of the coach: what it says of this turn's suspicions, over what was said before. An id that it
 * was not shown says nothing, and of contradictory entries the refusal counts. A yes to another expectation counts only with
 * the task's words that ask for it.
 *
 * @param told the task's description and criteria
 */
export function withCoachAnswers(
	{ suspicions, answers }: Suspected,
	{ suspicions_status: said }: Pick<CoachReport, "suspicions_status">,
	{ turn, told }: { readonly turn: number; readonly told: readonly string[] },
): readonly SuspicionAnswer[] {
	const given = suspicions.flatMap((one): SuspicionAnswer[] => {
		const { id, place } = one;
		const about = said.filter((one) => one.id.trim() === id);
		const word = about.find(({ ok }) => !ok) ?? about[0];
		if (word === undefined) return [];
		if (word.ok && needsWords(one) && !isAskedFor(word.asked_for, one, told)) return [];
		return [{ id, place, ok: word.ok, reason: word.reason.trim(), by: "coach", turn }];
	});
	return merged(answers, given);
}

/** Tells whether a coach's yes to a suspicion needs the words of the task that ask for it. */
function needsWords({ rule }: Pick<Suspicion, "rule">): boolean {
	return rule === "other_expected";
}

/** Tells whether a coach said yes where that needs the task's words. What still is open then waits for a person. */
export function isUnquoted(
	suspicion: Suspicion,
	{ suspicions_status: said }: Pick<CoachReport, "suspicions_status">,
): boolean {
	return needsWords(suspicion) && said.some(({ id, ok }) => id.trim() === suspicion.id && ok);
}

/** The answers after a person took the work with these suspicions in it. */
export function withPersonAnswers(
	{ suspicions, answers }: Suspected,
	{ reason, turn }: Pick<SuspicionAnswer, "reason" | "turn">,
): readonly SuspicionAnswer[] {
	const given = suspicions.map(
		({ id, place }): SuspicionAnswer => ({ id, place, ok: true, reason, by: "person", turn }),
	);
	return merged(answers, given);
}

function merged(
	before: readonly SuspicionAnswer[],
	given: readonly SuspicionAnswer[],
): readonly SuspicionAnswer[] {
	const ids = new Set(given.map(({ id }) => id));
	// Who repeats an answer has said nothing new: a ruling on it stays newer.
	const since = ({ id, place, ok, turn }: SuspicionAnswer): number =>
		before.find((old) => old.id === id && old.place === place && old.ok === ok)?.turn ?? turn;
	return [
		...before.filter(({ id }) => !ids.has(id)),
		...given.map((answer) => ({ ...answer, turn: since(answer) })),
	];
}

/**
 * Suspicions with what was said of them as they are now: an answer about a place that has changed says nothing, and
 * a refusal whose finding was overruled is an acceptance.
 */
export function judgedSuspicions(
	{ suspicions, answers, verified = false }: Suspected,
	findings: readonly Pick<Finding, "suspicion" | "state" | "ruling">[],
): readonly JudgedSuspicion[] {
	return suspicions.map((suspicion): JudgedSuspicion => {
		const { id, place, rule } = suspicion;
		// The task's own allowance is its user's yes.
		if (rule === "allowed_change") return { suspicion, state: "accepted", reason: "", by: null };
		const answer = answers.find((one) => one.id === id && one.place === place);
		const isVerified = verified && needsWords(suspicion);
		if (answer === undefined)
			return { suspicion, state: isVerified ? "accepted" : "open", reason: "", by: null };
		const { ok, reason, by, turn } = answer;
		const isOverruled = findings.some(
			({ suspicion: of, state, ruling }) =>
				of === id && state === "overruled" && ruling?.decision === "PASS" && ruling.turn >= turn,
		);
		return { suspicion, state: ok || isOverruled ? "accepted" : "refused", reason, by };
	});
}

/** Those that stand in the way of an approval. */
export function unsettled(judged: readonly JudgedSuspicion[]): readonly JudgedSuspicion[] {
	return judged.filter(({ state }) => state !== "accepted");
}

const OK: Readonly<Record<JudgedSuspicion["state"], boolean | null>> = {
	accepted: true,
	refused: false,
	open: null,
};

/** A suspicion as reports and questions show it; `ok` is null while nobody answered. */
export function shownSuspicion({ suspicion, state, reason, by }: JudgedSuspicion): AnsweredPlace {
	const { id, rule, kind, file, line } = suspicion;
	return { id, rule, kind, file, line, ok: OK[state], reason: by === null ? null : reason, by };
}
