import { createScanner } from "jsonc-parser";
import { randomId } from "../kernel/ids.ts";

// Matches nothing too.
export const SPACE: RegExp = /[ \t\n\r]*/y;
const SCALAR: RegExp = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Index after the match of a sticky pattern at `at`; -1 without one. */
export function after(pattern: RegExp, text: string, at: number): number {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex : -1;
}

export function endOfString(
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

export interface JsonSpan {
	readonly start: number;
	readonly end: number;
}

function outermost(text: string, opening: RegExp): JsonSpan[] {
	const ends = containerEnds(text);
	const containers: JsonSpan[] = [];
	for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
		const end = ends.get(found.index);
		if (end === undefined) continue;
		containers.push({ start: found.index, end });
		opening.lastIndex = end;
	}
	return containers;
}

export function topContainers(text: string): JsonSpan[] {
	return outermost(text, /[[{]/g);
}

/**
 * Finds the JSON objects in free text that lie in no other object and in no list, in order: agents talk around them,
 * and braces in their talk or in their texts do not mislead. Linear in the length of the text, whatever it holds.
 *
 * @example `topObjects('{"a": {"b": 1}} [{"c": 2}]')` is `[{ start: 0, end: 15 }]`
 */
export function topObjects(text: string): JsonSpan[] {
	return topContainers(text).filter(({ start }) => text.charAt(start) === "{");
}

/**
 * The last JSON object in free text that lies in no other object, as it stands there; null without one. Linear
 * likewise.
 *
 * @example `lastJsonObject('Done: {"a": {"b": 1}} {oops')` is `'{"a": {"b": 1}}'`
 */
export function lastJsonObject(text: string): string | null {
	const last = outermost(text, /\{/g).at(-1);
	return last === undefined ? null : text.slice(last.start, last.end);
}

const SHOWN_KEY = 80;

interface Name {
	readonly key: string;
	readonly start: number;
	readonly end: number;
}

// Token by token: recursion would overflow the stack.
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
 * Finds the first duplicate key in one object of a JSON text, at any depth: readers of JSON differ in which of the two
 * they take, so that such a text says two things. Keys are compared as they read: `"a"` is `"\\u0061"`.
 *
 * @returns the key, cut to 80 characters
 */
export function duplicateKey(text: string): string | null {
	for (const { key } of repeatedKeys(text)) return key.slice(0, SHOWN_KEY);
	return null;
}

/**
 * Gives each repeated key of a JSON text another name, so that `JSON.parse`, which keeps the last of several values,
 * drops none. The first one keeps its name; the others get one that nobody can foresee.
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
