import type { Measure } from "./metric.ts";
import { shareMeasure } from "./share-measure.ts";

/** What the coach says of one criterion that it was asked to judge. Its claim, not evidence. */
export interface CriterionClaim {
	/** The task's own text. */
	readonly criterion: string;
	readonly met: boolean;
	/** Names of the test cases that the coach says show it. */
	readonly tests: readonly string[];
}

/** The measure of a turn in which no coach judged. */
export const NO_COACH: Measure = {
	score: null,
	reason: "no coach judged the criteria in this turn",
};

/** The measure of a task without criteria. */
export const NO_CRITERIA: Measure = {
	score: null,
	reason: "the task states no acceptance criteria",
};

/**
 * `checklist_completion`: the share of the criteria that the coach called met. Never evidence of the gate.
 *
 * @param claims one for each criterion that was to be judged; null without a coach
 */
export function checklistCompletion(claims: readonly CriterionClaim[] | null): Measure {
	if (claims === null) return NO_COACH;
	if (claims.length === 0) return NO_CRITERIA;
	const met = claims.filter((claim) => claim.met).length;
	return shareMeasure({ part: met, whole: claims.length }, "criteria were called met");
}
