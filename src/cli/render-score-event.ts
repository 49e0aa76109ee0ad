import { oneLine } from "../words/visible-text.ts";
import type { RunEvent } from "./run-event.ts";

type Data<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>["data"];
type Scored = Data<"confidence-scored">;

/** Rounded down, so that what is shown as the threshold has reached it. */
const shown = (score: number): string => (Math.floor(score * 100 + 1e-9) / 100).toFixed(2);

function nameOf({ type, evaluator_agent: evaluator }: Scored["metrics"][number]): string {
	return evaluator === undefined ? type : `${type} (${evaluator})`;
}

/** Longest list of warnings in a line, in characters. */
const MAX_WARNINGS = 400;

/**
 * The score of a turn with that of each metric.
 *
 * @example `"confidence 0.85 (composite, threshold 0.80 met): test_coverage 0.85, mutation_score unknown"`
 */
function scoreText({ mode, score, threshold, advisory, metrics }: Scored): string {
	const parts = metrics.map(
		(metric) => `${nameOf(metric)} ${metric.score === null ? "unknown" : shown(metric.score)}`,
	);
	const met = advisory === null ? "not met" : "met";
	const of = parts.length === 0 ? "" : `: ${parts.join(", ")}`;
	return oneLine(`confidence ${shown(score)} (${mode}, threshold ${shown(threshold)} ${met})${of}`);
}

/** A score in one line, with its warnings. */
export function renderScore(scored: Scored): string {
	const { warnings } = scored;
	const told =
		warnings.length === 0 ? "" : `; warning: ${oneLine(warnings.join("; "), MAX_WARNINGS)}`;
	return `${scoreText(scored)}${told}`;
}

/** A score in a line, and what it rests on, one text each: the warnings, then each metric with the words of an evaluator. */
export function renderScoreParts(scored: Scored): {
	readonly line: string;
	readonly parts: string[];
} {
	const metrics = scored.metrics.map((metric) => {
		const { rationale, reason } = metric;
		const words = rationale === undefined || rationale === "" ? "" : `: ${rationale}`;
		return `${nameOf(metric)}: ${reason}${words}`;
	});
	const warnings = scored.warnings.map((text) => `warning: ${text}`);
	return { line: scoreText(scored), parts: [...warnings, ...metrics] };
}

/**
 * Who sits where now.
 *
 * @example `"seats change after turn 2: player rev, coach dev"`
 */
export function renderSwitch({ player, coach, after }: Data<"seats-switched">): string {
	const reached = typeof after === "number" ? `turn ${after}` : `subtask ${after}`;
	return `seats change after ${reached}: player ${player}, coach ${coach}`;
}
