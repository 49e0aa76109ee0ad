import { assertNever } from "../../kernel/assert-never.ts";
import type { Arithmetic, Equality, Expression, Logic, Order, Span } from "./expression.ts";

/** Operators between two expressions. */
export type PairOperator = Logic | Equality | Order | Arithmetic;

export const PAIR_OPERATORS: ReadonlySet<string> = new Set<PairOperator>([
	...(["&&", "||", "==", "!=", "<", "<=", ">", ">="] as const),
	...(["+", "-", "*", "/", "%"] as const),
]);

/** Two expressions with the operator between them. */
export function pairOf(
	operator: PairOperator,
	left: Expression,
	right: Expression,
	span: Span,
): Expression {
	switch (operator) {
		case "&&":
		case "||":
			return { kind: "logic", operator, left, right, ...span };
		case "==":
		case "!=":
			return { kind: "equality", operator, left, right, ...span };
		case "<":
		case "<=":
		case ">":
		case ">=":
			return { kind: "order", operator, left, right, ...span };
		case "+":
		case "-":
		case "*":
		case "/":
		case "%":
			return { kind: "arithmetic", operator, left, right, ...span };
		default:
			return assertNever(operator);
	}
}
