import {
	childrenOf,
	isSyntaxNode,
	linesIn,
	nodesOf,
	type PlacedNode,
	type SyntaxNode,
} from "../../syntax/module-syntax.ts";

export type Literal = string | number;

export interface Choice {
	readonly line: number;
	readonly values: readonly Literal[];
	readonly result: Literal | null;
	/**
	 * `entry`: of a map, which may hold what the program knows anyway. `start`, `end`: of a longer text. `conjunction`:
	 * all values at once, of several things. `row`: those that a written list begins with, or one text of digits.
	 */
	readonly form: "comparison" | "list" | "entry" | "start" | "end" | "conjunction" | "row";
}

export type Found = Omit<Choice, "line">;

/** Choices that readers find at the nodes of a tree, each with its line. */
export function choicesAt(
	text: string,
	...readers: readonly (readonly [SyntaxNode, (placed: PlacedNode) => readonly Found[]])[]
): Choice[] {
	const lineOf = linesIn(text);
	return readers.flatMap(([tree, read]) =>
		[...nodesOf(tree)].flatMap((placed) =>
			read(placed).map((each) => ({ ...each, line: lineOf(placed.node.start) })),
		),
	);
}

/** A value that something is compared with; none where it is not written down. */
export function one(value: Literal | null, result: Literal | null): Found[] {
	return value === null ? [] : [{ values: [value], result, form: "comparison" }];
}

/** Values of a list of which each is written down. */
export function listed(values: readonly (Literal | null)[]): Found[] {
	const known = values.filter((value) => value !== null);
	if (known.length === 0 || known.length < values.length) return [];
	return [{ values: known, result: null, form: "list" }];
}

export function entry(key: Literal | null, result: Literal | null): Found[] {
	return key === null || result === null ? [] : [{ values: [key], result, form: "entry" }];
}

/** Beginning or end of a text. */
export function affix(form: "start" | "end", value: Literal | null): Found[] {
	return value === null ? [] : [{ values: [value], result: null, form }];
}

/** A side of a range: `operator` stands between the value and what is compared, in this order. */
export interface Bound {
	readonly value: Literal | null;
	readonly operator: string;
}

/** The operator of a comparison whose sides are exchanged: `<=` of `>=`. */
export const turned = (operator: string): string =>
	operator.replace(/^[<>]/, (sign) => (sign === "<" ? ">" : "<"));

/**
 * The one whole number that lies in a range; null where there is none, or another.
 *
 * @example of `50 < x` and `52 > x` it is 51
 */
export function onlyBetween(bounds: readonly Bound[]): number | null {
	const low = bounds.find(({ operator }) => operator.startsWith("<"));
	const high = bounds.find(({ operator }) => operator.startsWith(">"));
	if (typeof low?.value !== "number" || typeof high?.value !== "number") return null;
	const least = low.operator === "<" ? Math.floor(low.value) + 1 : Math.ceil(low.value);
	const most = high.operator === ">" ? Math.ceil(high.value) - 1 : Math.floor(high.value);
	return least === most ? least : null;
}

export type Narrowing = (parent: SyntaxNode, child: SyntaxNode) => readonly Literal[];

export function conjunction(
	own: readonly Literal[],
	{ node, above }: PlacedNode,
	narrowed: Narrowing,
): Found[] {
	if (own.length === 0) return [];
	const values = [...own];
	let child = node;
	for (let at = above; at !== null; at = at.above) {
		values.push(...narrowed(at.node, child));
		child = at.node;
	}
	return values.length < 2
		? []
		: [{ values: values.map(numeric), result: null, form: "conjunction" }];
}

export function numeric(value: Literal): Literal {
	return /^-?\d+(?:\.\d+)?$/.test(String(value)) ? Number(value) : value;
}

export function rowOf(elements: readonly (Literal | null)[]): Found[] {
	const gap = elements.indexOf(null);
	const values = elements.slice(0, gap === -1 ? MOST_IN_ROW : gap).filter((one) => one !== null);
	const isText = elements.length === 1 && /^\d{2,12}$/.test(String(values[0]));
	return isText || (values.length > 1 && values.some(isMany))
		? [{ values, result: null, form: "row" }]
		: [];
}

const MOST_IN_ROW = 12;
const isMany = (value: Literal): boolean => Math.abs(Number(value)) > 1;

/** Arguments of one call that a row begins with, or that a text spells; null where there are none. */
export function argumentsOf(
	row: readonly Literal[],
	groups: readonly Group[],
): readonly Literal[] | null {
	const call = groups.find(({ values, isCall }) => {
		if (!isCall || !values.some(isMany)) return false;
		if (row.length === 1) return values.join("") === row[0];
		return values.every((value, at) => numeric(value) === unsigned(numeric(row[at] ?? "")));
	});
	return call?.values ?? null;
}

const KEY = /^[[({"'\s]*-?[\p{L}\p{N}.]+(?:[^\p{L}\p{N}.]{1,3}[\p{L}\p{N}.]+)+[\])}"'\s]*$/u;

/**
 * The values that a text joins, as a key made of several arguments does; empty where it is another text.
 *
 * @example of `2,3` and `[2,3]` they are 2 and 3
 */
export function joinedValues(text: string): Literal[] {
	if (text.length > 40 || !KEY.test(text)) return [];
	const values = (text.match(/[\p{L}\p{N}.]+/gu) ?? []).map(numeric);
	return values.some((value) => typeof value === "number") ? values : [];
}

export interface Group {
	readonly values: readonly Literal[];
	readonly isCall: boolean;
}

const BESIDE = 2;

export function standTogether(values: readonly Literal[], groups: readonly Group[]): boolean {
	return groups.some((group) => {
		if (!group.isCall && group.values.length > values.length + BESIDE) return false;
		const left = group.values.map(numeric);
		return values.every((value) => {
			const at = left.indexOf(unsigned(value));
			if (at !== -1) left.splice(at, 1);
			return at !== -1;
		});
	});
}

const unsigned = (value: Literal): Literal => (typeof value === "number" ? Math.abs(value) : value);

export function toldTogether(values: readonly Literal[], told: string): boolean {
	return told.split(/\n|(?<=[.;!?])\s/).some((part) => {
		const numbers = new Set(part.match(/\d+(?:\.\d+)?/g)?.map(Number));
		return values.every((value) =>
			typeof value === "number" ? numbers.has(Math.abs(value)) : part.includes(value),
		);
	});
}

/** Names that a node binds, each with what it is bound to; null where that is not one thing. */
export type BindingReader = (node: SyntaxNode) => readonly (readonly [string, SyntaxNode | null])[];

/** A tree in which values stand where names bound once to them stood, and each node is what a rule makes of it. */
export function plainTree(
	tree: SyntaxNode,
	rule: (node: SyntaxNode) => SyntaxNode,
	bindings: BindingReader,
): SyntaxNode {
	const plain = rewritten(tree, rule);
	const names = new Map<string, SyntaxNode | null>();
	for (const { node } of nodesOf(plain)) {
		for (const [name, value] of bindings(node)) {
			if (name !== "") names.set(name, names.has(name) ? null : value);
		}
	}
	const plainOf = (node: SyntaxNode): SyntaxNode => {
		const value = names.get(nameOf(node));
		return value && VALUE.test(value.type) ? { ...value, start: node.start, end: node.end } : node;
	};
	return rewritten(plain, (node) =>
		rule(withFields(node, plainOf, node["computed"] === true ? COMPUTED : OPERANDS)),
	);
}

const VALUE = /Literal$|^(?:Constant|Unary|Binary|Compare|Array|Tuple|List|Set)/;
const OPERANDS =
	/^(?:left|right|arguments|elements|object|test|comparators|elts|args|keys|values|argument|operand)$/;
const COMPUTED = /^(?:key|object|left|right)$/;

/** A plain name; empty for another node. */
export function nameOf(node: SyntaxNode | null): string {
	const name = node?.type === "Identifier" ? node["name"] : node?.type === "Name" && node["id"];
	return typeof name === "string" ? name : "";
}

/** From the leaves on, without recursion: trees can be deep. */
function rewritten(tree: SyntaxNode, rule: (node: SyntaxNode) => SyntaxNode): SyntaxNode {
	const made = new Map<SyntaxNode, SyntaxNode>();
	const now = (node: SyntaxNode): SyntaxNode => made.get(node) ?? node;
	for (const { node } of [...nodesOf(tree)].reverse()) {
		const isSame = !childrenOf(node).some((child) => made.has(child));
		const next = rule(isSame ? node : withFields(node, now, /./));
		if (next !== node) made.set(node, next);
	}
	return now(tree);
}

function withFields(
	node: SyntaxNode,
	change: (node: SyntaxNode) => SyntaxNode,
	fields: RegExp,
): SyntaxNode {
	const each = (value: unknown): unknown => (isSyntaxNode(value) ? change(value) : value);
	const changed = Object.entries(node).flatMap(([field, value]) => {
		const next = Array.isArray(value) ? value.map(each) : each(value);
		const isSame = Array.isArray(next)
			? next.every((one, at) => one === (value as readonly unknown[])[at])
			: next === value;
		return isSame || !fields.test(field) ? [] : [[field, next] as const];
	});
	return changed.length === 0 ? node : { ...node, ...Object.fromEntries(changed) };
}

/** The sum, difference or product of literals; null of anything else. */
export function calculated(
	operator: string,
	left: Literal | null,
	right: Literal | null,
): Literal | null {
	if (typeof left === "string" && typeof right === "string")
		return operator === "+" ? left + right : null;
	if (typeof left !== "number" || typeof right !== "number") return null;
	if (operator === "+") return left + right;
	if (operator === "-") return left - right;
	return operator === "*" ? left * right : null;
}
