import { after, endOfString, SCALAR, SPACE } from "./json-tokens.ts";

/** Index after the value at `at`; -1 when none stands there. Lists and objects are looked up, not read again. */
function valueEnd(text: string, at: number, known: ReadonlyMap<number, number>): number {
	const char = text.charAt(at);
	if (char === "{" || char === "[") return known.get(at) ?? -1;
	if (char !== '"') return after(SCALAR, text, at);
	const { at: end, closed } = endOfString(text, at);
	return closed ? end : -1;
}

/** Index of the value of the member at `at`, after its name and colon; -1 when none stands there. */
function memberValue(text: string, at: number): number {
	if (text.charAt(at) !== '"') return -1;
	const { at: end, closed } = endOfString(text, at);
	const colon = after(SPACE, text, end);
	if (!closed || text.charAt(colon) !== ":") return -1;
	return after(SPACE, text, colon + 1);
}

/** Index after the list or object that opens at `start`; -1 when it is not well formed or never ends. */
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

/** Where each well-formed list and object ends, by its start. */
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

/** Where something stands in a text: index of its first character, and index after its last one. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** What opens with a bracket of the pattern and lies in nothing that does, in order. */
function outermost(text: string, opening: RegExp): Span[] {
	const ends = containerEnds(text);
	const containers: Span[] = [];
	for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
		const end = ends.get(found.index);
		if (end === undefined) continue;
		containers.push({ start: found.index, end });
		opening.lastIndex = end;
	}
	return containers;
}

/** The well-formed lists and objects that lie in no other one, in order. */
export function topContainers(text: string): Span[] {
	return outermost(text, /[[{]/g);
}

/**
 * The JSON objects in free text that lie in no other object and in no list, in order: agents talk around them, with or
 * without fences, and braces in their talk or in their texts do not mislead.
 *
 * Linear in the length of the text, whatever it holds.
 *
 * @example `topObjects('{"a": {"b": 1}} [{"c": 2}]')` is `[{ start: 0, end: 15 }]`
 */
export function topObjects(text: string): Span[] {
	return topContainers(text).filter(({ start }) => text.charAt(start) === "{");
}

/**
 * The last JSON object in free text that lies in no other object: agents talk before and after it, with or without
 * fences, and braces in their talk or in its texts do not mislead.
 *
 * Linear in the length of the text, whatever it holds.
 *
 * @returns the object's text as it stands there; null without one
 * @example `lastJsonObject('Done: {"a": {"b": 1}} {oops')` is `'{"a": {"b": 1}}'`
 */
export function lastJsonObject(text: string): string | null {
	const last = outermost(text, /\{/g).at(-1);
	return last === undefined ? null : text.slice(last.start, last.end);
}
