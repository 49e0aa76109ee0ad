import { isSyntaxNode, type SyntaxNode } from "./module-syntax.ts";

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
