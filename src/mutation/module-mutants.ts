import type { MutatedPlace } from "../evidence/report-figures.ts";
import { spread } from "../formats/mutation/spread.ts";
import {
	isSyntaxNode,
	linesIn,
	type ModuleParser,
	nodesOf,
	type PlacedNode,
	type SyntaxNode,
} from "../syntax/module-syntax.ts";
import { nodeIn } from "../syntax/node-fields.ts";

interface Mutation {
	readonly start: number;
	readonly end: number;
	readonly text: string;
	readonly operator: string;
	readonly shown: { readonly start: number; readonly end: number };
}

const SWAPS: ReadonlyMap<unknown, readonly [to: string, operator: string]> = new Map([
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

function editsOf(placed: PlacedNode, text: string): Mutation[] {
	const { node } = placed;
	switch (node.type) {
		case "BinaryExpression":
		case "LogicalExpression":
			return swapped(node, text);
		case "UnaryExpression":
			return node["operator"] === "!"
				? [whole(node, `(${text.slice(node.start + 1, node.end)})`, "negation")]
				: [];
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

function whole(node: SyntaxNode, text: string, operator: string): Mutation {
	const { start, end } = node;
	return { start, end, text, operator, shown: { start, end } };
}

const AROUND = 120;

// A literal says little without what it stands in.
function literal({ node, above }: PlacedNode, text: string, operator: string): Mutation {
	const { start, end } = above?.node ?? node;
	const edit = whole(node, text, operator);
	return end - start > AROUND ? edit : { ...edit, shown: { start, end } };
}

function counted(placed: PlacedNode): Mutation[] {
	const { value } = placed.node;
	if (typeof value !== "number" || value + 1 === value) return [];
	return [literal(placed, String(value + 1), "number")];
}

const isText = (node: SyntaxNode | null): boolean =>
	node?.type === "StringLiteral" ||
	node?.type === "TemplateLiteral" ||
	(node?.type === "BinaryExpression" &&
		node["operator"] === "+" &&
		(isText(nodeIn(node, "left")) || isText(nodeIn(node, "right"))));

function swapped(node: SyntaxNode, text: string): Mutation[] {
	const [left, right] = [nodeIn(node, "left"), nodeIn(node, "right")];
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
	return [{ start, end: start + token.length, text: swap[0], operator: swap[1], shown: node }];
}

/** Conditions that another edit negates already. */
const NEGATES = new Set<unknown>(["===", "!==", "==", "!=", "!"]);

function negated(node: SyntaxNode, text: string): Mutation[] {
	const test = nodeIn(node, "test");
	if (test === null || NEGATES.has(test["operator"]) || test.type === "BooleanLiteral") return [];
	return [whole(test, `!(${text.slice(test.start, test.end)})`, "negation")];
}

function isMessage({ above }: PlacedNode): boolean {
	for (let at = above; at !== null; at = at.above) {
		if (at.node.type === "ThrowStatement") return true;
		if (/Statement$|Function|Declaration$/.test(at.node.type)) return false;
	}
	return false;
}

function emptied(placed: PlacedNode, text: string): Mutation[] {
	const { node, above } = placed;
	const isTagged = above?.node.type === "TaggedTemplateExpression";
	if (isTagged || node.end - node.start <= 2 || isMessage(placed)) return [];
	const quote = text[node.start] ?? '"';
	return [literal(placed, quote + quote, "string")];
}

/** Values that are neutral already, or that an edit of their own changes. */
const PLAIN = /^(?:Null|Boolean|Numeric|String|Template)Literal$/;

function returned(node: SyntaxNode): Mutation[] {
	const argument = nodeIn(node, "argument");
	if (argument === null || PLAIN.test(argument.type) || argument["name"] === "undefined") return [];
	return [{ ...whole(argument, "undefined", "return"), shown: node }];
}

const EFFECTS = /^(?:Optional)?CallExpression$|^AssignmentExpression$|^UpdateExpression$/;
const NEEDED = /^(?:super\b|(?:module\.)?exports\b)/;

function leftOut(node: SyntaxNode, text: string): Mutation[] {
	const expression = nodeIn(node, "expression");
	const awaited =
		expression?.type === "AwaitExpression" ? nodeIn(expression, "argument") : expression;
	if (awaited === null || !EFFECTS.test(awaited.type)) return [];
	if (NEEDED.test(text.slice(awaited.start, awaited.start + 20))) return [];
	return [whole(node, ";", "statement")];
}

const VALUES = new Set(
	(
		"TSAsExpression TSNonNullExpression TSSatisfiesExpression TSTypeAssertion TSEnumDeclaration " +
		"TSEnumBody TSEnumMember TSModuleDeclaration TSModuleBlock TSExportAssignment " +
		"TSParameterProperty TSInstantiationExpression"
	).split(" "),
);

/** Calls that write to a log; only the beginning of each. */
const LOGS =
	/^(?:console\.\w+|(?:this\.)?_?log(?:ger)?\.(?:trace|debug|verbose|info|notice|warn|error|fatal|log)|debug)\(/;

function isIdle(placed: PlacedNode, text: string): boolean {
	for (let at: PlacedNode | null = placed; at !== null; at = at.above) {
		if (isType(at.node) || isLogged(at.node, text)) return true;
	}
	return isNamed(placed);
}

const isType = ({ type }: SyntaxNode): boolean => type.startsWith("TS") && !VALUES.has(type);

function isLogged(node: SyntaxNode, text: string): boolean {
	const isCall = node.type === "CallExpression" || node.type === "ExpressionStatement";
	return isCall && LOGS.test(text.slice(node.start, node.start + 40));
}

function isNamed({ node, above }: PlacedNode): boolean {
	if (above === null) return false;
	const { node: parent } = above;
	if (parent.type === "JSXAttribute" || parent.type === "ImportAttribute") return true;
	const isKey = parent["key"] === node && parent["computed"] !== true;
	const isMember = parent.type === "TSEnumMember" && parent["id"] === node;
	return isKey || isMember || parent["source"] === node || loadsModule(parent);
}

function loadsModule({ type, callee }: SyntaxNode): boolean {
	if (type !== "CallExpression" || !isSyntaxNode(callee)) return false;
	return callee["name"] === "require" || callee.type === "Import";
}

/** A changed file of the product. */
export interface ChangedModule {
	readonly path: string;
	readonly text: string;
	/** The lines that differ from the start commit, from 1, ascending. */
	readonly lines: readonly number[];
}

/** A file of the product with one thing wrong. */
export interface CodeMutant extends MutatedPlace {
	/** The whole file. */
	readonly text: string;
}

// Larger files are written by programs, and each mutant is parsed. In characters.
const MAX_TEXT = 200_000;

/**
 * Mutants of the changed lines of JavaScript and TypeScript: each has one operator, value or statement replaced, all lines
 * of which changed. Where there are more than the limit, they are spread over the change evenly, emptied texts last.
 *
 * A file that cannot be parsed has none. Every mutant can be parsed. The same change gives the same mutants.
 *
 * @param limit most mutants, 1 or more
 * @example `if (x < lo) return lo;` gives `x <= lo`, `!(x < lo)` and `return undefined;`
 */
export function moduleMutants(
	files: readonly ChangedModule[],
	parse: ModuleParser,
	limit: number,
): CodeMutant[] {
	const found = files.flatMap((file) => changedEdits(file, parse).map((edit) => ({ file, edit })));
	return chosen(found, limit).flatMap(({ file, edit }) => {
		const { path, text } = file;
		const mutated = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
		if (parse(mutated, path) === null) return [];
		return [
			{
				file: path,
				line: linesIn(text)(edit.start),
				operator: edit.operator,
				old: text.slice(edit.shown.start, edit.shown.end),
				fresh: mutated.slice(edit.shown.start, edit.shown.end + mutated.length - text.length),
				text: mutated,
			},
		];
	});
}

// Texts, which are often words for people, only where there is room for them.
function chosen<T extends { readonly edit: Mutation }>(all: readonly T[], limit: number): T[] {
	const isWord = ({ edit }: T): boolean => edit.operator === "string";
	const telling = spread(
		all.filter((one) => !isWord(one)),
		limit,
	);
	const kept = new Set([...telling, ...spread(all.filter(isWord), limit - telling.length)]);
	return all.filter((one) => kept.has(one));
}

function changedEdits({ path, text, lines }: ChangedModule, parse: ModuleParser): Mutation[] {
	if (text.length > MAX_TEXT || text.includes("\uFFFD")) return [];
	const tree = parse(text, path);
	if (tree === null) return [];
	const changed = changedIn(text, lines);
	const edits = new Map<string, Mutation>();
	for (const placed of nodesOf(tree)) {
		if (changed(placed.node) === "none" || isIdle(placed, text)) continue;
		for (const edit of editsOf(placed, text)) {
			const key = `${edit.start} ${edit.end} ${edit.text}`;
			if (changed(edit) === "all" && !edits.has(key)) edits.set(key, edit);
		}
	}
	return [...edits.values()].sort((a, b) => a.start - b.start);
}

function changedIn(
	text: string,
	lines: readonly number[],
): (stretch: { readonly start: number; readonly end: number }) => "all" | "some" | "none" {
	const lineOf = linesIn(text);
	const wanted = new Set(lines);
	/** Number of changed lines up to each line. */
	const counts = [0];
	for (const [index] of text.split("\n").entries())
		counts.push((counts.at(-1) ?? 0) + (wanted.has(index + 1) ? 1 : 0));
	return ({ start, end }) => {
		const [first, last] = [lineOf(start), lineOf(Math.max(start, end - 1))];
		const count = (counts[last] ?? 0) - (counts[first - 1] ?? 0);
		if (count === 0) return "none";
		return count === last - first + 1 ? "all" : "some";
	};
}
