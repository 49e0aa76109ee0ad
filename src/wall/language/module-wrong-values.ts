import { nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { assertionNames } from "./bound-names.ts";
import { type Chain, chainOf, endsChain, isFunction } from "./module-chain.ts";
import { testName, testNamesIn } from "./module-tests.ts";
import { isConstant } from "./module-values.ts";
import type { Splice } from "./splice.ts";
import { ASSERTING, CHECKING } from "./test-names.ts";

/** Assertions that hold for many values, or for all but one. */
export const VAGUE =
	/^not|Not|refute|[Ss]napshot|[Gg]reater|[Ll]ess|[Aa]bove|[Bb]elow|[Ll]east|[Mm]ost|[Ww]ithin|[Ii]nstance|[Tt]ypeOf|^(?:any|oneOf|fail)$/;
/** Names of values that only name something. */
const NAMING = /name|title|desc|message|label|^msg$/i;
const LITERAL = /^(?:String|Numeric|Boolean|Null|RegExp)Literal$|^TemplateLiteral$/;

/**
 * Wrong values for what a JavaScript or TypeScript file of the tests expects: one for each assertion and comparison with
 * a value that is written down, and for each row of a table where the file has neither. A title, a message, a name and a
 * value that must not match stay.
 *
 * @example of `equal(add(1, 2), 3, "adds")` the `3` becomes `4`
 */
export function wrongValues(tree: SyntaxNode, text: string): Splice[] {
	const placed = [...nodesOf(tree)];
	const names = testNamesIn(placed);
	const library = new Set(assertionNames(text));
	const expected = placed.flatMap((at) => {
		if (at.node.type === "BinaryExpression") return comparedIn(at);
		if (!endsChain(at)) return [];
		const chain = chainOf(at.node);
		return testName(chain.links, names) === null ? expectedIn(chain, library) : [];
	});
	const found = expected.flatMap((node) => literalsIn(node).slice(-1));
	const values = found.length > 0 ? found : placed.flatMap(({ node }) => rowValue(node));
	return [...new Map(values.map((node) => [node.start, wrongFor(node, text)])).values()];
}

function expectedIn({ links, root }: Chain, library: ReadonlySet<string>): SyntaxNode[] {
	const [first] = links;
	const last = links.at(-1) ?? first;
	const args = last.args ?? [];
	if (links.some(({ name }) => VAGUE.test(name))) return [];
	const isExpect = first !== last && /^expect/.test(first.name) && first.args !== null;
	if (isExpect || links.some(({ name }) => name === "should")) return args.slice(0, 1);
	if (library.has(first.name) || ASSERTING.test(first.name) || first.name === "t")
		return ofLibrary(last.name, args);
	return root.type === "Identifier" && CHECKING.test(last.name) ? ofOwn(args) : [];
}

function ofLibrary(name: string, [subject, expected]: readonly SyntaxNode[]): SyntaxNode[] {
	if (subject === undefined || expected === undefined) return [];
	if (/throw|reject/i.test(name)) return expected.type === "RegExpLiteral" ? [expected] : [];
	const isTurned = isConstant(subject) && !isConstant(expected);
	return EXACT.test(name) ? [isTurned ? subject : expected] : [];
}

/** Assertions of libraries that are given what they expect; others may be given a message in its place. */
const EXACT = /equal|eql|same|^is$|match|include|contain|length|close|like|propert|member/i;

/** Expectation of a function of the project's own: the last value that is written down, but for a name or a message. */
function ofOwn(args: readonly SyntaxNode[]): SyntaxNode[] {
	const isText = (node: SyntaxNode | undefined): boolean => node?.type === "StringLiteral";
	const isNamed = args.length < 3 || isText(args[0]);
	const values = isNamed ? args.slice(1) : isText(args.at(-1)) ? args.slice(0, -1) : args;
	return values.filter(isConstant).slice(-1);
}

const LOOP = /^(?:For\w*|While|DoWhile)Statement$/;
const STOPS = /\b(?:throw|exit|fail\w*|reject)\b/;

/** The side of a comparison that is written down, where another value must not hold. */
function comparedIn(placed: PlacedNode): SyntaxNode[] {
	const { node } = placed;
	const operator = textIn(node, "operator");
	const sides = [nodeIn(node, "left"), nodeIn(node, "right")].flatMap((side) => side ?? []);
	const values = sides.filter(isConstant);
	const isMeant = /^[!=]==?$/.test(operator) && values.length === 1;
	return isMeant && mustHold(placed, operator.startsWith("=")) ? values : [];
}

function mustHold({ above }: PlacedNode, isEqual: boolean): boolean {
	for (let at = above; at !== null; at = at.above) {
		const { node } = at;
		if (node.type === "CallExpression") return isEqual;
		if (node.type === "IfStatement")
			return !(isEqual && nodeIn(node, "alternate") === null && stops(node));
		if (isFunction(node) || LOOP.test(node.type)) return false;
		if (/Statement$|Declaration$/.test(node.type)) return true;
	}
	return true;
}

function stops(statement: SyntaxNode): boolean {
	const then = nodeIn(statement, "consequent");
	return (
		then !== null &&
		[...nodesOf(then)].some(
			({ node }) => node.type === "ThrowStatement" || STOPS.test(textIn(node, "name")),
		)
	);
}

/** Literals of an expression, but for keys and what stands in functions. */
function literalsIn(expression: SyntaxNode): SyntaxNode[] {
	return [...nodesOf(expression)].flatMap(({ node, above }) => {
		const isKey = above !== null && above.node["key"] === node;
		const isPlain = node.type !== "TemplateLiteral" || nodesIn(node, "expressions").length === 0;
		if (!LITERAL.test(node.type) || !isPlain || isKey) return [];
		for (let at = above; at !== null; at = at.above) if (isFunction(at.node)) return [];
		return [node];
	});
}

/** The last value of a row of a table. */
function rowValue(table: SyntaxNode): SyntaxNode[] {
	if (table.type !== "ArrayExpression") return [];
	return nodesIn(table, "elements").flatMap((row) => {
		const properties = nodesIn(row, "properties").filter(
			(each) => !NAMING.test(textIn(nodeIn(each, "key"), "name")),
		);
		const values = properties.length > 0 ? properties : nodesIn(row, "elements");
		const count = nodesIn(row, "properties").length + nodesIn(row, "elements").length;
		const last = count < 2 ? undefined : values.findLast((one) => literalsIn(one).length > 0);
		return last === undefined ? [] : literalsIn(last).slice(-1);
	});
}

function wrongFor({ type, start, end, value }: SyntaxNode, text: string): Splice {
	const own = text.slice(start, end);
	if (type === "RegExpLiteral") return { start, end, text: "/(?!)/" };
	if (type === "NullLiteral") return { start, end, text: '"~"' };
	const other =
		typeof value === "boolean" || typeof value === "number"
			? String(typeof value === "boolean" ? !value : value + 1)
			: `${own.slice(0, -1)}~${own.slice(-1)}`;
	return { start, end, text: other };
}
