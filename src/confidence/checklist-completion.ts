import type { ChecklistResult } from "../evidence/checklist.ts";
import { type Measure, shareMeasure } from "./metric.ts";
import { namedFew } from "./named-few.ts";

/** What somebody who judges says of one criterion that it was asked about. Its claim, not evidence. */
export interface CriterionClaim {
	/** The task's own text. */
	readonly criterion: string;
	readonly met: boolean;
	/** Names of the test cases that are said to show it. */
	readonly tests: readonly string[];
}

export const NOBODY_JUDGED: Measure = {
	score: null,
	reason: "no coach, and no evaluator in its place, judged the criteria in this turn",
};

export const NO_CRITERIA: Measure = {
	score: null,
	reason: "the task states no acceptance criteria",
};

/**
 * `checklist_completion`: the share of the checklist's items whose command passed; without a checklist, the share of
 * the criteria that were called met. Never evidence of the gate.
 *
 * An item that could not be run did not pass, and is named like one that failed.
 *
 * @param claims one for each criterion that was to be judged; null when nobody judged
 * @example one of two items passed: 0.5, `"1 of 2 checklist items passed; not passed: docs (error: timed out after 1m)"`
 */
export function checklistCompletion({
	checklist,
	claims,
}: {
	readonly checklist: readonly ChecklistResult[];
	readonly claims: readonly CriterionClaim[] | null;
}): Measure {
	if (checklist.length > 0) return itemsPassed(checklist);
	if (claims === null) return NOBODY_JUDGED;
	if (claims.length === 0) return NO_CRITERIA;
	const met = claims.filter((claim) => claim.met).length;
	return shareMeasure({ part: met, whole: claims.length }, "criteria were called met");
}

function itemsPassed(checklist: readonly ChecklistResult[]): Measure {
	const open = checklist.filter(({ status }) => status !== "pass");
	const share = { part: checklist.length - open.length, whole: checklist.length };
	const { score, reason } = shareMeasure(share, "checklist items passed");
	const names = open.map(
		({ item, status, reason: why }) => `${item} (${why === null ? status : `${status}: ${why}`})`,
	);
	return { score, reason: `${reason}${namedFew("; not passed", names)}` };
}
