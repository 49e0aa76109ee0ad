import { assertNever } from "../../kernel/assert-never.ts";
import { quote } from "../diagnostic.ts";
import { nearest } from "../suggest.ts";
import type { Expression, Problem, Span } from "./expression.ts";
import type { ValueType } from "./variables.ts";
import { isVariable, suggestVariable, variable } from "./variables.ts";

/** A type as messages name it. */
export const TYPE_NAMES: Readonly<Record<ValueType, string>> = {
	bool: "true or false",
	int: "a whole number",
	double: "a number with decimals",
	string: "a string",
};

/** A part of an expression with its type; undefined when it has none, which was said already. */
interface Typed {
	readonly expression: Expression;
	readonly type: ValueType | undefined;
}

/**
 * The type of an expression; undefined when it has none, and then `problems` says why.
 *
 * A comparison takes two values of one type, so a score is compared with `1.0` and a count with `1`. A text variable is
 * compared with `==`, `!=` and `in` only with texts that it can have, since `gate.verdict == "pass"` could never hold.
 * Visits each part once.
 *
 * @param problems where problems are added
 */
export function typeOf(expression: Expression, problems: Problem[]): ValueType | undefined {
	const typed = (part: Expression): Typed => ({ expression: part, type: typeOf(part, problems) });
	switch (expression.kind) {
		case "literal":
			if (expression.type === "int" && !Number.isSafeInteger(expression.value))
				problems.push(problem("the whole number is too large", expression));
			return expression.type;
		case "variable":
			return typeOfVariable(expression.name, expression, problems);
		case "not":
			checkBool(typed(expression.operand), "!", problems);
			return "bool";
		case "in": {
			const left = typed(expression.left);
			for (const item of expression.list.map(typed)) checkPair(left, item, "in", problems);
			return "bool";
		}
		case "pair": {
			const { operator } = expression;
			const [left, right] = [typed(expression.left), typed(expression.right)];
			if (operator !== "&&" && operator !== "||") checkPair(left, right, operator, problems);
			else for (const side of [left, right]) checkBool(side, operator, problems);
			return "bool";
		}
		default:
			return assertNever(expression);
	}
}

function problem(message: string, { from, to }: Span, suggestion?: string): Problem {
	return { message, from, to, suggestion };
}

function typeOfVariable(name: string, at: Span, problems: Problem[]): ValueType | undefined {
	if (isVariable(name)) return variable(name).type;
	if (name === "null") {
		const way = "remove it: a variable without a value is unknown";
		problems.push(problem("no variable can be null", at, way));
	} else problems.push(problem(`unknown variable ${quote(name)}`, at, suggestVariable(name)));
	return undefined;
}

function checkBool({ expression, type }: Typed, operator: string, problems: Problem[]): void {
	if (type === undefined || type === "bool") return;
	const message = `${operator} expects true or false; this is ${TYPE_NAMES[type]}`;
	problems.push(problem(message, expression, howToAsk(type)));
}

/** How a value that is not a condition becomes one. */
export function howToAsk(type: ValueType): string {
	return type === "string" ? "compare it with == or `in`" : "compare it, such as with >=";
}

/** Two sides of a comparison: of one type, and a text that the variable beside it can have. */
function checkPair(left: Typed, right: Typed, operator: string, problems: Problem[]): void {
	if (left.type === undefined || right.type === undefined) return;
	if (left.type !== right.type) {
		const types = `${TYPE_NAMES[left.type]} and ${TYPE_NAMES[right.type]}`;
		const message = `${operator} compares two values of one type; these are ${types}`;
		problems.push(mismatch(message, left, right));
	} else if (["==", "!=", "in"].includes(operator)) {
		checkChoice(left.expression, right.expression, problems);
		checkChoice(right.expression, left.expression, problems);
	}
}

const KINDS_OF_NUMBERS =
	"compare scores with scores or constants such as 1.0, and counts with counts or constants such as 1";

/** Placed at the constant, where there is one: it is what the person will change. */
function mismatch(message: string, left: Typed, right: Typed): Problem {
	const [side, other] = right.expression.kind === "literal" ? [right, left] : [left, right];
	if (side.expression.kind === "literal") {
		const text = rewritten(side.expression.value, other.type);
		return problem(message, side.expression, text === undefined ? undefined : `write ${text}`);
	}
	const isOfNumbers = [left, right].every(({ type }) => type === "int" || type === "double");
	const place = { from: left.expression.from, to: right.expression.to };
	return problem(message, place, isOfNumbers ? KINDS_OF_NUMBERS : undefined);
}

/** A constant as another type writes it, where that is the same value: for a score, 1 is `1.0`. */
function rewritten(value: boolean | number | string, type: ValueType | undefined) {
	const text = String(value);
	if (type === "bool") return /^(true|false)$/.test(text) ? text : undefined;
	if (type === "int") return /^\d{1,9}$/.test(text) ? text : undefined;
	if (type !== "double" || !/^\d{1,9}(\.\d{1,9})?$/.test(text)) return undefined;
	return text.includes(".") ? text : `${text}.0`;
}

/** A text that the variable beside it can never have. */
function checkChoice(side: Expression, other: Expression, problems: Problem[]): void {
	if (side.kind !== "variable" || !isVariable(side.name)) return;
	if (other.kind !== "literal" || other.type !== "string") return;
	const { choices = [] } = variable(side.name);
	if (choices.includes(other.value)) return;
	const near = nearest(other.value, choices);
	const listed = choices.map((each) => quote(each)).join(", ");
	const hint = near === undefined ? `it can be ${listed}` : `did you mean ${quote(near)}?`;
	problems.push(problem(`${side.name} is never ${quote(other.value)}`, other, hint));
}
