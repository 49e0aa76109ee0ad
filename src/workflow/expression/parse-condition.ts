import type { Condition, Expression, Problem } from "./expression.ts";
import { readExpression, SPLIT } from "./read-expression.ts";
import { howToAsk, TYPE_NAMES, typeOf } from "./type-of.ts";

/** Longer texts are refused unread; in UTF-16 units. The longest that people write is a tenth of it. */
const MAX_LENGTH = 2000;

export type ParsedCondition =
	| { readonly ok: true; readonly condition: Condition }
	| { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Reads and checks one condition: comparisons, `in` a list, `&&`, `||`, `!` and brackets, true or false as a whole.
 *
 * Never throws, whatever the text. A condition that was read can be asked any number of times, and each
 * time takes a bounded number of steps. The same text always gives the same condition.
 *
 * @returns problems in the order of the text, at least one; `from` and `to` are UTF-16 offsets into it
 * @example `parseCondition("confidence_score == 1")` has the problem "== compares two values of one type;
 * these are a number with decimals and a whole number" from 20 to 21, with "write 1.0"
 */
export function parseCondition(text: string): ParsedCondition {
	if (text.length > MAX_LENGTH) {
		const message = `longer than ${MAX_LENGTH} characters`;
		return { ok: false, problems: [{ message, from: 0, to: text.length, suggestion: SPLIT }] };
	}
	const expression = readExpression(text);
	const problems = "message" in expression ? [expression] : problemsOf(expression);
	if ("message" in expression || problems.length > 0) return { ok: false, problems };
	return { ok: true, condition: { text, expression } };
}

function problemsOf(expression: Expression): Problem[] {
	const problems: Problem[] = [];
	const type = typeOf(expression, problems);
	if (type !== undefined && type !== "bool") {
		const { from, to } = expression;
		const message = `a condition must be true or false; this is ${TYPE_NAMES[type]}`;
		problems.push({ message, from, to, suggestion: howToAsk(type) });
	}
	return problems.sort((a, b) => a.from - b.from);
}
