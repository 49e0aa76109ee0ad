import {
	computeRaw as rawScores,
	computeConfidence as weightedMean,
} from "../confidence/score-of.ts";
import type { Route } from "../loop/edges.ts";
import { allSameIssues as isSame } from "../review/stall.ts";
import { field, optional, requireShape, SHAPES, type Shape } from "./arguments.ts";
import type { LoadedState } from "./load-state.ts";

/** A coach's report, as far as routing reads it; one without a list names no issue. */
export interface RoutedFeedback {
	readonly feedback_items?: readonly { readonly issue: string; readonly severity?: string }[];
}

/** Words of a coach so far, in the founding document's names or in those of `loadState`; at least one of the two. */
export type FeedbackState = Partial<Pick<LoadedState, "feedbackHistory" | "coachFeedback">> & {
	readonly feedback_history?: readonly RoutedFeedback[];
	readonly coach_feedback?: RoutedFeedback | null;
};

/** The state of a task in the founding document's words or as `loadState` gives it. */
export type RoutingState = FeedbackState &
	(
		| Pick<LoadedState, "coachDecision" | "turnCount" | "maxTurns">
		| {
				readonly coach_decision: LoadedState["coachDecision"];
				readonly turn_count: number;
				readonly max_turns: number;
		  }
	);

/** A metric for `computeConfidence`: with a score, which the founding document also calls its value. */
export type ScoredMetric = { readonly weight?: number } & (
	| { readonly score: number | null }
	| { readonly value: number | null }
);

const shape = (expected: string, fits: Shape["fits"]): Shape => ({ expected, fits });

const DECISION = shape("pending, approve or feedback", (value) =>
	["pending", "approve", "feedback"].some((each) => each === value),
);
const COUNT = shape(
	"a whole number of 0 or more",
	(value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
const SCORE = shape("a number or null", (value) => value === null || SHAPES.number.fits(value));
const FEEDBACK = shape("a coach's report, whose feedback_items each have an issue", (value) => {
	const items = field(value, "feedback_items") ?? [];
	const isList =
		Array.isArray(items) && items.every((item) => SHAPES.text.fits(field(item, "issue")));
	return SHAPES.object.fits(value) && isList;
});
const FEEDBACKS = shape(
	"an array of coaches' reports, whose feedback_items each have an issue",
	(value) => Array.isArray(value) && value.every(FEEDBACK.fits),
);

// By the founding document's name or by that of `loadState`.
function part(call: string, state: unknown, name: string, expected: Shape): unknown {
	requireShape(call, "state", state, SHAPES.object);
	const other = name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
	const value = field(state, name) ?? field(state, other);
	requireShape(call, `${name} (or ${other})`, value, expected);
	return value;
}

const REPEATS = 3;

function needsPerson(call: string, state: unknown): boolean {
	const history = part(call, state, "feedback_history", optional(FEEDBACKS)) ?? [];
	const last = part(call, state, "coach_feedback", optional(FEEDBACK));
	// Both have the shapes that were asked for.
	const rounds = (history as RoutedFeedback[]).slice(-REPEATS);
	const items = (last as RoutedFeedback | undefined)?.feedback_items ?? [];
	const isNamed = rounds.some(({ feedback_items: named = [] }) => named.length > 0);
	const isStuck = rounds.length === REPEATS && isNamed && isSame(rounds);
	return isStuck || items.some(({ severity }) => severity === "critical");
}

/**
 * Tells whether a person is needed by the coach's words: the same issues three times in a row, or a critical one now. The loop
 * itself also knows disputes, trees and answers.
 *
 * @throws Fault `usage` for a state without a coach's feedback, or with another shape
 * @example `{ feedback_history: [f, f, f] }` gives true where `f` names an issue
 */
export function shouldEscalate(state: FeedbackState): boolean {
	const call = "shouldEscalate";
	const last = field(state, "coach_feedback") ?? field(state, "coachFeedback");
	part(call, state, "feedback_history", last === undefined ? FEEDBACKS : optional(FEEDBACKS));
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
	const decision = part(call, state, "coach_decision", DECISION);
	const turns = Number(part(call, state, "turn_count", COUNT));
	const most = Number(part(call, state, "max_turns", COUNT));
	const isStuck = needsPerson(call, state);
	if (decision === "approve") return "approve";
	if (isStuck) return "escalate";
	return turns >= most ? "max_turns" : "feedback";
}

/**
 * Tells whether all rounds of feedback name the same set of issues, compared without case, punctuation and white space.
 *
 * @returns false for no round at all, true for a single one
 * @throws Fault `usage` for anything but a list of coaches' reports
 */
export function allSameIssues(feedbacks: readonly RoutedFeedback[]): boolean {
	requireShape("allSameIssues", "feedbacks", feedbacks, FEEDBACKS);
	return isSame(feedbacks);
}

function metricsOf(call: string, metrics: readonly ScoredMetric[]) {
	requireShape(call, "metrics", metrics, SHAPES.list);
	return metrics.map((metric, index) => {
		const name = `metrics[${index}]`;
		requireShape(call, name, metric, SHAPES.object);
		const score = "score" in metric ? metric.score : metric.value;
		requireShape(call, `${name}.score (or ${name}.value)`, score, SCORE);
		requireShape(call, `${name}.weight`, metric.weight, optional(SHAPES.number));
		return { score, weight: metric.weight ?? 1 };
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
