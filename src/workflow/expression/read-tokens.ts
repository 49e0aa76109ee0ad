import type { Span } from "./expression.ts";

/** A word of an expression. `odd` is what no expression has; `end` is empty and stands after the last one. */
export interface Token extends Span {
	readonly kind: "name" | "number" | "text" | "sign" | "odd" | "end";
	readonly text: string;
}

/** Every kind but `end`, the first that fits. Each is read once from left to right, in linear time. */
const TOKEN =
	/(?<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]))|(?<text>"[^"\\\n]*"|'[^'\\\n]*')|(?<sign>[=!<>]=|&&|\|\||[<>!()[\],])|(?<odd>["'].*|\.?\d[\w.]*|.)/suy;

/** The words of a text; white space between them is left out. Never throws. */
export function readTokens(text: string): Token[] {
	const tokens: Token[] = [];
	let from = skipSpace(text, 0);
	while (from < text.length) {
		TOKEN.lastIndex = from;
		const { 0: found = "", groups = {} } = TOKEN.exec(text) ?? {};
		const to = from + Math.max(1, found.length);
		tokens.push({ kind: kindOf(groups), text: text.slice(from, to), from, to });
		from = skipSpace(text, to);
	}
	tokens.push({ kind: "end", text: "", from: text.length, to: text.length });
	return tokens;
}

function skipSpace(text: string, from: number): number {
	return text.length - text.slice(from).trimStart().length;
}

function kindOf(groups: Readonly<Record<string, string | undefined>>): Token["kind"] {
	const kinds = ["name", "number", "text", "sign"] as const;
	return kinds.find((kind) => groups[kind] !== undefined) ?? "odd";
}
