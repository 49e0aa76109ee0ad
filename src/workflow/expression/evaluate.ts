import { assertNever } from "../../kernel/assert-never.ts";
import { calculate } from "./calculate.ts";
import type { Equality, Expression, Literal, Order, Value } from "./expression.ts";
import type { Truth } from "./truth.ts";
import { and, not, or } from "./truth.ts";
import type { ConditionValues, ValueType, VariableName } from "./variables.ts";
import { variable } from "./variables.ts";

/**
 * What an expression comes to; undefined is unknown: a variable without a value, and whatever depends on it.
 *
 * Kleene's logic for `&&`, `||` and `!`; a comparison or calculation with something unknown is unknown; so is a
 * choice by something unknown unless both branches agree. A calculation without a result, such as a
 * division by zero, is unknown too. Visits each part once and calls nothing.
 */
export function evaluate(expression: Expression, values: ConditionValues): Value | undefined {
	const value = (part: Expression): Value | undefined => evaluate(part, values);
	const truth = (part: Expression): Truth => asTruth(value(part));
	switch (expression.kind) {
		case "literal":
			return valueOfLiteral(expression);
		case "variable":
			return valueOfVariable(expression.name, values);
		case "not":
			return not(truth(expression.operand));
		case "negate":
			return negate(value(expression.operand));
		case "logic": {
			const combine = expression.operator === "&&" ? and : or;
			return combine(truth(expression.left), truth(expression.right));
		}
		case "equality":
			return equality(expression.operator, value(expression.left), value(expression.right));
		case "order":
			return order(expression.operator, value(expression.left), value(expression.right));
		case "arithmetic":
			return calculate(expression.operator, value(expression.left), value(expression.right));
		case "in": {
			const left = value(expression.left);
			return expression.list.map((item) => equal(left, value(item))).reduce<Truth>(or, false);
		}
		case "choice": {
			const [whenTrue, whenFalse] = [value(expression.whenTrue), value(expression.whenFalse)];
			const condition = truth(expression.condition);
			if (condition === undefined) return whenTrue === whenFalse ? whenTrue : undefined;
			return condition ? whenTrue : whenFalse;
		}
		default:
			return assertNever(expression);
	}
}

function asTruth(value: Value | undefined): Truth {
	return typeof value === "boolean" ? value : undefined;
}

function valueOfLiteral(literal: Literal): Value {
	return literal.type === "int" ? BigInt(literal.value) : literal.value;
}

/** Only a value of the declared type and range counts, and only one of the object's own. */
function valueOfVariable(name: VariableName, values: ConditionValues): Value | undefined {
	if (!Object.hasOwn(values, name)) return undefined;
	const { type, choices = [] } = variable(name);
	return TYPES[type](values[name], choices);
}

/** The value when it is one of its type; whatever stands in a row of a database is tried. */
const TYPES: Readonly<
	Record<ValueType, (value: unknown, choices: readonly string[]) => Value | undefined>
> = {
	bool: (value) => (typeof value === "boolean" ? value : undefined),
	int: (value) =>
		typeof value === "number" && Number.isSafeInteger(value) && value >= 0
			? BigInt(value)
			: undefined,
	double: (value) => (typeof value === "number" && value >= 0 && value <= 1 ? value : undefined),
	string: (value, choices) => choices.find((choice) => choice === value),
};

function negate(value: Value | undefined): Value | undefined {
	return typeof value === "number" || typeof value === "bigint" ? -value : undefined;
}

function equal(left: Value | undefined, right: Value | undefined): Truth {
	return left === undefined || right === undefined ? undefined : left === right;
}

function equality(operator: Equality, left: Value | undefined, right: Value | undefined): Truth {
	const isEqual = equal(left, right);
	return operator === "==" ? isEqual : not(isEqual);
}

const ORDERS: Readonly<Record<Order, (far: number) => boolean>> = {
	"<": (far) => far < 0,
	"<=": (far) => far <= 0,
	">": (far) => far > 0,
	">=": (far) => far >= 0,
};

function order(operator: Order, left: Value | undefined, right: Value | undefined): Truth {
	const far = distance(left, right);
	return far === undefined ? undefined : ORDERS[operator](far);
}

/** -1, 0 or 1 as the left side is below, equal to or above the right one; undefined when one is unknown. */
function distance(left: Value | undefined, right: Value | undefined): number | undefined {
	if (left === undefined || right === undefined) return undefined;
	if (isBelow(left, right)) return -1;
	return isBelow(right, left) ? 1 : 0;
}

/** Texts by UTF-16 units; false below true; a bigint and a number are compared exactly. */
function isBelow(left: Value, right: Value): boolean {
	if (typeof left === "string" || typeof right === "string") return String(left) < String(right);
	return numeric(left) < numeric(right);
}

function numeric(value: boolean | bigint | number): bigint | number {
	return typeof value === "boolean" ? Number(value) : value;
}
