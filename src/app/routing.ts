import { computeConfidence as weightedMean } from "../confidence/compute-confidence.ts";
import { computeRaw as rawScores } from "../confidence/compute-raw.ts";
import type { Route } from "../loop/edges.ts";
import { allSameIssues as isSame } from "../review/stall.ts";
import { field, NUMBER, OBJECT, optional, requireShape, type Shape, TEXT } from "./arguments.ts";
import type { LoadedState } from "./load-state.ts";

/** A coach's report, as far as routing reads it; one without a list names no issue. */
export interface RoutedFeedback {
	readonly feedback_items?: readonly { readonly issue: string; readonly severity?: string }[];
}

/** What a coach said so far, in the founding document's words or in those of `loadState`; at least one of the two. */
export type FeedbackState =
	| {
			readonly feedback_history?: readonly RoutedFeedback[];
			readonly coach_feedback?: RoutedFeedback | null;
	  }
	| Partial<Pick<LoadedState, "feedbackHistory" | "coachFeedback">>;

/** The state of a task in the founding document's words or as `loadState` gives it. */
export type RoutingState = FeedbackState &
	(
		| {
				readonly coach_decision: LoadedState["coachDecision"];
				readonly turn_count: number;
				readonly max_turns: number;
		  }
		| Pick<LoadedState, "coachDecision" | "turnCount" | "maxTurns">
	);

/** A metric for `computeConfidence`: with a score, which the founding document also calls its value. */
export type ScoredMetric = { readonly weight?: number } & (
	| { readonly score: number | null }
	| { readonly value: number | null }
);

const DECISIONS = ["pending", "approve", "feedback"];
const DECISION: Shape = {
	expected: `one of ${DECISIONS.join(", ")}`,
	fits: (value) => typeof value === "string" && DECISIONS.includes(value),
};
const COUNT: Shape = {
	expected: "a whole number of 0 or more",
	fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
const LIST: Shape = { expected: "an array", fits: Array.isArray };
const SCORE: Shape = {
	expected: "a number or null",
	fits: (value) => value === null || NUMBER.fits(value),
};
const FEEDBACKS: Shape = {
	expected: "an array of coaches' reports, with feedback_items that each have an issue",
	fits: (value) => Array.isArray(value) && value.every(isFeedback),
};
const FEEDBACK: Shape = {
	expected: "a coach's report, with feedback_items that each have an issue, or null",
	fits: (value) => value === null || isFeedback(value),
};

function isFeedback(value: unknown): value is RoutedFeedback {
	const items = field(value, "feedback_items") ?? [];
	return (
		OBJECT.fits(value) &&
		Array.isArray(items) &&
		items.every((item) => TEXT.fits(field(item, "issue")))
	);
}

/** Reads one field by either of its names. @throws Fault `usage` */
function part(
	call: string,
	state: unknown,
	[one, other]: readonly [string, string],
	shape: Shape,
): unknown {
	const value = field(state, one) ?? field(state, other);
	requireShape(call, `${one} (or ${other})`, value, shape);
	return value;
}

/** Repetitions of the same issues that need a person, by the founding document. */
const REPEATS = 3;

function needsPerson(call: string, state: unknown): boolean {
	const history = part(call, state, ["feedback_history", "feedbackHistory"], optional(FEEDBACKS));
	const last = part(call, state, ["coach_feedback", "coachFeedback"], optional(FEEDBACK));
	// Both were looked at above.
	const rounds = ((history ?? []) as RoutedFeedback[]).slice(-REPEATS);
	const items = (last as RoutedFeedback | null | undefined)?.feedback_items ?? [];
	const isStuck = rounds.length === REPEATS && isSame(rounds) && hasItems(rounds);
	return isStuck || items.some(({ severity }) => severity === "critical");
}

const hasItems = (rounds: readonly RoutedFeedback[]): boolean =>
	rounds.some(({ feedback_items: items = [] }) => items.length > 0);

/**
 * Whether a person is needed by what the coach said: the same issues three times in a row, or a critical one now. The loop
 * itself also knows disputes, trees and answers.
 *
 * @throws Fault `usage` for a state without a coach's feedback, or with another shape
 * @example `{ feedback_history: [f, f, f] }` gives true where `f` names an issue
 */
export function shouldEscalate(state: FeedbackState): boolean {
	const call = "shouldEscalate";
	requireShape(call, "state", state, OBJECT);
	const names = ["feedback_history", "feedbackHistory", "coach_feedback", "coachFeedback"];
	if (names.every((name) => field(state, name) === undefined))
		requireShape(call, "feedback_history (or coach_feedback)", undefined, FEEDBACKS);
	return needsPerson(call, state);
}

/**
 * The founding document's route of a turn: approve, escalate, max_turns, feedback, first match wins. Escalation comes before
 * the limit, so that a critical issue of the last turn is no plain failure. The loop itself also goes by evidence, gate,
 * conditions and suspicions.
 *
 * @throws Fault `usage` for a state with another shape, such as the null of `loadState`
 * @example `{ coach_decision: "feedback", turn_count: 10, max_turns: 10 }` gives `max_turns`
 */
export function routeCoachDecision(state: RoutingState): Route {
	const call = "routeCoachDecision";
	requireShape(call, "state", state, OBJECT);
	const decision = part(call, state, ["coach_decision", "coachDecision"], DECISION);
	const turns = part(call, state, ["turn_count", "turnCount"], COUNT);
	const most = part(call, state, ["max_turns", "maxTurns"], COUNT);
	const isStuck = needsPerson(call, state);
	if (decision === "approve") return "approve";
	if (isStuck) return "escalate";
	return Number(turns) >= Number(most) ? "max_turns" : "feedback";
}

/**
 * Whether all rounds of feedback name the same set of issues, compared without case, punctuation and white space.
 *
 * @returns false for no round at all, true for a single one
 * @throws Fault `usage` for anything but a list of coaches' reports
 */
export function allSameIssues(feedbacks: readonly RoutedFeedback[]): boolean {
	requireShape("allSameIssues", "feedbacks", feedbacks, FEEDBACKS);
	return isSame(feedbacks);
}

function metricsOf(
	call: string,
	metrics: readonly ScoredMetric[],
): { score: number | null; weight: number }[] {
	requireShape(call, "metrics", metrics, LIST);
	return metrics.map((metric, index) => {
		const name = `metrics[${index}]`;
		requireShape(call, name, metric, OBJECT);
		const score = "score" in metric ? metric.score : field(metric, "value");
		requireShape(call, `${name}.score (or ${name}.value)`, score, SCORE);
		requireShape(call, `${name}.weight`, metric.weight, optional(NUMBER));
		return { score: score === null ? null : Number(score), weight: metric.weight ?? 1 };
	});
}

/**
 * Weighted mean of metrics; without weights all count the same. A score that is null or not from 0.0 to 1.0 counts as 0.0, and
 * a weight that is not above 0 gives 0.0.
 *
 * @throws Fault `usage` for metrics without a score
 * @example `[{ score: 0.9 }, { score: 0.8 }, { score: 0.7 }]` gives 0.8
 */
export function computeConfidence(metrics: readonly ScoredMetric[]): number {
	return weightedMean(metricsOf("computeConfidence", metrics));
}

/** The scores of metrics one by one, in their order; see `computeConfidence`. @throws Fault `usage` */
export function computeRaw(metrics: readonly ScoredMetric[]): number[] {
	return rawScores(metricsOf("computeRaw", metrics));
}
