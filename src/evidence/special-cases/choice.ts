/** A value that is written down in code. */
export type Literal = string | number;

/** Code that tells some values from all others: a comparison, a case, a list to look in, an entry of a map. */
export interface Choice {
	/** From 1. */
	readonly line: number;
	/** The values that are told from others; of a list all. */
	readonly values: readonly Literal[];
	/** What is given for the value, where that is written down beside it. */
	readonly result: Literal | null;
	/** `entry`: of a map, which may hold what the program knows anyway. */
	readonly form: "comparison" | "list" | "entry";
}
