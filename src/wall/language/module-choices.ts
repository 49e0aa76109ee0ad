import type { PlacedNode, SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import {
	affix,
	type BindingReader,
	type Bound,
	type Choice,
	calculated,
	choicesAt,
	conjunction,
	entry,
	type Found,
	joinedValues,
	type Literal,
	listed,
	nameOf,
	numeric,
	one,
	onlyBetween,
	plainTree,
	rowOf,
	turned,
} from "./choice.ts";
import { bare, calledBy, chainOf, endingProperty } from "./module-chain.ts";

/** Places where code tells values from others, by its syntax tree. */
export function moduleChoices(tree: SyntaxNode, text: string): Choice[] {
	const plainly = plainTree(tree, plain, bindings);
	return choicesAt(text, [tree, choicesIn], [plainly, conjunctions]);
}

function plain(node: SyntaxNode): SyntaxNode {
	if (node.type === "BinaryExpression") return plainOperation(node);
	const [argument] = nodesIn(node, "arguments");
	if (!/^(?:Optional)?CallExpression$/.test(node.type) || argument === undefined) return node;
	const { start, end } = node;
	const { name } = calledBy(node);
	if (/^(?:String|Number|BigInt|parseInt)$/.test(name))
		return literalOf(argument) === null ? node : { ...argument, start, end };
	const left = /^(?:includes|has)$/.test(name) ? onlyElement(nodeIn(node, "callee")) : null;
	if (left === null) return node;
	return { type: "BinaryExpression", start, end, operator: "===", left, right: argument };
}

function plainOperation(node: SyntaxNode): SyntaxNode {
	const { start, end } = node;
	const operator = textIn(node, "operator");
	const [left, right] = [nodeIn(node, "left"), nodeIn(node, "right")];
	const value = calculated(operator, literalOf(left), literalOf(right));
	if (value !== null)
		return {
			type: typeof value === "number" ? "NumericLiteral" : "StringLiteral",
			start,
			end,
			value,
		};
	const isLogical = operator === "&" || operator === "|";
	return isLogical ? { ...node, type: "LogicalExpression", operator: operator.repeat(2) } : node;
}

function onlyElement(callee: SyntaxNode | null): SyntaxNode | null {
	const owner = callee && nodeIn(bare(callee), "object");
	const list = owner && bare(owner);
	const items = list?.type === "NewExpression" ? nodesIn(list, "arguments")[0] : list;
	const elements = items ? nodesIn(items, "elements") : [];
	return elements.length === 1 ? (elements[0] ?? null) : null;
}

const bindings: BindingReader = (node) => {
	const [id, init] = [nodeIn(node, "id"), nodeIn(node, "init")];
	if (id?.type === "ArrayPattern") {
		const values = init === null ? [] : nodesIn(init, "elements");
		return nodesIn(id, "elements").map((each, at) => [nameOf(each), values[at] ?? null]);
	}
	if (node.type === "VariableDeclarator") return [[nameOf(id), init]];
	const isSet = /^(?:Assignment|Update)/.test(node.type);
	const set = isSet ? [nodeIn(node, "left") ?? nodeIn(node, "argument")] : nodesIn(node, "params");
	return set.map((each) => [nameOf(each), null]);
};

function conjunctions(placed: PlacedNode): Found[] {
	const { node } = placed;
	if (/^(?:String|Template)Literal$/.test(node.type)) {
		const text = String(literalOf(node) ?? "");
		return [...conjunction(joinedValues(text), placed, () => []), ...rowOf([text])];
	}
	const isGiven = placed.above?.node.type === "ReturnStatement";
	if (node.type === "ArrayExpression" && !isGiven)
		return rowOf(nodesIn(node, "elements").map(literalOf));
	return conjunction(askedIn(node), placed, narrowed);
}

function askedIn(node: SyntaxNode): readonly Literal[] {
	if (node.type === "SwitchCase") return valuesIn(nodeIn(node, "test"));
	if (node.type === "ObjectProperty") return keysIn(node);
	return [...given(node, true), ...(node.type === "BinaryExpression" ? given(node, false) : [])];
}

const valuesIn = (node: SyntaxNode | null): Literal[] => [literalOf(node) ?? []].flat();
const numbersIn = (node: SyntaxNode | null): Literal[] =>
	valuesIn(node).filter((value) => typeof value === "number");
const keysIn = (property: SyntaxNode): Literal[] =>
	valuesIn(nodeIn(property, "key"))
		.map(numeric)
		.filter((value) => typeof value === "number");

function given(condition: SyntaxNode | null, outcome: boolean): readonly Literal[] {
	if (condition === null) return [];
	const node = bare(condition);
	const operator = textIn(node, "operator");
	switch (node.type) {
		case "UnaryExpression":
			return operator === "!" ? given(nodeIn(node, "argument"), !outcome) : [];
		case "LogicalExpression":
			return (operator === "&&") === outcome
				? [...given(nodeIn(node, "left"), outcome), ...given(nodeIn(node, "right"), outcome)]
				: [];
		case "BinaryExpression":
			return operator.startsWith("=") === outcome && /^[!=]==?$/.test(operator)
				? comparison(node, null).flatMap(({ values }) => values)
				: [];
		case "CallExpression": {
			const { name, owner } = calledBy(node);
			const isEqual = outcome && name === "is" && owner === "Object";
			return isEqual ? nodesIn(node, "arguments").flatMap(valuesIn) : [];
		}
		default:
			return [];
	}
}

function narrowed(parent: SyntaxNode, child: SyntaxNode): readonly Literal[] {
	const field = Object.keys(parent).find((name) => parent[name] === child);
	switch (parent.type) {
		case "IfStatement":
		case "ConditionalExpression":
			return field === "test" ? [] : given(nodeIn(parent, "test"), field === "consequent");
		case "LogicalExpression":
			return field === "right"
				? given(nodeIn(parent, "left"), textIn(parent, "operator") === "&&")
				: [];
		case "SwitchCase":
			return field === "test" ? [] : numbersIn(nodeIn(parent, "test"));
		case "ObjectProperty":
			return field === "value" ? keysIn(parent) : [];
		case "BlockStatement":
			return afterGuards(nodesIn(parent, "body"), child);
		default:
			return [];
	}
}

const LEAVES = /^(?:Return|Throw|Continue|Break)Statement$/;

/** Values that are known behind conditions that leave the block. */
function afterGuards(body: readonly SyntaxNode[], child: SyntaxNode): readonly Literal[] {
	return body.slice(0, body.indexOf(child)).flatMap((node) => {
		const then = nodeIn(node, "consequent");
		const last = then?.type === "BlockStatement" ? nodesIn(then, "body").at(-1) : then;
		const isGuard = node.type === "IfStatement" && LEAVES.test(last?.type ?? "");
		return isGuard ? given(nodeIn(node, "test"), false) : [];
	});
}

function choicesIn({ node, above }: PlacedNode): Found[] {
	const parent = above?.node ?? null;
	switch (node.type) {
		case "BinaryExpression":
			return /^[!=]==?$/.test(textIn(node, "operator")) ? comparison(node, parent) : [];
		case "LogicalExpression":
			return range(node, parent);
		case "SwitchCase":
			return one(literalOf(nodeIn(node, "test")), returned(nodesIn(node, "consequent")[0] ?? null));
		case "CallExpression":
			return call(node);
		case "NewExpression":
			return list(nodesIn(node, "arguments")[0] ?? null);
		case "ObjectProperty":
			return entry(keyOf(node), literalOf(nodeIn(node, "value")));
		case "ArrayExpression": {
			const [key = null, value = null, ...more] = nodesIn(node, "elements").map(literalOf);
			return more.length > 0 ? [] : entry(key, value);
		}
		default:
			return [];
	}
}

function range(node: SyntaxNode, parent: SyntaxNode | null): Found[] {
	if (textIn(node, "operator") !== "&&") return [];
	const only = onlyBetween(["left", "right"].map((side) => boundOf(nodeIn(node, side))));
	const then = parent?.["test"] === node ? nodeIn(parent, "consequent") : null;
	return one(only, returned(then));
}

function boundOf(node: SyntaxNode | null): Bound {
	const operator = textIn(node, "operator");
	if (node === null || !/^[<>]=?$/.test(operator)) return { value: null, operator: "" };
	const value = literalOf(nodeIn(node, "left"));
	if (value !== null) return { value, operator };
	return { value: literalOf(nodeIn(node, "right")), operator: turned(operator) };
}

const KNOWN = /^(?:code|name|type|kind|method|status|statusCode|key|message|constructor|nodeType)$/;

function comparison(node: SyntaxNode, parent: SyntaxNode | null): Found[] {
	const sides = [nodeIn(node, "left"), nodeIn(node, "right")];
	const literals = sides.map(literalOf);
	const value = literals.find((each) => each !== null) ?? null;
	const other = sides[literals[0] === null ? 0 : 1] ?? null;
	if (!literals.includes(null) || other === null) return [];
	if (KNOWN.test(endingProperty(other) ?? "")) return [];
	const then = parent?.["test"] === node ? nodeIn(parent, "consequent") : null;
	return one(value, returned(then));
}

function returned(branch: SyntaxNode | null): Literal | null {
	if (branch?.type === "BlockStatement") return returned(nodesIn(branch, "body")[0] ?? null);
	return literalOf(branch?.type === "ReturnStatement" ? nodeIn(branch, "argument") : branch);
}

function call(node: SyntaxNode): Found[] {
	const { name } = calledBy(node);
	const value = literalOf(nodesIn(node, "arguments")[0] ?? null);
	if (/^(?:includes|indexOf|some|find)$/.test(name)) {
		const { links, root } = chainOf(node);
		return links.length > 1 ? list(root) : [];
	}
	if (/^(?:test|exec)$/.test(name)) return alternatives(chainOf(node).root);
	if (/^(?:equals|localeCompare)$/.test(name)) return one(value, null);
	if (name === "startsWith") return affix("start", value);
	return name === "endsWith" ? affix("end", value) : [];
}

const list = (node: SyntaxNode | null): Found[] =>
	node?.type === "ArrayExpression" ? listed(nodesIn(node, "elements").map(literalOf)) : [];

function alternatives(node: SyntaxNode): Found[] {
	const pattern = node.type === "RegExpLiteral" ? textIn(node, "pattern") : "";
	const [, inner] = /^\^(?:\((?:\?:)?)?([^()[\]\\*+.?{}]+)\)?\$$/.exec(pattern) ?? [];
	return listed(inner?.split("|") ?? []);
}

function keyOf(property: SyntaxNode): Literal | null {
	const key = nodeIn(property, "key");
	if (key === null || property["computed"] === true) return null;
	return textIn(key, "name") || literalOf(key);
}

function literalOf(node: SyntaxNode | null): Literal | null {
	if (node === null) return null;
	if (node.type === "TemplateLiteral" && nodesIn(node, "expressions").length === 0) {
		const raw = nodesIn(node, "quasis")[0]?.["value"];
		return typeof raw === "object" && raw !== null && "cooked" in raw ? String(raw.cooked) : null;
	}
	if (node.type === "UnaryExpression" && textIn(node, "operator") === "-") {
		const positive = literalOf(nodeIn(node, "argument"));
		return typeof positive === "number" ? -positive : null;
	}
	const value = node["value"];
	if (node.type === "StringLiteral" && typeof value === "string") return value;
	return node.type === "NumericLiteral" && typeof value === "number" ? value : null;
}
