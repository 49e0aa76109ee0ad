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

/** A side of a range: `operator` stands between the value and what is compared, in this order. */
export interface Bound {
	readonly value: Literal | null;
	readonly operator: string;
}

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
