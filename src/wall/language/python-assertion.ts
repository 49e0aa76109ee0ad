import {
	childrenOf,
	nodesOf,
	type PlacedNode,
	type SyntaxNode,
} from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { ASSERTING, type Said, throughHelper, unspaced } from "./test-shape.ts";

/** The last name of an expression: `raises` of `pytest.raises(ValueError)`. */
export function pythonName(expression: SyntaxNode): string {
	const node = expression.type === "Call" ? (nodeIn(expression, "func") ?? expression) : expression;
	return textIn(node, "attr") || textIn(node, "id");
}

/**
 * Reads an assertion; null if the node is none.
 *
 * @param isOwn whether a call is of a function of the project
 */
export function readPythonAssertion(
	{ node, above }: PlacedNode,
	text: string,
	isOwn: (call: SyntaxNode) => boolean,
): Said | null {
	if (node.type === "Assert") {
		const test = nodeIn(node, "test");
		return test === null ? null : ofCondition(test, text);
	}
	if (node.type !== "Call") return null;
	const name = pythonName(node);
	if (/^(?:raises|warns|deprecated_call|assertRaises\w*|assertWarns\w*)$/.test(name))
		return ofException(above);
	if (!ASSERTING.test(name)) return null;
	return isOwn(node) ? throughHelper(name) : ofCall(node, name, text);
}

/** Tells whether a condition is true or false in any case; null where it depends. */
export function pythonTruth(node: SyntaxNode): boolean | null {
	switch (node.type) {
		case "Constant":
			return Boolean(node["value"]) || node["of"] === "ellipsis";
		case "Tuple":
		case "List":
		case "Set":
			return nodesIn(node, "elts").length > 0;
		case "Dict":
			return nodesIn(node, "keys").length > 0;
		case "Lambda":
		case "GeneratorExp":
			return true;
		case "UnaryOp": {
			const operand = nodeIn(node, "operand");
			const truth = node["op"] === "Not" && operand !== null ? pythonTruth(operand) : null;
			return truth === null ? null : !truth;
		}
		case "BoolOp": {
			const values = nodesIn(node, "values").map(pythonTruth);
			if (node["op"] === "Or" && values.includes(true)) return true;
			return node["op"] === "And" && values.includes(false) ? false : null;
		}
		default:
			return null;
	}
}

function isConstant(node: SyntaxNode): boolean {
	if (node.type === "Constant") return true;
	const isMade = /^(?:Tuple|List|Set|Dict|UnaryOp|BinOp|BoolOp|Compare)$/.test(node.type);
	return isMade && childrenOf(node).every(isConstant);
}

const isCalling = (node: SyntaxNode): boolean =>
	[...nodesOf(node)].some(({ node: each }) => /^(?:Call|Await|Yield)$/.test(each.type));

const textOf = (node: SyntaxNode | undefined, text: string): string =>
	node === undefined ? "" : unspaced(text.slice(node.start, node.end));

export function elementsIn(node: SyntaxNode | undefined): number {
	if (node === undefined) return 1;
	if (/^(?:Tuple|List|Dict|Set)$/.test(node.type))
		return Math.max(1, nodesIn(node, "elts").length, nodesIn(node, "keys").length);
	const args = node.type === "Call" ? nodesIn(node, "args") : [];
	return args.every(isConstant) ? Math.max(1, args.length) : 1;
}

function ofCondition(test: SyntaxNode, text: string): Said {
	const [operator] = Array.isArray(test["ops"]) ? (test["ops"] as readonly unknown[]) : [];
	const [left, [expected]] = [nodeIn(test, "left"), nodesIn(test, "comparators")];
	if (left === null || expected === undefined)
		// What is always false always fails.
		return {
			weight: 1,
			through: null,
			flaw: (pythonTruth(test) ?? isConstant(test)) ? "constant" : null,
		};
	const isSelf = textOf(left, text) === textOf(expected, text);
	const isSame = isConstant(test) && !differs(left, expected, /^(?:Eq|Is)$/.test(String(operator)));
	return {
		weight: Math.max(elementsIn(left), operator === "Eq" ? elementsIn(expected) : 1),
		through: null,
		flaw: isSame || (isSelf && !isCalling(test)) ? "constant" : null,
	};
}

/** Tells whether two constants are not what an assertion wants of them, the same: such a test always fails. */
const differs = (one?: SyntaxNode, other?: SyntaxNode, isWanted = true): boolean =>
	isWanted &&
	one?.type === "Constant" &&
	other?.type === "Constant" &&
	one["value"] !== other["value"];

const EXACT =
	/^assert(?:Equals?|Is|IsNone|CountEqual|(?:List|Dict|Set|Tuple|Sequence|MultiLine)Equal|_called_(?:once_)?with|_has_calls|_array_equal|_frame_equal|_series_equal|_equal)$/;
const TRUTHY = /^assert(?:True|False|IsNotNone|IsInstance|IsNot|Not\w+|_called|_any_call)$/;

function ofCall(call: SyntaxNode, name: string, text: string): Said {
	const [subject, expected] = nodesIn(call, "args");
	const condition = /^assert(?:True|_|)$/.test(name) && subject ? ofCondition(subject, text) : null;
	if (condition !== null) return condition;
	const [one, other] = [textOf(subject, text), textOf(expected, text)];
	const isSelf = one !== "" && one === other;
	const isTruthy = TRUTHY.test(name);
	return {
		weight: EXACT.test(name) ? elementsIn(subject) : 1,
		through: null,
		flaw:
			isFixed(subject, isTruthy ? undefined : expected, isSelf) &&
			!differs(subject, expected, EXACT.test(name))
				? "constant"
				: null,
	};
}

function isFixed(
	subject: SyntaxNode | undefined,
	expected: SyntaxNode | undefined,
	isSelf: boolean,
): boolean {
	if (subject === undefined) return false;
	if (isSelf && !isCalling(subject)) return true;
	return isConstant(subject) && (expected === undefined || isConstant(expected));
}

/** `pytest.raises` and its kind, as a call or around a block. */
function ofException(above: PlacedNode | null): Said {
	const block = above?.above?.node;
	const isBlock = above?.node.type === "withitem" && block !== undefined;
	const isSure = isBlock && nodesIn(block, "body").some(({ type }) => type === "Raise");
	return { weight: 1, through: null, flaw: isSure ? "constant" : null };
}
