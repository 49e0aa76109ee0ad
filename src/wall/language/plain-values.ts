import { childrenOf, isSyntaxNode, nodesOf, type SyntaxNode } from "../../syntax/module-syntax.ts";
import type { Literal } from "./choice.ts";

/** Names that a node binds, each with what it is bound to; null where that is not one thing. */
export type BindingReader = (node: SyntaxNode) => readonly (readonly [string, SyntaxNode | null])[];

/** A tree in which values stand where names bound once to them stood, and each node is what a rule makes of it. */
export function plainTree(
	tree: SyntaxNode,
	rule: (node: SyntaxNode) => SyntaxNode,
	bindings: BindingReader,
): SyntaxNode {
	const plain = rewritten(tree, rule);
	const names = new Map<string, SyntaxNode | null>();
	for (const { node } of nodesOf(plain)) {
		for (const [name, value] of bindings(node)) {
			if (name !== "") names.set(name, names.has(name) ? null : value);
		}
	}
	const plainOf = (node: SyntaxNode): SyntaxNode => {
		const value = names.get(nameOf(node));
		return value && VALUE.test(value.type) ? { ...value, start: node.start, end: node.end } : node;
	};
	return rewritten(plain, (node) =>
		rule(withFields(node, plainOf, node["computed"] === true ? COMPUTED : OPERANDS)),
	);
}

const VALUE = /Literal$|^(?:Constant|Unary|Binary|Compare|Array|Tuple|List|Set)/;
const OPERANDS =
	/^(?:left|right|arguments|elements|object|test|comparators|elts|args|keys|values|argument|operand)$/;
const COMPUTED = /^(?:key|object|left|right)$/;

/** A plain name; empty for another node. */
export function nameOf(node: SyntaxNode | null): string {
	const name = node?.type === "Identifier" ? node["name"] : node?.type === "Name" && node["id"];
	return typeof name === "string" ? name : "";
}

/** From the leaves on, without recursion: trees can be deep. */
function rewritten(tree: SyntaxNode, rule: (node: SyntaxNode) => SyntaxNode): SyntaxNode {
	const made = new Map<SyntaxNode, SyntaxNode>();
	const now = (node: SyntaxNode): SyntaxNode => made.get(node) ?? node;
	for (const { node } of [...nodesOf(tree)].reverse()) {
		const isSame = !childrenOf(node).some((child) => made.has(child));
		const next = rule(isSame ? node : withFields(node, now, /./));
		if (next !== node) made.set(node, next);
	}
	return now(tree);
}

function withFields(
	node: SyntaxNode,
	change: (node: SyntaxNode) => SyntaxNode,
	fields: RegExp,
): SyntaxNode {
	const each = (value: unknown): unknown => (isSyntaxNode(value) ? change(value) : value);
	const changed = Object.entries(node).flatMap(([field, value]) => {
		const next = Array.isArray(value) ? value.map(each) : each(value);
		const isSame = Array.isArray(next)
			? next.every((one, at) => one === (value as readonly unknown[])[at])
			: next === value;
		return isSame || !fields.test(field) ? [] : [[field, next] as const];
	});
	return changed.length === 0 ? node : { ...node, ...Object.fromEntries(changed) };
}

/** The sum, difference or product of literals; null of anything else. */
export function calculated(
	operator: string,
	left: Literal | null,
	right: Literal | null,
): Literal | null {
	if (typeof left === "string" && typeof right === "string")
		return operator === "+" ? left + right : null;
	if (typeof left !== "number" || typeof right !== "number") return null;
	if (operator === "+") return left + right;
	if (operator === "-") return left - right;
	return operator === "*" ? left * right : null;
}
