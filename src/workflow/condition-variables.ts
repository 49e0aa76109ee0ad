import { assertNever } from "../kernel/assert-never.ts";
import type { Expression } from "./expression/expression.ts";
import type { VariableName } from "./expression/variables.ts";

/** The variables that an expression names, each once, in the order of the text. */
export function conditionVariables(expression: Expression): VariableName[] {
	return [...new Set(namesIn(expression))];
}

function namesIn(expression: Expression): VariableName[] {
	switch (expression.kind) {
		case "literal":
			return [];
		case "variable":
			return [expression.name];
		case "not":
		case "negate":
			return namesIn(expression.operand);
		case "logic":
		case "equality":
		case "order":
		case "arithmetic":
			return [...namesIn(expression.left), ...namesIn(expression.right)];
		case "in":
			return [expression.left, ...expression.list].flatMap(namesIn);
		case "choice":
			return [expression.condition, expression.whenTrue, expression.whenFalse].flatMap(namesIn);
		default:
			return assertNever(expression);
	}
}
