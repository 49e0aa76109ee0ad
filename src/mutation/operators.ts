import { isSyntaxNode, type PlacedNode, type SyntaxNode } from "../syntax/module-syntax.ts";

/** A replacement in a text, by offsets. */
export interface Edit {
	readonly start: number;
	/** Behind the last character that is replaced. */
	readonly end: number;
	readonly text: string;
	readonly operator: MutationOperator;
	/** The code that is shown around it. */
	readonly shown: { readonly start: number; readonly end: number };
}

/** What a mutant does. Each changes what the code does, and can be noticed by a test that looks there. */
export type MutationOperator =
	| "boundary"
	| "equality"
	| "arithmetic"
	| "logical"
	| "negation"
	| "boolean"
	| "number"
	| "string"
	| "return"
	| "statement";

/** Binary and logical operators with what takes their place. */
const SWAPS: ReadonlyMap<unknown, readonly [to: string, operator: MutationOperator]> = new Map([
	["<", ["<=", "boundary"]],
	["<=", ["<", "boundary"]],
	[">", [">=", "boundary"]],
	[">=", [">", "boundary"]],
	["===", ["!==", "equality"]],
	["!==", ["===", "equality"]],
	["==", ["!=", "equality"]],
	["!=", ["==", "equality"]],
	["+", ["-", "arithmetic"]],
	["-", ["+", "arithmetic"]],
	["*", ["/", "arithmetic"]],
	["/", ["*", "arithmetic"]],
	["%", ["*", "arithmetic"]],
	["**", ["*", "arithmetic"]],
	["&&", ["||", "logical"]],
	["||", ["&&", "logical"]],
	["??", ["&&", "logical"]],
]);

/** What can be done to a node; nothing of its parts. */
export function editsOf(placed: PlacedNode, text: string): Edit[] {
	const { node } = placed;
	switch (node.type) {
		case "BinaryExpression":
		case "LogicalExpression":
			return swapped(node, text);
		case "UnaryExpression":
			return node["operator"] === "!" ? [withoutNegation(node, text)] : [];
		case "IfStatement":
		case "ConditionalExpression":
			return negated(node, text);
		case "BooleanLiteral":
			return [literal(placed, String(node["value"] !== true), "boolean")];
		case "NumericLiteral":
			return counted(placed);
		case "StringLiteral":
		case "TemplateLiteral":
			return emptied(placed, text);
		case "ReturnStatement":
			return returned(node);
		case "ExpressionStatement":
			return leftOut(node, text);
		default:
			return [];
	}
}

function whole(node: SyntaxNode, text: string, operator: MutationOperator): Edit {
	const { start, end } = node;
	return { start, end, text, operator, shown: { start, end } };
}

/** Longest code around a literal that is shown, in characters. */
const AROUND = 120;

/** A literal says little without what it stands in. */
function literal({ node, above }: PlacedNode, text: string, operator: MutationOperator): Edit {
	const { start, end } = above?.node ?? node;
	const edit = whole(node, text, operator);
	return end - start > AROUND ? edit : { ...edit, shown: { start, end } };
}

/** The next number, where there is one that differs. */
function counted(placed: PlacedNode): Edit[] {
	const { value } = placed.node;
	if (typeof value !== "number" || value + 1 === value) return [];
	return [literal(placed, String(value + 1), "number")];
}

/** The node of a field; null where it is none. */
const partOf = (node: SyntaxNode, field: string): SyntaxNode | null =>
	isSyntaxNode(node[field]) ? node[field] : null;

const isText = (node: SyntaxNode | null): boolean =>
	node?.type === "StringLiteral" ||
	node?.type === "TemplateLiteral" ||
	(node?.type === "BinaryExpression" &&
		node["operator"] === "+" &&
		(isText(partOf(node, "left")) || isText(partOf(node, "right"))));

function swapped(node: SyntaxNode, text: string): Edit[] {
	const [left, right] = [partOf(node, "left"), partOf(node, "right")];
	const swap = SWAPS.get(node["operator"]);
	if (left === null || right === null || swap === undefined) return [];
	// Texts are joined with a plus.
	if (node["operator"] === "+" && (isText(left) || isText(right))) return [];
	const token = String(node["operator"]);
	// Between the sides stand only the operator, parentheses and comments.
	const between = text
		.slice(left.end, right.start)
		.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => " ".repeat(comment.length));
	const at = between.indexOf(token);
	if (at === -1) return [];
	const start = left.end + at;
	const { start: from, end } = node;
	const shown = { start: from, end };
	return [{ start, end: start + token.length, text: swap[0], operator: swap[1], shown }];
}

function withoutNegation(node: SyntaxNode, text: string): Edit {
	return whole(node, `(${text.slice(node.start + 1, node.end)})`, "negation");
}

/** Conditions that another edit negates already. */
const NEGATES = new Set<unknown>(["===", "!==", "==", "!=", "!"]);

function negated(node: SyntaxNode, text: string): Edit[] {
	const test = partOf(node, "test");
	if (test === null || NEGATES.has(test["operator"]) || test.type === "BooleanLiteral") return [];
	return [whole(test, `!(${text.slice(test.start, test.end)})`, "negation")];
}

/** Messages of errors are rarely what a test is to look at. */
function isMessage({ above }: PlacedNode): boolean {
	for (let at = above; at !== null; at = at.above) {
		if (at.node.type === "ThrowStatement") return true;
		if (/Statement$|Function|Declaration$/.test(at.node.type)) return false;
	}
	return false;
}

function emptied(placed: PlacedNode, text: string): Edit[] {
	const { node, above } = placed;
	const isTagged = above?.node.type === "TaggedTemplateExpression";
	if (isTagged || node.end - node.start <= 2 || isMessage(placed)) return [];
	const quote = text[node.start] ?? '"';
	return [literal(placed, quote + quote, "string")];
}

/** Values that are neutral already, or that an edit of their own changes. */
const PLAIN = /^(?:Null|Boolean|Numeric|String|Template)Literal$/;

function returned(node: SyntaxNode): Edit[] {
	const argument = partOf(node, "argument");
	if (argument === null || PLAIN.test(argument.type) || argument["name"] === "undefined") return [];
	const { start, end } = node;
	return [{ ...whole(argument, "undefined", "return"), shown: { start, end } }];
}

/** Statements that only have an effect. */
const EFFECTS = /^(?:Optional)?CallExpression$|^AssignmentExpression$|^UpdateExpression$/;
const NEEDED = /^(?:super\b|(?:module\.)?exports\b)/;

function leftOut(node: SyntaxNode, text: string): Edit[] {
	const expression = partOf(node, "expression");
	const awaited =
		expression?.type === "AwaitExpression" ? partOf(expression, "argument") : expression;
	if (awaited === null || !EFFECTS.test(awaited.type)) return [];
	if (NEEDED.test(text.slice(awaited.start, awaited.start + 20))) return [];
	return [whole(node, ";", "statement")];
}
