interface Syntax {
	readonly line: readonly string[];
	readonly blocks: readonly (readonly [string, string])[];
	/** Quotes of multi-line strings, whose text is not code. */
	readonly texts: readonly string[];
	readonly regex: boolean;
}

const C_LIKE: Syntax = { line: ["//"], blocks: [["/*", "*/"]], texts: [], regex: false };
const SCRIPT: Syntax = { ...C_LIKE, texts: ["`"], regex: true };
const HASH: Syntax = { line: ["#"], blocks: [], texts: [], regex: false };

const SYNTAXES: readonly (readonly [RegExp, Syntax])[] = [
	[/\.(?:[cm]?[jt]sx?|vue|svelte)$/i, SCRIPT],
	[/\.go$/i, { ...C_LIKE, texts: ["`"] }],
	[/\.(?:java|kts?|scala|groovy|swift|dart)$/i, { ...C_LIKE, texts: ['"""', "'''"] }],
	[/\.(?:py|exs?)$/i, { ...HASH, texts: ['"""', "'''"] }],
	[/\.rb$/i, { ...HASH, blocks: [["\n=begin", "\n=end"]] }],
	[/\.(?:sh|bash|bats|r|jl|ya?ml|toml)$/i, HASH],
	[/\.lua$/i, { ...HASH, line: ["--"], blocks: [["--[[", "]]"]] }],
	[/\.hs$/i, { ...HASH, line: ["--"], blocks: [["{-", "-}"]] }],
	[/\.php$/i, C_LIKE],
];

/**
 * Removes comments and multi-line strings, so that only code is left, each line where it was. Strings on one line stay.
 * Runs in linear time.
 *
 * A block that does not end is not a comment. What it misreads (a nested template, a quote in JSX) it misreads in both
 * texts of a comparison.
 *
 * @param path its extension determines the language; an unknown one is read like C
 */
export function withoutComments(text: string, path: string): string {
	const syntax = SYNTAXES.find(([pattern]) => pattern.test(path))?.[1] ?? C_LIKE;
	const open: Unclosed = new Map();
	let code = "";
	for (let at = 0; at < text.length; ) {
		const end = silentEnd(text, at, syntax, open);
		if (end !== undefined) {
			code += ` ${text.slice(at, end).replaceAll(/[^\n]+/g, "")}`;
			at = end;
			continue;
		}
		const next = literalEnd(text, at, syntax, open) ?? at + 1;
		code += text.slice(at, next);
		at = next;
	}
	return code;
}

/** Closing marks that were not found, and how far they were searched. Avoids repeated searches. */
type Unclosed = Map<string, number>;

function silentEnd(text: string, at: number, syntax: Syntax, open: Unclosed): number | undefined {
	for (const [begin, close] of syntax.blocks) {
		if (open.has(close) || !text.startsWith(begin, at)) continue;
		const end = text.indexOf(close, at + begin.length);
		if (end >= 0) return end + close.length;
		open.set(close, text.length);
	}
	if (syntax.line.some((mark) => text.startsWith(mark, at) && !isAttribute(text, at))) {
		const end = text.indexOf("\n", at);
		return end < 0 ? text.length : end;
	}
	for (const quote of syntax.texts) {
		if (!text.startsWith(quote, at)) continue;
		const end = closing({ text, open }, at + quote.length, quote);
		if (end !== undefined) return end;
	}
	return undefined;
}

/** `#[test]` in Rust and PHP, and `#{...}` in Ruby strings, do not start a comment. */
function isAttribute(text: string, at: number): boolean {
	return text[at] === "#" && (text[at + 1] === "[" || text[at + 1] === "{");
}

function literalEnd(text: string, at: number, syntax: Syntax, open: Unclosed): number | undefined {
	const first = text[at];
	if (first === '"' || first === "'") return closing({ text, open }, at + 1, first, "\n");
	if (first !== "/" || !syntax.regex) return undefined;
	const before = text.slice(Math.max(0, at - 20), at).trimEnd();
	return before === "" || /(?:[([{,;=:!&|?]|\breturn)$/.test(before)
		? closing({ text, open }, at + 1, "/", "\n")
		: undefined;
}

/** The position after the closing quote; undefined when there is none, or `stop` comes first. */
function closing(
	{ text, open }: { readonly text: string; readonly open: Unclosed },
	from: number,
	quote: string,
	stop?: string,
): number | undefined {
	if (from <= (open.get(quote) ?? -1)) return undefined;
	let at = from;
	for (; at < text.length && text[at] !== stop; at += 1) {
		if (text[at] === "\\") at += 1;
		else if (text.startsWith(quote, at)) return at + quote.length;
	}
	open.set(quote, at);
	return undefined;
}
