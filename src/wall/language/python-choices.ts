import type { PlacedNode, SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import {
	affix,
	type BindingReader,
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
	one,
	onlyBetween,
	plainTree,
	rowOf,
	turned,
} from "./choice.ts";
import { pythonName } from "./python-nodes.ts";

/** The same of Python. */
export function pythonChoices(tree: SyntaxNode, text: string): Choice[] {
	const plainly = plainTree(tree, plain, bindings);
	return choicesAt(text, [tree, choicesIn], [plainly, conjunctions]);
}

const ARITHMETIC: ReadonlyMap<unknown, string> = new Map([
	["Add", "+"],
	["Sub", "-"],
	["Mult", "*"],
]);

function plain(node: SyntaxNode): SyntaxNode {
	switch (node.type) {
		case "BinOp":
			return plainOperation(node);
		case "Call": {
			const [argument = null] = nodesIn(node, "args");
			const isCast = /^(?:str|int|float)$/.test(nameOf(nodeIn(node, "func")));
			return isCast && argument !== null && literalOf(argument) !== null ? argument : node;
		}
		case "Compare": {
			const isLook = /^(?:Not)?In$/.test(String(node["ops"]));
			if (!isLook || literalOf(nodesIn(node, "comparators")[0] ?? null) === null) return node;
			return { ...node, ops: [String(node["ops"]).replace("In", "Eq")] };
		}
		case "Set":
		case "List":
		case "Tuple": {
			const [only, ...more] = nodesIn(node, "elts");
			if (only === undefined || more.length > 0) return node;
			return nameOf(only) !== "" || literalOf(only) !== null ? only : node;
		}
		default:
			return node;
	}
}

function plainOperation(node: SyntaxNode): SyntaxNode {
	const { start, end } = node;
	const values = [nodeIn(node, "left"), nodeIn(node, "right")];
	const operator = String(node["op"]);
	const [left = null, right = null] = values.map(literalOf);
	const value = calculated(ARITHMETIC.get(operator) ?? "", left, right);
	if (value !== null)
		return { type: "Constant", start, end, value, of: typeof value === "string" ? "str" : "int" };
	const isLogical = /^Bit(?:And|Or)$/.test(operator);
	return isLogical ? { type: "BoolOp", start, end, op: operator.slice(3), values } : node;
}

const bindings: BindingReader = (node) => {
	const target = nodesIn(node, "targets")[0] ?? nodeIn(node, "target");
	const value = /^(?:Assign|AnnAssign|NamedExpr)$/.test(node.type) ? nodeIn(node, "value") : null;
	if (node.type === "arg") return [[textIn(node, "arg"), null]];
	if (target?.type !== "Tuple") return target === null ? [] : [[nameOf(target), value]];
	const values = value === null ? [] : nodesIn(value, "elts");
	return nodesIn(target, "elts").map((each, at) => [nameOf(each), values[at] ?? null]);
};

function conjunctions(placed: PlacedNode): Found[] {
	const { node, above } = placed;
	if (node.type === "Constant") {
		const text = String(node["of"] === "str" ? literalOf(node) : "");
		return [...conjunction(joinedValues(text), placed, () => []), ...rowOf([text])];
	}
	if (/^(?:Tuple|List)$/.test(node.type)) {
		const together = node.type === "Tuple" && isLookedUp(node, above) ? tupleIn(node) : [];
		const row = above?.node.type === "Return" ? [] : nodesIn(node, "elts").map(literalOf);
		return [...conjunction(together, placed, narrowed), ...rowOf(row)];
	}
	if (node.type === "Dict") {
		const keys = nodesIn(node, "keys").flatMap(numbersIn);
		return keys.flatMap((key) => conjunction([key], placed, narrowed));
	}
	const own = /^Match(?:Value|Sequence)$/.test(node.type) ? patternIn(node) : equals(node);
	return conjunction(own, placed, narrowed);
}

const valuesIn = (node: SyntaxNode | null): Literal[] => [literalOf(node) ?? []].flat();
const numbersIn = (node: SyntaxNode | null): Literal[] =>
	valuesIn(node).filter((value) => typeof value === "number");

function tupleIn(node: SyntaxNode | null): Literal[] {
	const elements = /^(?:Tuple|List)$/.test(node?.type ?? "") && node ? nodesIn(node, "elts") : [];
	const values = elements.flatMap(valuesIn);
	return values.length === elements.length ? values : [];
}

function isLookedUp(tuple: SyntaxNode, above: PlacedNode | null): boolean {
	let at = above;
	while (at !== null && /^(?:Tuple|List|Set)$/.test(at.node.type)) at = at.above;
	if (at?.node.type === "Dict") return nodesIn(at.node, "keys").includes(tuple);
	if (at?.node.type === "Compare") return at !== above;
	return at?.node.type === "Subscript";
}

function equals(node: SyntaxNode): Literal[] {
	const [operator, ...more] = Array.isArray(node["ops"]) ? (node["ops"] as readonly unknown[]) : [];
	if (node.type !== "Compare" || more.length > 0) return [];
	if (!/^(?:Eq|NotEq)$/.test(String(operator))) return [];
	const sides = [nodeIn(node, "left"), ...nodesIn(node, "comparators")];
	const single = compared(node, null).flatMap(({ values }) => values);
	return single.length > 0 ? single : sides.flatMap(tupleIn);
}

function patternIn(node: SyntaxNode | null): Literal[] {
	if (node?.type === "MatchSequence") return nodesIn(node, "patterns").flatMap(patternIn);
	return node?.type === "MatchValue" ? valuesIn(nodeIn(node, "value")) : [];
}

function given(condition: SyntaxNode | null, outcome: boolean): readonly Literal[] {
	if (condition === null) return [];
	switch (condition.type) {
		case "UnaryOp":
			return condition["op"] === "Not" ? given(nodeIn(condition, "operand"), !outcome) : [];
		case "BoolOp":
			return (condition["op"] === "And") === outcome
				? nodesIn(condition, "values").flatMap((each) => given(each, outcome))
				: [];
		case "Compare":
			return String(condition["ops"]).startsWith("Eq") === outcome ? equals(condition) : [];
		default:
			return [];
	}
}

function narrowed(parent: SyntaxNode, child: SyntaxNode): readonly Literal[] {
	const isIn = (field: string): boolean =>
		parent[field] === child || nodesIn(parent, field).includes(child);
	const before = ["body", "orelse"].flatMap((field) => afterGuards(nodesIn(parent, field), child));
	switch (parent.type) {
		case "If":
		case "IfExp":
			return isIn("test") ? [] : [...given(nodeIn(parent, "test"), isIn("body")), ...before];
		case "BoolOp": {
			const values = nodesIn(parent, "values");
			const outcome = parent["op"] === "And";
			return values.slice(0, values.indexOf(child)).flatMap((each) => given(each, outcome));
		}
		case "match_case": {
			const known = patternIn(nodeIn(parent, "pattern"));
			return isIn("pattern") ? [] : known.filter((value) => typeof value === "number");
		}
		case "Dict":
			return numbersIn(nodesIn(parent, "keys")[nodesIn(parent, "values").indexOf(child)] ?? null);
		default:
			return before;
	}
}

/** Values that are known behind conditions that leave the block. */
function afterGuards(body: readonly SyntaxNode[], child: SyntaxNode): readonly Literal[] {
	return body.slice(0, Math.max(0, body.indexOf(child))).flatMap((node) => {
		const last = nodesIn(node, "body").at(-1)?.type ?? "";
		const isGuard = node.type === "If" && /^(?:Return|Raise|Continue|Break)$/.test(last);
		return isGuard ? given(nodeIn(node, "test"), false) : [];
	});
}

function choicesIn({ node, above }: PlacedNode): Found[] {
	switch (node.type) {
		case "Compare":
			return compared(node, above?.node ?? null);
		case "MatchValue":
			return one(literalOf(nodeIn(node, "value")), null);
		case "Call":
			return called(pythonName(node), literalOf(nodesIn(node, "args")[0] ?? null));
		case "Dict": {
			const values = nodesIn(node, "values").map(literalOf);
			return nodesIn(node, "keys").flatMap((key, at) => entry(literalOf(key), values[at] ?? null));
		}
		default:
			return [];
	}
}

function called(name: string, value: Literal | null): Found[] {
	if (name === "startswith") return affix("start", value);
	return name === "endswith" ? affix("end", value) : [];
}

const KNOWN = /^(?:code|name|type|kind|method|status|status_code|key|errno|message|__name__)$/;

function compared(node: SyntaxNode, parent: SyntaxNode | null): Found[] {
	const [operator, second] = Array.isArray(node["ops"]) ? (node["ops"] as readonly unknown[]) : [];
	const [right = null, last = null] = nodesIn(node, "comparators");
	const left = nodeIn(node, "left");
	if (left === null || right === null) return [];
	if (/^(?:In|NotIn)$/.test(String(operator))) return list(right);
	const only = onlyBetween([
		{ value: literalOf(left), operator: SIGNS.get(String(operator)) ?? "" },
		{ value: literalOf(last), operator: turned(SIGNS.get(String(second)) ?? "") },
	]);
	if (only !== null) return one(only, resultOf(node, parent));
	if (!/^(?:Eq|NotEq)$/.test(String(operator))) return [];
	const [first, other] = [literalOf(left), literalOf(right)];
	const looked = first === null ? left : right;
	if ((first === null) === (other === null)) return [];
	if (KNOWN.test(textIn(looked, "attr") || textIn(looked, "id"))) return [];
	return one(first ?? other, resultOf(node, parent));
}

const SIGNS: ReadonlyMap<string, string> = new Map([
	["Lt", "<"],
	["LtE", "<="],
	["Gt", ">"],
	["GtE", ">="],
]);

function resultOf(test: SyntaxNode, parent: SyntaxNode | null): Literal | null {
	if (parent === null || parent["test"] !== test) return null;
	if (parent.type === "IfExp") return literalOf(nodeIn(parent, "body"));
	const [first] = nodesIn(parent, "body");
	return first?.type === "Return" ? literalOf(nodeIn(first, "value")) : null;
}

const list = (node: SyntaxNode): Found[] =>
	/^(?:List|Tuple|Set)$/.test(node.type) ? listed(nodesIn(node, "elts").map(literalOf)) : [];

function literalOf(node: SyntaxNode | null): Literal | null {
	if (node?.type === "UnaryOp" && node["op"] === "USub") {
		const positive = literalOf(nodeIn(node, "operand"));
		return typeof positive === "number" ? -positive : null;
	}
	const value = node?.type === "Constant" ? node["value"] : null;
	return typeof value === "number" || (typeof value === "string" && node?.["of"] === "str")
		? value
		: null;
}
