import type { ChecklistResult } from "../evidence/checklist.ts";
import type { MetricRequest } from "../workflow/workflow.ts";

/** A value, or none, and in either case what it rests on. */
export interface Measure {
	/** From 0.0 to 1.0; null when there is no value: it counts as 0.0 only in a score. */
	readonly score: number | null;
	/** One sentence: what was counted, or why there is no value. */
	readonly reason: string;
	/** With `llm_judge`: the evaluator's own words, masked. */
	readonly rationale?: string;
}

/** A metric that was asked for, measured. Keys as in the gate's report, which shows it. */
export interface EvalMetric extends MetricRequest, Measure {}

/**
 * No value when the whole is 0. 9 of 10 `"changed lines are covered"` is 0.9 with the reason
 * `"9 of 10 changed lines are covered"`.
 */
export function shareMeasure(
	{ part, whole }: { readonly part: number; readonly whole: number },
	what: string,
): Measure {
	const reason = `${part} of ${whole} ${what}`;
	return { score: whole === 0 ? null : part / whole, reason };
}

const NAMED = 3;

/** `namedFew("; open", ["a", "b", "c", "d"])` is `"; open: a, b, c and 1 more"`; `""` for no names. */
export function namedFew(word: string, names: readonly string[]): string {
	if (names.length === 0) return "";
	const more = names.length - NAMED;
	return `${word}: ${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Judgement of one criterion by whoever was asked about it. Its claim, not evidence. */
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
 * Share of the checklist's items whose command passed; without a checklist, of the criteria that were called met.
 * Never evidence of the gate. An item that could not be run did not pass.
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
