import { isSyntaxNode, type SyntaxNode } from "./module-syntax.ts";

/** Casts and parentheses around an expression, which stands in the field `expression`. */
export const WRAPPERS: RegExp =
	/^(?:TS(?:NonNull|As|Satisfies|Instantiation)Expression|TSTypeAssertion|ParenthesizedExpression)$/;

/** The node in a field; null where there is none. */
export function nodeIn(node: SyntaxNode, field: string): SyntaxNode | null {
	const value = node[field];
	return isSyntaxNode(value) ? value : null;
}

/** The nodes in a field that is a list; empty where there is none. Gaps, as in `[, a]`, are left out. */
export function nodesIn(node: SyntaxNode, field: string): readonly SyntaxNode[] {
	const value = node[field];
	return Array.isArray(value) ? (value as readonly unknown[]).filter(isSyntaxNode) : [];
}

/** The text in a field, such as a name; empty where there is none. */
export function textIn(node: SyntaxNode | null, field: string): string {
	const value = node?.[field];
	return typeof value === "string" ? value : "";
}
