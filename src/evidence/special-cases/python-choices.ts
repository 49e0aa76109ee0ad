import { linesIn, nodesOf, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { pythonName } from "../test-shape/python-assertion.ts";
import { type Choice, type Literal, onlyBetween } from "./choice.ts";

type Found = Omit<Choice, "line">;

/** Where Python tells values from others. */
export function pythonChoices(tree: SyntaxNode, text: string): Choice[] {
	const lineOf = linesIn(text);
	return [...nodesOf(tree)].flatMap(({ node, above }) =>
		choicesIn(node, above?.node ?? null).map((found) => {
			return { ...found, line: lineOf(node.start) };
		}),
	);
}

function choicesIn(node: SyntaxNode, parent: SyntaxNode | null): Found[] {
	switch (node.type) {
		case "Compare":
			return compared(node, parent);
		case "MatchValue":
			return one(literalOf(nodeIn(node, "value")), null);
		case "Call":
			return affix(pythonName(node), literalOf(nodesIn(node, "args")[0] ?? null));
		case "Dict": {
			const values = nodesIn(node, "values").map(literalOf);
			return nodesIn(node, "keys").flatMap((key, at): Found[] => {
				const [value, result] = [literalOf(key), values[at] ?? null];
				return value === null || result === null
					? []
					: [{ values: [value], result, form: "entry" }];
			});
		}
		default:
			return [];
	}
}

function affix(name: string, value: Literal | null): Found[] {
	if (value === null || !/^(?:startswith|endswith)$/.test(name)) return [];
	return [{ values: [value], result: null, form: name === "startswith" ? "start" : "end" }];
}

/** Attributes that have a few known values in any program. */
const KNOWN = /^(?:code|name|type|kind|method|status|status_code|key|errno|message|__name__)$/;

function compared(node: SyntaxNode, parent: SyntaxNode | null): Found[] {
	const [operator, second] = Array.isArray(node["ops"]) ? (node["ops"] as readonly unknown[]) : [];
	const [right = null, last = null] = nodesIn(node, "comparators");
	const left = nodeIn(node, "left");
	if (left === null || right === null) return [];
	if (/^(?:In|NotIn)$/.test(String(operator))) return list(right);
	const only = onlyBetween([
		{ value: literalOf(left), operator: SIGNS.get(String(operator)) ?? "" },
		{ value: literalOf(last), operator: TURNED.get(String(second)) ?? "" },
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

/** The signs of comparisons whose sides change places. */
const TURNED: ReadonlyMap<string, string> = new Map([
	["Lt", ">"],
	["LtE", ">="],
	["Gt", "<"],
	["GtE", "<="],
]);

/** What is given where a condition holds. */
function resultOf(test: SyntaxNode, parent: SyntaxNode | null): Literal | null {
	if (parent === null || parent["test"] !== test) return null;
	if (parent.type === "IfExp") return literalOf(nodeIn(parent, "body"));
	const [first] = nodesIn(parent, "body");
	return first?.type === "Return" ? literalOf(nodeIn(first, "value")) : null;
}

function one(value: Literal | null, result: Literal | null): Found[] {
	return value === null ? [] : [{ values: [value], result, form: "comparison" }];
}

function list(node: SyntaxNode): Found[] {
	const elements = /^(?:List|Tuple|Set)$/.test(node.type) ? nodesIn(node, "elts") : [];
	const values = elements.map(literalOf).filter((value) => value !== null);
	return values.length === 0 || values.length < elements.length
		? []
		: [{ values, result: null, form: "list" }];
}

function literalOf(node: SyntaxNode | null): Literal | null {
	const value = node?.type === "Constant" ? node["value"] : null;
	return typeof value === "number" || (typeof value === "string" && node?.["of"] === "str")
		? value
		: null;
}
