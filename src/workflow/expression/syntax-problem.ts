import { plain, quote } from "../diagnostic.ts";
import type { Problem, Span } from "./expression.ts";

/** What the parser says of a text that it cannot read. */
export interface SyntaxError extends Span {
	/** The parser's own code, such as `unexpected_token`. */
	readonly code: string;
	/** Its own words, for codes that need no better ones. */
	readonly summary: string;
}

/** What people write from other languages, and what CEL has for it. */
const OTHER_LANGUAGES: ReadonlyMap<string, string> = new Map([
	["=", "write == to compare"],
	["&", "write && for and"],
	["and", "write && for and"],
	["AND", "write && for and"],
	["|", "write || for or"],
	["or", "write || for or"],
	["OR", "write || for or"],
	[".", "write a digit before the point, such as 0.85"],
]);

/** Codes whose place is where something else was expected. */
const UNEXPECTED: readonly string[] = [
	"unexpected_character",
	"unexpected_token",
	"expected_token",
];

/** A refusal of the parser in the words of this program, inside the text. */
export function syntaxProblem(text: string, error: SyntaxError): Problem {
	const { code, summary, from } = error;
	if (UNEXPECTED.includes(code)) return unexpected(text, error);
	const to = Math.max(from, error.to);
	if (code === "limit_exceeded")
		return { message: "too long, or nested too deeply", from, to, suggestion: SPLIT };
	return { message: `not readable: ${plain(summary)}`, from, to, suggestion: undefined };
}

/** Several conditions of one list count as if joined by `||`. */
export const SPLIT = "write several conditions: any one that holds counts";

function unexpected(text: string, { from, to: end }: SyntaxError): Problem {
	// The parser cuts a character outside of the basic plane in two.
	const character = String.fromCodePoint(text.codePointAt(from) ?? 0);
	const to = Math.min(text.length, Math.max(end, from + character.length));
	const found = text.slice(from, to);
	if (found === "")
		return { message: "the expression ends too early", from, to, suggestion: undefined };
	const isAfterNot = /(^|[^\w.])not\s+$/i.test(text.slice(Math.max(0, from - 80), from));
	const suggestion = isAfterNot ? "write ! for not" : OTHER_LANGUAGES.get(found);
	return { message: `unexpected ${quote(found)}`, from, to, suggestion };
}
