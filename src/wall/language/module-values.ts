import { childrenOf, nodesOf, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { bare, isFunction } from "./module-chain.ts";

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

/** The value of a text, number or boolean that is written down; undefined for anything else. */
export function literalOf(expression: SyntaxNode | undefined): unknown {
	const node = expression === undefined ? undefined : bare(expression);
	return /^(?:String|Numeric|Boolean)Literal$/.test(node?.type ?? "") ? node?.["value"] : undefined;
}

/** Tells whether a condition is true or false in any case; null where it depends. */
export function truthOf(expression: SyntaxNode): boolean | null {
	const node = bare(expression);
	switch (node.type) {
		case "BooleanLiteral":
			return node["value"] === true;
		case "NumericLiteral":
		case "StringLiteral":
			return Boolean(node["value"]);
		case "NullLiteral":
			return false;
		case "Identifier":
			return /^(?:undefined|NaN)$/.test(textIn(node, "name")) ? false : null;
		case "UnaryExpression":
			return negated(node);
		case "LogicalExpression":
			return logical(node);
		case "ArrayExpression":
		case "ObjectExpression":
			return true;
		default:
			return isFunction(node) ? true : null;
	}
}

function negated(node: SyntaxNode): boolean | null {
	const [argument, operator] = [nodeIn(node, "argument"), textIn(node, "operator")];
	if (operator === "void") return false;
	const truth = operator === "!" && argument !== null ? truthOf(argument) : null;
	return truth === null ? null : !truth;
}

function logical(node: SyntaxNode): boolean | null {
	const sides = [nodeIn(node, "left"), nodeIn(node, "right")].map((side) => side && truthOf(side));
	const operator = textIn(node, "operator");
	if (operator === "||" && sides.includes(true)) return true;
	return operator === "&&" && sides.includes(false) ? false : null;
}

/** Tells whether something is called in an expression, so that it may differ from time to time. */
export function calls(node: SyntaxNode): boolean {
	return [...nodesOf(node)].some(({ node: each }) =>
		/^(?:Optional)?CallExpression$|^NewExpression$|^AwaitExpression$|^UpdateExpression$/.test(
			each.type,
		),
	);
}
