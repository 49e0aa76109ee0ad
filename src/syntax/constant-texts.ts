import type { PlacedNode, SyntaxNode } from "./module-syntax.ts";
import { nodeIn, nodesIn, textIn, WRAPPERS } from "./node-fields.ts";

/** Values of a name by the node in which it holds; null where that depends, as for a parameter. */
type Meanings = ReadonlyMap<SyntaxNode, PlacedNode | null>;

/** Longest text that is put together. In UTF-16 units. */
const LONGEST = 200;

const DEEPEST = 100;

/** The texts that expressions of a module have in any case: literals, what is made of them, names that stand for them. */
export class ConstantTexts {
	readonly #meanings: ReadonlyMap<string, Meanings>;
	/** Nodes in which some name holds. */
	readonly #scopes: ReadonlySet<SyntaxNode>;
	/** The next of them above a node; null where there is none. */
	readonly #scopeAbove = new Map<PlacedNode, PlacedNode | null>();
	readonly #known = new Map<SyntaxNode, string | null>();

	/** @param placed all nodes of the module */
	constructor(placed: readonly PlacedNode[]) {
		this.#meanings = meaningsIn(placed);
		this.#scopes = new Set([...this.#meanings.values()].flatMap((each) => [...each.keys()]));
		// Each name is read after those that it is made of, so that no chain of names is too long.
		for (const at of placed) {
			const init = at.node.type === "VariableDeclarator" ? nodeIn(at.node, "init") : null;
			if (init !== null) this.of({ node: init, above: at });
		}
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
		const text = this.#read(at, depth + 1);
		const short = text === null || text.length > LONGEST ? null : text;
		this.#known.set(at.node, short);
		return short;
	}

	/** Value of a name where it is used; null where that depends, undefined where the module does not say it. */
	meaningOf(at: PlacedNode): PlacedNode | null | undefined {
		const meanings = this.#meanings.get(textIn(at.node, "name"));
		if (meanings === undefined) return undefined;
		for (let scope = this.#scopeOver(at); scope !== null; scope = this.#scopeOver(scope)) {
			const here = meanings.get(scope.node);
			if (here !== undefined) return here;
		}
		return undefined;
	}

	/** Every node is passed once, however many names stand below it. */
	#scopeOver({ above }: PlacedNode): PlacedNode | null {
		const passed: PlacedNode[] = [];
		let scope = above;
		while (scope !== null && !this.#scopes.has(scope.node) && !this.#scopeAbove.has(scope)) {
			passed.push(scope);
			scope = scope.above;
		}
		if (scope !== null && !this.#scopes.has(scope.node))
			scope = this.#scopeAbove.get(scope) ?? null;
		for (const each of passed) this.#scopeAbove.set(each, scope);
		return scope;
	}

	#read(at: PlacedNode, depth: number): string | null {
		const { node } = at;
		const parts = partsOf(node);
		if (parts !== null) {
			const texts = parts.map((part) =>
				typeof part === "string" ? part : this.of({ node: part, above: at }, depth),
			);
			return texts.includes(null) ? null : texts.join("");
		}
		if (node.type !== "Identifier") return null;
		const meaning = this.meaningOf(at);
		return meaning == null ? null : this.of(meaning, depth);
	}
}

function partsOf(node: SyntaxNode): readonly (SyntaxNode | string)[] | null {
	const inner = WRAPPERS.test(node.type) ? nodeIn(node, "expression") : null;
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

// A name that may change, or is a part of something, has none.
function declaredValue(at: PlacedNode, changed: ReadonlySet<string>): PlacedNode | null {
	const [id, init] = [nodeIn(at.node, "id"), nodeIn(at.node, "init")];
	if (id?.type !== "Identifier" || init === null) return null;
	const isFixed = at.above?.node["kind"] === "const" || !changed.has(textIn(id, "name"));
	return isFixed ? { node: init, above: at } : null;
}

const DECLARES = /^(?:VariableDeclarator|FunctionDeclaration|ClassDeclaration)$/;

// Only a `var` can be declared more than once.
function changedIn(placed: readonly PlacedNode[]): ReadonlySet<string> {
	const changed = new Set<string>();
	const declared = new Set<string>();
	for (const at of placed) {
		const { node } = at;
		for (const name of boundIn(nodeIn(node, CHANGES[node.type] ?? ""))) changed.add(name);
		if (!isVar(at)) continue;
		for (const name of boundIn(nodeIn(node, "id")))
			if (declared.has(name)) changed.add(name);
			else declared.add(name);
	}
	return changed;
}

// A loop that declares what it changes binds no name there.
const CHANGES: Readonly<Record<string, string>> = {
	AssignmentExpression: "left",
	ForInStatement: "left",
	ForOfStatement: "left",
	UpdateExpression: "argument",
};

const isVar = ({ node, above }: PlacedNode): boolean =>
	node.type === "VariableDeclarator" && above?.node["kind"] === "var";

const OVER_BLOCK = /^(?:Variable|Export|Import)/;
const OVER_VAR = /^(?!Program$|.*Function|.*Method|StaticBlock$)/;

function scopeOf(declared: PlacedNode): SyntaxNode {
	const over = isVar(declared) ? OVER_VAR : OVER_BLOCK;
	let at = declared;
	while (at.above !== null && (at === declared || over.test(at.node.type))) at = at.above;
	return at.node;
}

function boundIn(pattern: SyntaxNode | null): string[] {
	if (pattern === null) return [];
	// `(name as any) = value` changes the name.
	if (WRAPPERS.test(pattern.type)) return boundIn(nodeIn(pattern, "expression"));
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
