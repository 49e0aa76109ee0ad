import { assertNever } from "../../kernel/assert-never.ts";
import { quote } from "../diagnostic.ts";
import { nearest } from "../suggest.ts";
import type { Expression, Problem, Span } from "./expression.ts";
import { plainValue } from "./plain-value.ts";
import type { ValueType } from "./variables.ts";
import { variable } from "./variables.ts";

/** A type as messages name it. */
export const TYPE_NAMES: Readonly<Record<ValueType, string>> = {
	bool: "true or false",
	int: "a whole number",
	double: "a number with decimals",
	string: "a text",
};

/** A part of an expression with its type; undefined when it has none, which was said already. */
interface Typed {
	readonly expression: Expression;
	readonly type: ValueType | undefined;
}

interface Known extends Typed {
	readonly type: ValueType;
}

function isKnown(typed: Typed): typed is Known {
	return typed.type !== undefined;
}

/**
 * The type of an expression by CEL's rules; undefined when it has none, and then `problems` says why.
 *
 * A rule of CEL that surprises: `==` and arithmetic take two values of one type, so a score is compared
 * with `1.0`. Two rules of ours: so does an order, where CEL may mix whole numbers and decimals, so that a
 * score is written in one way; and a text variable is compared only with texts that it can have, since
 * `gate.verdict == "pass"` could never hold.
 *
 * Visits each part once.
 *
 * @param problems where problems are added
 */
export function typeOf(expression: Expression, problems: Problem[]): ValueType | undefined {
	const typed = (part: Expression): Typed => ({ expression: part, type: typeOf(part, problems) });
	switch (expression.kind) {
		case "literal":
			return expression.type;
		case "variable":
			return variable(expression.name).type;
		case "not":
			checkBool(typed(expression.operand), "!", problems);
			return "bool";
		case "negate":
			return typeOfNegation(typed(expression.operand), problems);
		case "logic":
			for (const side of [typed(expression.left), typed(expression.right)])
				checkBool(side, expression.operator, problems);
			return "bool";
		case "equality": {
			const [left, right] = [typed(expression.left), typed(expression.right)];
			checkSame(left, right, expression.operator, problems);
			checkChoice(left.expression, right.expression, problems);
			checkChoice(right.expression, left.expression, problems);
			return "bool";
		}
		case "order": {
			const [left, right] = [typed(expression.left), typed(expression.right)];
			checkSame(left, right, expression.operator, problems);
			return "bool";
		}
		case "arithmetic": {
			const [left, right] = [typed(expression.left), typed(expression.right)];
			const type = checkSame(left, right, expression.operator, problems);
			if (type === undefined || isCalculable(expression.operator, type)) return type;
			const message = `${expression.operator} cannot calculate with ${TYPE_NAMES[type]}`;
			problems.push(problem(message, expression));
			return undefined;
		}
		case "in": {
			const left = typed(expression.left);
			for (const item of expression.list.map(typed)) {
				checkSame(left, item, "in", problems);
				checkChoice(left.expression, item.expression, problems);
			}
			return "bool";
		}
		case "choice":
			checkBool(typed(expression.condition), "?", problems);
			return checkSame(typed(expression.whenTrue), typed(expression.whenFalse), "? :", problems);
		default:
			return assertNever(expression);
	}
}

function problem(message: string, { from, to }: Span, suggestion?: string): Problem {
	return { message, from, to, suggestion };
}

function checkBool({ expression, type }: Typed, operator: string, problems: Problem[]): void {
	if (type === undefined || type === "bool") return;
	const message = `${operator} takes true or false, and this is ${TYPE_NAMES[type]}`;
	problems.push(problem(message, expression, howToAsk(type)));
}

/** How a value that is no condition becomes one. */
export function howToAsk(type: ValueType): string {
	return type === "string" ? "compare it with == or `in`" : "compare it, such as with >=";
}

function typeOfNegation({ expression, type }: Typed, problems: Problem[]): ValueType | undefined {
	if (type !== "bool" && type !== "string") return type;
	const message = `- takes a number, and this is ${TYPE_NAMES[type]}`;
	problems.push(problem(message, expression, type === "bool" ? "write ! for not" : undefined));
	return undefined;
}

/** The one type of both sides. */
function checkSame(
	left: Typed,
	right: Typed,
	operator: string,
	problems: Problem[],
): ValueType | undefined {
	if (!(isKnown(left) && isKnown(right))) return undefined;
	if (left.type === right.type) return left.type;
	problems.push(mismatch(left, right, operator));
	return undefined;
}

/** Placed at the constant, where there is one: it is what the person will change. */
function mismatch(left: Known, right: Known, operator: string): Problem {
	const [constant, other] = right.expression.kind === "literal" ? [right, left] : [left, right];
	const message = `${operator} takes two values of one type, and these are ${TYPE_NAMES[left.type]} and ${TYPE_NAMES[right.type]}`;
	const text = plainValue(constant.expression, other.type);
	const isConstant = constant.expression.kind === "literal";
	const place = isConstant
		? constant.expression
		: { from: left.expression.from, to: right.expression.to };
	if (text !== undefined) return problem(message, place, `write ${text}`);
	const isOfNumbers = [left, right].every(({ type }) => type === "int" || type === "double");
	return problem(message, place, isOfNumbers && !isConstant ? KINDS_OF_NUMBERS : undefined);
}

const KINDS_OF_NUMBERS =
	"scores go with scores and constants such as 1.0, counts with counts and 1";

function isCalculable(operator: string, type: ValueType): boolean {
	if (type === "int") return true;
	if (type === "double") return operator !== "%";
	return type === "string" && operator === "+";
}

/** A text that the variable beside it can never have. */
function checkChoice(side: Expression, other: Expression, problems: Problem[]): void {
	if (side.kind !== "variable" || other.kind !== "literal" || other.type !== "string") return;
	const { choices = [] } = variable(side.name);
	if (choices.length === 0 || choices.includes(other.value)) return;
	const near = nearest(other.value, choices);
	const listed = choices.map((each) => quote(each)).join(", ");
	problems.push(
		problem(
			`${side.name} is never ${quote(other.value)}`,
			other,
			near === undefined ? `it can be ${listed}` : `did you mean ${quote(near)}?`,
		),
	);
}
