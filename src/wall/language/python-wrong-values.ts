import { nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn } from "../../syntax/node-fields.ts";
import { VAGUE } from "./module-wrong-values.ts";
import { pythonName } from "./python-nodes.ts";
import type { Splice } from "./splice.ts";
import { CHECKING } from "./test-names.ts";

/**
 * Wrong values for what a Python file of the tests expects, by the same rules as in JavaScript.
 *
 * @example of `assert add(1, 2) == 3, "adds"` the `3` becomes `4`
 */
export function wrongPythonValues(tree: SyntaxNode, text: string): Splice[] {
	const placed = [...nodesOf(tree)];
	const found = placed.flatMap(expectedIn).flatMap((node) => constantsIn(node).slice(-1));
	const values = found.length > 0 ? found : placed.flatMap(({ node }) => rowValue(node));
	return [...new Map(values.map((node) => [node.start, wrongFor(node, text)])).values()];
}

function expectedIn({ node, above }: PlacedNode): SyntaxNode[] {
	if (node.type === "Compare") return comparedIn(node, above);
	const name = node.type === "Call" ? pythonName(node) : "";
	if (!CHECKING.test(name) || VAGUE.test(name)) return [];
	const args = nodesIn(node, "args");
	const isTold = (one: SyntaxNode): boolean => constantsIn(one).length > 0;
	if (!/^assert[A-Z_]/.test(name)) return args.slice(1).filter(isConstant).slice(0, 1);
	if (!EXACT.test(name)) return [];
	const [subject, expected] = args;
	return [expected, subject]
		.flatMap((one) => one ?? [])
		.filter(isTold)
		.slice(0, 1);
}

const EXACT = /equal|same|In$|Is$|close|match|regex/i;

const isConstant = ({ type }: SyntaxNode): boolean =>
	/^(?:Constant|List|Tuple|Dict|Set)$/.test(type);

/** The side of a comparison that is written down: under `assert` what must hold, under `if` what must not. */
function comparedIn(node: SyntaxNode, above: PlacedNode | null): SyntaxNode[] {
	const operator = String(node["ops"]);
	const [left, right] = [nodeIn(node, "left"), nodesIn(node, "comparators")[0]];
	if (left === null || right === undefined || !mustHold(operator, above)) return [];
	return [operator === "In" || constantsIn(right).length === 0 ? left : right];
}

function mustHold(operator: string, above: PlacedNode | null): boolean {
	for (let at = above; at !== null; at = at.above) {
		const { type } = at.node;
		if (type === "Assert") return /^(?:Eq|Is|In)$/.test(operator);
		if (type === "If") return operator === "NotEq";
		if (/Def$|^(?:Lambda|UnaryOp|comprehension)$/.test(type)) return false;
	}
	return false;
}

function constantsIn(expression: SyntaxNode): SyntaxNode[] {
	return [...nodesOf(expression)].flatMap(({ node, above }) => {
		if (node.type !== "Constant" || !/^(?:int|float|str|bool|NoneType)$/.test(String(node["of"])))
			return [];
		for (let at = above; at !== null; at = at.above)
			if (/^(?:JoinedStr|Lambda)$/.test(at.node.type)) return [];
		return [node];
	});
}

function rowValue(table: SyntaxNode): SyntaxNode[] {
	const isTable = /^(?:List|Tuple)$/.test(table.type);
	return (isTable ? nodesIn(table, "elts") : []).flatMap((row) => {
		const values = [...nodesIn(row, "elts"), ...nodesIn(row, "values")];
		const last = values.findLast((one) => constantsIn(one).length > 0);
		return values.length < 2 || last === undefined ? [] : constantsIn(last).slice(-1);
	});
}

function wrongFor({ start, end, value }: SyntaxNode, text: string): Splice {
	const own = text.slice(start, end);
	if (typeof value === "boolean") return { start, end, text: value ? "False" : "True" };
	if (typeof value === "number") return { start, end, text: String(value + 1) };
	const quotes = /("""|'''|"|')$/.exec(own)?.[0];
	return {
		start,
		end,
		text: quotes === undefined ? '"~"' : `${own.slice(0, -quotes.length)}~${quotes}`,
	};
}
