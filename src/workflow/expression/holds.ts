import { assertNever } from "../../kernel/assert-never.ts";
import type { Comparator, Condition, Expression, Value } from "./expression.ts";
import { type ConditionValues, isVariable, type ValueType, variable } from "./variables.ts";

/** Value of a three-valued expression; undefined is unknown. */
export type Truth = boolean | undefined;

/** Kleene's strong conjunction: `and(undefined, false)` is false. */
export function and(left: Truth, right: Truth): Truth {
	if (left === false || right === false) return false;
	return left === undefined || right === undefined ? undefined : true;
}

export function or(left: Truth, right: Truth): Truth {
	return not(and(not(left), not(right)));
}

export function not(value: Truth): Truth {
	return value === undefined ? undefined : !value;
}

/** `"unknown"` is no approval and no refusal: only `true` holds. */
export function holds(condition: Condition, values: ConditionValues): boolean | "unknown" {
	return asTruth(evaluate(condition.expression, values)) ?? "unknown";
}

/** The first condition that holds: of several, any one counts. undefined when none does. */
export function firstThatHolds(
	conditions: readonly Condition[],
	values: ConditionValues,
): Condition | undefined {
	return conditions.find((each) => holds(each, values) === true);
}

/** Undefined is unknown: a variable without a value, and whatever depends on it. Visits each part once. */
function evaluate(expression: Expression, values: ConditionValues): Value | undefined {
	switch (expression.kind) {
		case "literal":
			return expression.value;
		case "variable":
			return valueNamed(expression.name, values);
		case "not":
			return not(asTruth(evaluate(expression.operand, values)));
		case "in": {
			const left = evaluate(expression.left, values);
			const among = expression.list.map((item) => compare("==", left, evaluate(item, values)));
			return among.reduce<Truth>(or, false);
		}
		case "pair": {
			const left = evaluate(expression.left, values);
			const right = evaluate(expression.right, values);
			const { operator } = expression;
			if (operator === "&&") return and(asTruth(left), asTruth(right));
			if (operator === "||") return or(asTruth(left), asTruth(right));
			return compare(operator, left, right);
		}
		default:
			return assertNever(expression);
	}
}

function asTruth(value: Value | undefined): Truth {
	return typeof value === "boolean" ? value : undefined;
}

/** Texts are ordered by UTF-16 units; false is below true. */
const COMPARISONS: Readonly<Record<Comparator, (left: Value, right: Value) => boolean>> = {
	"==": (left, right) => left === right,
	"!=": (left, right) => left !== right,
	"<": (left, right) => left < right,
	"<=": (left, right) => left <= right,
	">": (left, right) => left > right,
	">=": (left, right) => left >= right,
};

function compare(operator: Comparator, left: Value | undefined, right: Value | undefined): Truth {
	return left === undefined || right === undefined ? undefined : COMPARISONS[operator](left, right);
}

/** Only a value of the declared type and range counts, and only one of the object's own. */
function valueNamed(name: string, values: ConditionValues): Value | undefined {
	if (!isVariable(name) || !Object.hasOwn(values, name)) return undefined;
	const { type, choices = [] } = variable(name);
	return TYPES[type](values[name], choices);
}

const TYPES: Readonly<
	Record<ValueType, (value: unknown, choices: readonly string[]) => Value | undefined>
> = {
	bool: (value) => (typeof value === "boolean" ? value : undefined),
	int: (value) =>
		typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined,
	double: (value) => (typeof value === "number" && value >= 0 && value <= 1 ? value : undefined),
	string: (value, choices) => choices.find((choice) => choice === value),
};
