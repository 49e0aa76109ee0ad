import { childrenOf, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { bare } from "./module-chain.ts";

const LITERAL =
	/^(?:StringLiteral|NumericLiteral|BooleanLiteral|NullLiteral|BigIntLiteral|RegExpLiteral)$/;

/** Tells whether an expression has the same value in any case: literals and what is made of nothing else. */
export function isConstant(expression: SyntaxNode): boolean {
	const node = bare(expression);
	if (LITERAL.test(node.type)) return true;
	switch (node.type) {
		case "Identifier":
			return /^(?:undefined|NaN|Infinity)$/.test(textIn(node, "name"));
		case "TemplateLiteral":
			return nodesIn(node, "expressions").every(isConstant);
		case "UnaryExpression":
		case "BinaryExpression":
		case "LogicalExpression":
		case "ArrayExpression":
		case "ObjectExpression":
			return childrenOf(node).every(isConstant);
		case "ObjectProperty": {
			const value = nodeIn(node, "value");
			return value !== null && isConstant(value);
		}
		default:
			return false;
	}
}
