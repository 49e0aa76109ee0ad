import type { PlacedNode, SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn, WRAPPERS } from "../../syntax/node-fields.ts";

/** A name in a chain, with the arguments of its call; null where it is not called. */
export interface Link {
	readonly name: string;
	readonly args: readonly SyntaxNode[] | null;
}

export interface Chain {
	readonly root: SyntaxNode;
	/** From the root; its name is empty if it is no plain name, as is that of a call of a call. */
	readonly links: readonly [Link, ...Link[]];
}

const CALL = /^(?:Optional)?CallExpression$|^NewExpression$/;
const MEMBER = /^(?:Optional)?MemberExpression$/;

/** An expression without casts and parentheses. */
export function bare(node: SyntaxNode): SyntaxNode {
	let at = node;
	while (WRAPPERS.test(at.type)) at = nodeIn(at, "expression") ?? { ...at, type: "" };
	return at;
}

/**
 * The chain of calls and properties that ends in a node.
 *
 * @example `expect(a).not.toBe(b)` has the links `expect` with `a`, `not`, and `toBe` with `b`
 */
export function chainOf(node: SyntaxNode): Chain {
	// From the end, which comes first here.
	const links: Link[] = [];
	let args: readonly SyntaxNode[] | null = null;
	let at = bare(node);
	for (;;) {
		const [object, callee] = [nodeIn(at, "object"), nodeIn(at, "callee")];
		if (CALL.test(at.type) && callee !== null) {
			if (args !== null) links.push({ name: "", args });
			args = nodesIn(at, "arguments");
			at = bare(callee);
		} else if (MEMBER.test(at.type) && object !== null) {
			links.push({ name: propertyOf(at), args });
			args = null;
			at = bare(object);
		} else {
			return { root: at, links: [{ name: rootName(at), args }, ...links.reverse()] };
		}
	}
}

/** Names of the function that is called: its own, and that of its holder; empty where it is no plain name. */
export interface Called {
	readonly name: string;
	readonly owner: string;
}

/**
 * The same as the end of its chain, without a look at the rest of it.
 *
 * @example of `Reflect.get(a)` it is `{ name: "get", owner: "Reflect" }`
 */
export function calledBy(call: SyntaxNode): Called {
	const callee = bare(nodeIn(call, "callee") ?? call);
	return MEMBER.test(callee.type) ? memberNames(callee) : { name: rootName(callee), owner: "" };
}

/** The name of the property that ends a chain, called or not; null where it does not end with one. */
export function endingProperty(node: SyntaxNode): string | null {
	const end = bare(node);
	const at = CALL.test(end.type) ? bare(nodeIn(end, "callee") ?? end) : end;
	return MEMBER.test(at.type) ? propertyOf(at) : null;
}

export function memberNames(member: SyntaxNode): Called {
	const object = nodeIn(member, "object");
	return { name: propertyOf(member), owner: object === null ? "" : rootName(bare(object)) };
}

function rootName(node: SyntaxNode): string {
	if (node.type === "Import") return "import";
	return node.type === "ThisExpression" ? "this" : textIn(node, "name");
}

/** The name of a property, also where it is a text: `a["b"]`. */
function propertyOf(member: SyntaxNode): string {
	const property = nodeIn(member, "property");
	if (property?.type === "StringLiteral") return textIn(property, "value");
	if (property?.type === "PrivateName") return textIn(nodeIn(property, "id"), "name");
	return member["computed"] === true ? "" : textIn(property, "name");
}

export function endsChain({ node, above }: PlacedNode): boolean {
	if (!(CALL.test(node.type) || MEMBER.test(node.type))) return false;
	let [child, parent] = [node, above];
	while (parent !== null && WRAPPERS.test(parent.node.type)) {
		[child, parent] = [parent.node, parent.above];
	}
	if (parent === null) return true;
	return !(
		(MEMBER.test(parent.node.type) && parent.node["object"] === child) ||
		(CALL.test(parent.node.type) && parent.node["callee"] === child)
	);
}

const FUNCTION =
	/^(?:ArrowFunctionExpression|FunctionExpression|FunctionDeclaration|ObjectMethod|ClassMethod|ClassPrivateMethod)$/;

export function isFunction(node: SyntaxNode): boolean {
	return FUNCTION.test(node.type);
}

/** Callees whose functions a runner moves before everything else, or takes to another process. */
const MOVES = /^(?:mock|doMock|unmock|hoisted|unstable_mockModule|evaluate|evaluateHandle)$/;

/** Tells whether a node stands in a function that may use nothing of what stands around it. */
export function isMoved(placed: PlacedNode): boolean {
	for (let { node, above } = placed; above !== null; { node, above } = above) {
		const isGiven = CALL.test(above.node.type) && nodeIn(above.node, "callee") !== node;
		if (isGiven && MOVES.test(calledBy(above.node).name)) return true;
	}
	return false;
}
