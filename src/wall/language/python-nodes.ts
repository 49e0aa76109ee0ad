import type { PlacedNode, SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, textIn } from "../../syntax/node-fields.ts";

/** The last name of an expression: `raises` of `pytest.raises(ValueError)`. */
export function pythonName(expression: SyntaxNode): string {
	const node = expression.type === "Call" ? (nodeIn(expression, "func") ?? expression) : expression;
	return textIn(node, "attr") || textIn(node, "id");
}

/** Tells whether a node stands in a module or a class, and in no function: there pytest and unittest look for tests. */
export function isCollected({ above }: PlacedNode): boolean {
	for (let at = above; at !== null; at = at.above)
		if (/^(?:Async)?FunctionDef$/.test(at.node.type)) return false;
	return true;
}
