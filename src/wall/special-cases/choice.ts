import { linesIn, nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";

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

/** What a text begins or ends with. */
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
