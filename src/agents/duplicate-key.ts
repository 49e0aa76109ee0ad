import { createScanner } from "jsonc-parser";
import { randomId } from "../kernel/ids.ts";

/** A longer key is shown cut. In characters. */
const SHOWN_KEY = 80;

/** A name in an object. */
interface Name {
	readonly key: string;
	/** Index of its opening quote. */
	readonly start: number;
	/** Index after its closing quote. */
	readonly end: number;
}

/** The names that stood in their object before. Reads token by token: recursion would overflow the stack. */
function* repeatedKeys(text: string): Generator<Name> {
	const scanner = createScanner(text, true);
	/** The keys of each object that is open; null for a list. */
	const open: (Set<string> | null)[] = [];
	let last: Name = { key: "", start: 0, end: 0 };
	for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
		const start = scanner.getTokenOffset();
		const sign = text.charAt(start);
		if (/[{[]/.test(sign)) open.push(sign === "{" ? new Set() : null);
		else if (/[}\]]/.test(sign)) open.pop();
		else if (sign === '"')
			last = { key: scanner.getTokenValue(), start, end: scanner.getPosition() };
		if (sign !== ":") continue;
		const keys = open.at(-1);
		if (keys?.has(last.key)) yield last;
		keys?.add(last.key);
	}
}

/**
 * The first duplicate key in one object of a JSON text, at any depth: readers of JSON differ in which of the
 * two they take, so that such a text says two things. Keys are compared as they read: `"a"` is `"\\u0061"`.
 *
 * @param text JSON: what `JSON.parse` accepts
 * @returns the key, cut to 80 characters; null when there is none
 * @example `duplicateKey('[{"a":1,"b":{"a":2},"a":3}]')` is `"a"`
 */
export function duplicateKey(text: string): string | null {
	for (const { key } of repeatedKeys(text)) return key.slice(0, SHOWN_KEY);
	return null;
}

/**
 * A JSON text in which each repeated key has another name, so that `JSON.parse`, which keeps the last of several
 * values, drops none. The first one keeps its name; the others get one that nobody can foresee.
 *
 * @param text JSON: what `JSON.parse` accepts
 */
export function withDistinctKeys(text: string): string {
	const mark = randomId(12);
	const pieces: string[] = [];
	let from = 0;
	for (const { key, start, end } of repeatedKeys(text)) {
		pieces.push(text.slice(from, start), JSON.stringify(`${key} ${mark} ${pieces.length}`));
		from = end;
	}
	return pieces.length === 0 ? text : [...pieces, text.slice(from)].join("");
}
