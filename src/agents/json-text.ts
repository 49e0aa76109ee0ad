import { createScanner } from "jsonc-parser";

// Matches nothing too.
const SPACE = /[ \t\n\r]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Index after the match of a sticky pattern at `at`; -1 without one. */
function after(pattern: RegExp, text: string, at: number): number {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex : -1;
}

function endOfString(
	text: string,
	start: number,
): { readonly at: number; readonly closed: boolean } {
	let at = start + 1;
	while (at < text.length) {
		const code = text.charCodeAt(at);
		if (code === 0x22) return { at: at + 1, closed: true };
		const next = code === 0x5c ? after(ESCAPE, text, at) : at + 1;
		if (code < 0x20 || next < 0) break;
		at = next;
	}
	return { at, closed: false };
}

// Lists and objects are looked up, not read again. All of these give -1 where nothing well formed stands.
function valueEnd(text: string, at: number, known: ReadonlyMap<number, number>): number {
	const char = text.charAt(at);
	if (char === "{" || char === "[") return known.get(at) ?? -1;
	if (char !== '"') return after(SCALAR, text, at);
	const { at: end, closed } = endOfString(text, at);
	return closed ? end : -1;
}

function memberValue(text: string, at: number): number {
	if (text.charAt(at) !== '"') return -1;
	const { at: end, closed } = endOfString(text, at);
	const colon = after(SPACE, text, end);
	if (!closed || text.charAt(colon) !== ":") return -1;
	return after(SPACE, text, colon + 1);
}

// Also for one that never ends.
function containerEnd(text: string, start: number, known: ReadonlyMap<number, number>): number {
	const isObject = text.charAt(start) === "{";
	const close = isObject ? "}" : "]";
	let at = after(SPACE, text, start + 1);
	if (text.charAt(at) === close) return at + 1;
	for (;;) {
		const value = isObject ? memberValue(text, at) : at;
		const end = value < 0 ? -1 : valueEnd(text, value, known);
		if (end < 0) return -1;
		at = after(SPACE, text, end);
		if (text.charAt(at) === close) return at + 1;
		if (text.charAt(at) !== ",") return -1;
		at = after(SPACE, text, at + 1);
	}
}

function containerEnds(text: string): Map<number, number> {
	const known = new Map<number, number>();
	// From the right, so that what lies inside is known already: each character is then read at most once by the
	// object that it belongs to and once by one that takes the quotes the other way round. Hence linear time.
	for (let at = text.length - 1; at >= 0; at -= 1) {
		const char = text.charAt(at);
		if (char !== "{" && char !== "[") continue;
		const end = containerEnd(text, at, known);
		if (end >= 0) known.set(at, end);
	}
	return known;
}

/**
 * The last JSON object in free text that lies in no other object, as it stands there; null without one. Agents talk around it,
 * and braces in their talk or in their texts do not mislead. Linear in the length of the text, whatever it holds.
 *
 * @example `lastJsonObject('Done: {"a": {"b": 1}} {oops')` is `'{"a": {"b": 1}}'`
 */
export function lastJsonObject(text: string): string | null {
	const ends = containerEnds(text);
	let last: string | null = null;
	let next = 0;
	for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", next)) {
		const end = ends.get(at);
		if (end !== undefined) last = text.slice(at, end);
		next = end ?? at + 1;
	}
	return last;
}

/** A string of a JSON text. */
export interface JsonString {
	/** Offsets of its quotes; `to` is behind the last. */
	readonly from: number;
	readonly to: number;
	readonly said: string;
	readonly isKey: boolean;
	/** Name of the field whose value it is; null of another string. */
	readonly field: string | null;
	/** Number of the object or list that it lies in, in the order in which they open. */
	readonly within: number;
}

/**
 * The strings of a JSON text, from the left; keys that stand twice come twice. Token by token: recursion would overflow the stack.
 *
 * @param text that can be parsed
 */
export function* stringsIn(text: string): Generator<JsonString> {
	const scanner = createScanner(text, true);
	const open: number[] = [];
	let opened = 0;
	let field: string | null = null;
	for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
		const from = scanner.getTokenOffset();
		const sign = text.charAt(from);
		if (sign === ":") continue;
		const of = field;
		field = null;
		if (sign === "{" || sign === "[") {
			opened += 1;
			open.push(opened);
		} else if (sign === "}" || sign === "]") open.pop();
		if (sign !== '"') continue;
		const to = from + scanner.getTokenLength();
		const said = scanner.getTokenValue();
		const isKey = text.charAt(after(SPACE, text, to)) === ":";
		yield { from, to, said, isKey, field: of, within: open.at(-1) ?? 0 };
		field = isKey ? said : null;
	}
}

const SHOWN_KEY = 80;

/**
 * Finds the first duplicate key in one object of a JSON text, at any depth: readers of JSON differ in which of the two
 * they take, so that such a text says two things. Keys are compared as they read: `"a"` is `"\\u0061"`.
 *
 * @returns the key, cut to 80 characters
 */
export function duplicateKey(text: string): string | null {
	const known = new Set<string>();
	for (const { said, isKey, within } of stringsIn(text)) {
		if (!isKey) continue;
		const key = `${within} ${said}`;
		if (known.has(key)) return said.slice(0, SHOWN_KEY);
		known.add(key);
	}
	return null;
}
