import type { PlacedNode, SyntaxNode } from "./module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "./node-fields.ts";

/** What a name stands for in each node in which it holds; null where that depends, as for a parameter. */
type Meanings = ReadonlyMap<SyntaxNode, PlacedNode | null>;

/** Longest text that is put together. In UTF-16 units. */
const LONGEST = 200;

/** Deepest expression that is followed. */
const DEEPEST = 100;

const WRAPPER = /^(?:TS(?:NonNull|As|Satisfies|Instantiation)Expression|TSTypeAssertion)$/;

/** The texts that expressions of a module have in any case: literals, what is made of them, names that stand for them. */
export class ConstantTexts {
	readonly #meanings: ReadonlyMap<string, Meanings>;
	readonly #known = new Map<SyntaxNode, string | null>();

	/** @param placed all nodes of the module */
	constructor(placed: readonly PlacedNode[]) {
		this.#meanings = meaningsIn(placed);
	}

	/**
	 * The text of an expression; null where it has none, or it depends, or is longer than 200 characters.
	 *
	 * @example with `const k = "eq" + "ual"` it is `"equal"` of the `k` in `a[k]`
	 */
	of(at: PlacedNode, depth = 0): string | null {
		const known = this.#known.get(at.node);
		if (known !== undefined) return known;
		if (depth > DEEPEST) return null;
		// A name that stands for itself has no text.
		this.#known.set(at.node, null);
		const text = this.#read(at, (node) => this.of({ node, above: at }, depth + 1));
		const short = text === null || text.length > LONGEST ? null : text;
		this.#known.set(at.node, short);
		return short;
	}

	/** What a name stands for where it is used; null where that depends, undefined where the module does not say it. */
	meaningOf(at: PlacedNode): PlacedNode | null | undefined {
		const meanings = this.#meanings.get(textIn(at.node, "name"));
		if (meanings === undefined) return undefined;
		for (let scope = at.above; scope !== null; scope = scope.above) {
			const here = meanings.get(scope.node);
			if (here !== undefined) return here;
		}
		return undefined;
	}

	#read(at: PlacedNode, textOf: (node: SyntaxNode) => string | null): string | null {
		const { node } = at;
		const parts = partsOf(node);
		if (parts !== null) {
			const texts = parts.map((part) => (typeof part === "string" ? part : textOf(part)));
			return texts.includes(null) ? null : texts.join("");
		}
		if (node.type !== "Identifier") return null;
		const meaning = this.meaningOf(at);
		return meaning == null ? null : this.of(meaning, 1);
	}
}

/** What an expression puts together, in order; null for anything else. */
function partsOf(node: SyntaxNode): readonly (SyntaxNode | string)[] | null {
	const inner = WRAPPER.test(node.type) ? nodeIn(node, "expression") : null;
	if (inner !== null) return [inner];
	const [left, right] = [nodeIn(node, "left"), nodeIn(node, "right")];
	switch (node.type) {
		case "StringLiteral":
			return [textIn(node, "value")];
		case "BinaryExpression":
			return node["operator"] === "+" && left !== null && right !== null ? [left, right] : null;
		case "TemplateLiteral": {
			const expressions = nodesIn(node, "expressions");
			return nodesIn(node, "quasis").flatMap((quasi, index) => [
				cookedOf(quasi),
				...expressions.slice(index, index + 1),
			]);
		}
		case "CallExpression":
			return joined(node);
		default:
			return null;
	}
}

function cookedOf({ value }: SyntaxNode): string {
	return typeof value === "object" && value !== null && "cooked" in value
		? String(value.cooked)
		: "";
}

/** `["a", "b"].join("")` and `"a".concat("b")`. */
function joined(node: SyntaxNode): readonly (SyntaxNode | string)[] | null {
	const callee = nodeIn(node, "callee");
	const object = callee === null ? null : nodeIn(callee, "object");
	if (callee === null || object === null || callee["computed"] === true) return null;
	const name = textIn(nodeIn(callee, "property"), "name");
	const args = nodesIn(node, "arguments");
	if (name === "concat" && object.type !== "ArrayExpression") return [object, ...args];
	if (name !== "join" || object.type !== "ArrayExpression" || args[0]?.type !== "StringLiteral")
		return null;
	const between = textIn(args[0], "value");
	return nodesIn(object, "elements").flatMap((each, index) =>
		index === 0 ? [each] : [between, each],
	);
}

function meaningsIn(placed: readonly PlacedNode[]): ReadonlyMap<string, Meanings> {
	const found = new Map<string, Map<SyntaxNode, PlacedNode | null>>();
	const changed = changedIn(placed);
	const bind = (name: string, value: PlacedNode | null, scope: SyntaxNode): void => {
		const all = found.get(name) ?? new Map<SyntaxNode, PlacedNode | null>();
		all.set(scope, value);
		found.set(name, all);
	};
	for (const at of placed) {
		const { node } = at;
		for (const name of [...nodesIn(node, "params"), nodeIn(node, "param")].flatMap(boundIn))
			bind(name, null, node);
		if (/^Import\w*Specifier$/.test(node.type))
			bind(textIn(nodeIn(node, "local"), "name"), at, scopeOf(at));
		if (!DECLARES.test(node.type)) continue;
		const value = declaredValue(at, changed);
		for (const name of boundIn(nodeIn(node, "id"))) bind(name, value, scopeOf(at));
	}
	return found;
}

/** What a declared name stands for in any case; null where it may change, or is a part of something. */
function declaredValue(at: PlacedNode, changed: ReadonlySet<string>): PlacedNode | null {
	const [id, init] = [nodeIn(at.node, "id"), nodeIn(at.node, "init")];
	if (id?.type !== "Identifier" || init === null) return null;
	const isFixed = at.above?.node["kind"] === "const" || !changed.has(textIn(id, "name"));
	return isFixed ? { node: init, above: at } : null;
}

const DECLARES = /^(?:VariableDeclarator|FunctionDeclaration|ClassDeclaration)$/;

/** Names that get another value after their declaration. */
function changedIn(placed: readonly PlacedNode[]): ReadonlySet<string> {
	return new Set(
		placed.flatMap(({ node }) => {
			if (node.type === "AssignmentExpression") return boundIn(nodeIn(node, "left"));
			return node.type === "UpdateExpression" ? boundIn(nodeIn(node, "argument")) : [];
		}),
	);
}

/** The node in which a declaration holds: the block, or the loop, that it stands in. */
function scopeOf(declared: PlacedNode): SyntaxNode {
	let at = declared;
	while (at.above !== null && (at === declared || /^(?:Variable|Export|Import)/.test(at.node.type)))
		at = at.above;
	return at.node;
}

/** The names that a pattern binds. */
function boundIn(pattern: SyntaxNode | null): string[] {
	if (pattern === null) return [];
	switch (pattern.type) {
		case "Identifier":
			return [textIn(pattern, "name")];
		case "ObjectPattern":
			return nodesIn(pattern, "properties").flatMap(boundIn);
		case "ObjectProperty":
			return boundIn(nodeIn(pattern, "value"));
		case "ArrayPattern":
			return nodesIn(pattern, "elements").flatMap(boundIn);
		case "AssignmentPattern":
			return boundIn(nodeIn(pattern, "left"));
		case "RestElement":
			return boundIn(nodeIn(pattern, "argument"));
		case "TSParameterProperty":
			return boundIn(nodeIn(pattern, "parameter"));
		default:
			return [];
	}
}
