import { isSyntaxNode, type PlacedNode, type SyntaxNode } from "../syntax/module-syntax.ts";

/** Kinds of TypeScript's own that hold values; all others are types. */
const VALUES = new Set(
	(
		"TSAsExpression TSNonNullExpression TSSatisfiesExpression TSTypeAssertion TSEnumDeclaration " +
		"TSEnumBody TSEnumMember TSModuleDeclaration TSModuleBlock TSExportAssignment " +
		"TSParameterProperty TSInstantiationExpression"
	).split(" "),
);

/** Calls that write to a log; only the beginning of each. */
const LOGS =
	/^(?:console\.\w+|(?:this\.)?_?log(?:ger)?\.(?:trace|debug|verbose|info|notice|warn|error|fatal|log)|debug)\(/;

/** Whether nothing is learnt from a change of this node: a type, an import, or what is written to a log. */
export function isIdle(placed: PlacedNode, text: string): boolean {
	for (let at: PlacedNode | null = placed; at !== null; at = at.above) {
		if (isType(at.node) || isLogged(at.node, text)) return true;
	}
	return isNamed(placed);
}

const isType = ({ type }: SyntaxNode): boolean => type.startsWith("TS") && !VALUES.has(type);

function isLogged(node: SyntaxNode, text: string): boolean {
	const isCall = node.type === "CallExpression" || node.type === "ExpressionStatement";
	return isCall && LOGS.test(text.slice(node.start, node.start + 40));
}

/** Whether a node is a name: of a module, a key, an attribute. */
function isNamed({ node, above }: PlacedNode): boolean {
	if (above === null) return false;
	const { node: parent } = above;
	if (parent.type === "JSXAttribute" || parent.type === "ImportAttribute") return true;
	const isKey = parent["key"] === node && parent["computed"] !== true;
	const isMember = parent.type === "TSEnumMember" && parent["id"] === node;
	return isKey || isMember || parent["source"] === node || loadsModule(parent);
}

function loadsModule({ type, callee }: SyntaxNode): boolean {
	if (type !== "CallExpression" || !isSyntaxNode(callee)) return false;
	return callee["name"] === "require" || callee.type === "Import";
}
