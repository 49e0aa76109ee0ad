import { evaluate } from "./evaluate.ts";
import type { Condition } from "./expression.ts";
import type { ConditionValues } from "./variables.ts";

/**
 * Whether a condition holds. `"unknown"` is no approval and no refusal: only `true` holds.
 *
 * With nothing known, `pair.challenger_approved == true` and its negation are both `"unknown"`.
 */
export function holds(condition: Condition, values: ConditionValues): boolean | "unknown" {
	const value = evaluate(condition.expression, values);
	return typeof value === "boolean" ? value : "unknown";
}

/** The first condition that holds: of several, any one counts. undefined when none does. */
export function firstThatHolds(
	conditions: readonly Condition[],
	values: ConditionValues,
): Condition | undefined {
	return conditions.find((each) => holds(each, values) === true);
}
