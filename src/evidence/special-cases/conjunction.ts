import type { PlacedNode, SyntaxNode } from "../../syntax/module-syntax.ts";
import type { Choice, Literal } from "./choice.ts";

/** Values that are known where a node is reached by way of the node above it, as in the branch of a condition. */
export type Narrowing = (parent: SyntaxNode, child: SyntaxNode) => readonly Literal[];

/** Values that code asks for together: those of a test, and those that hold where it stands. */
export function conjunction(
	own: readonly Literal[],
	{ node, above }: PlacedNode,
	narrowed: Narrowing,
): Omit<Choice, "line">[] {
	if (own.length === 0) return [];
	const values = [...own];
	let child = node;
	for (let at = above; at !== null; at = at.above) {
		values.push(...narrowed(at.node, child));
		child = at.node;
	}
	return values.length < 2 ? [] : [{ values, result: null, form: "conjunction" }];
}

const KEY = /^[[({"'\s]*-?[\p{L}\p{N}.]+(?:[^\p{L}\p{N}.]{1,3}[\p{L}\p{N}.]+)+[\])}"'\s]*$/u;

/**
 * The values that a text joins, as a key made of several arguments does; empty where it is another text.
 *
 * @example of `2,3` and `[2,3]` they are 2 and 3
 */
export function joinedValues(text: string): Literal[] {
	if (text.length > 40 || !KEY.test(text)) return [];
	const values = (text.match(/[\p{L}\p{N}.]+/gu) ?? []).map((part) =>
		/^\d+(?:\.\d+)?$/.test(part) ? Number(part) : part,
	);
	return values.some((value) => typeof value === "number") ? values : [];
}

/** Literals that stand together in tests: the arguments of a call, or a row of a table. */
export interface Group {
	readonly values: readonly Literal[];
	readonly isCall: boolean;
}

/** What a row may hold beside the arguments: what is expected, and a title. */
const BESIDE = 2;

/** Whether values are arguments of one call, whatever their order and signs. */
export function standTogether(values: readonly Literal[], groups: readonly Group[]): boolean {
	return groups.some((group) => {
		if (!group.isCall && group.values.length > values.length + BESIDE) return false;
		const left = [...group.values];
		return values.every((value) => {
			const at = left.indexOf(unsigned(value));
			if (at !== -1) left.splice(at, 1);
			return at !== -1;
		});
	});
}

const unsigned = (value: Literal): Literal => (typeof value === "number" ? Math.abs(value) : value);

/** Whether one sentence or line of a text has all of these values. */
export function toldTogether(values: readonly Literal[], told: string): boolean {
	return told.split(/\n|(?<=[.;!?])\s/).some((part) => {
		const numbers = new Set(part.match(/\d+(?:\.\d+)?/g)?.map(Number));
		return values.every((value) =>
			typeof value === "number" ? numbers.has(Math.abs(value)) : part.includes(value),
		);
	});
}
