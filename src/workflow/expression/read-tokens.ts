import type { Span } from "./expression.ts";

/** A word of an expression. `odd` is what no expression has; `end` is empty and stands after the last one. */
export interface Token extends Span {
	readonly kind: (typeof KINDS)[number] | "odd" | "end";
	readonly text: string;
}

/** Kinds in the order of the groups below. */
const KINDS = ["name", "number", "text", "sign"] as const;

/** Read from left to right in linear time; what no group takes is odd. */
const TOKEN =
	/([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]))|("[^"\\\n]*"|'[^'\\\n]*')|([=!<>]=|&&|\|\||[<>!()[\],])|["'][\s\S]*|\.?\d[\w.]*|\S/gu;

/** The words of a text in order; white space between them is left out. Never throws. */
export function readTokens(text: string): Token[] {
	return Array.from(text.matchAll(TOKEN), (match) => ({
		kind: KINDS.find((_kind, index) => match[index + 1] !== undefined) ?? "odd",
		text: match[0],
		from: match.index,
		to: match.index + match[0].length,
	}));
}
