/** What a three-valued expression comes to; undefined is unknown. */
export type Truth = boolean | undefined;

/**
 * Kleene's strong conjunction: false when one side is false, whatever the other is;
 * true when both are true. `and(undefined, false)` is false.
 */
export function and(left: Truth, right: Truth): Truth {
	if (left === false || right === false) return false;
	return left === undefined || right === undefined ? undefined : true;
}

/** Kleene's strong disjunction. `or(undefined, true)` is true. */
export function or(left: Truth, right: Truth): Truth {
	return not(and(not(left), not(right)));
}

/** Kleene's negation: not unknown is unknown. */
export function not(value: Truth): Truth {
	return value === undefined ? undefined : !value;
}
