import { after, endOfString, SPACE } from "./json-tokens.ts";

/** Index of the next quote or bracket at or after `at`; -1 without one. */
function nextMark(text: string, at: number): number {
	const marks = /["{}[\]]/g;
	marks.lastIndex = at;
	return marks.exec(text)?.index ?? -1;
}

/** A longer key is shown cut. In characters. */
const SHOWN_KEY = 80;

/**
 * The first key that stands twice in one object of a JSON text, at any depth: readers of JSON differ in which of the
 * two they take, so that such a text says two things. Keys are compared as they read: `"a"` is `"\\u0061"`.
 *
 * @param text JSON: what `JSON.parse` accepts
 * @returns the key, cut to 80 characters; null when there is none
 * @example `duplicateKey('[{"a":1,"b":{"a":2},"a":3}]')` is `"a"`
 */
export function duplicateKey(text: string): string | null {
	// The keys of each open object; null for an open list.
	const open: (Set<string> | null)[] = [];
	for (let at = nextMark(text, 0); at >= 0; at = nextMark(text, at)) {
		const char = text.charAt(at);
		if (char !== '"') {
			if (char === "{" || char === "[") open.push(char === "{" ? new Set() : null);
			else open.pop();
			at += 1;
			continue;
		}
		const end = endOfString(text, at).at;
		const isKey = text.charAt(after(SPACE, text, end)) === ":";
		const keys = isKey ? open.at(-1) : null;
		if (keys instanceof Set) {
			// A text in quotes of a JSON text is a JSON text, and its value a text.
			const key = JSON.parse(text.slice(at, end)) as string;
			if (keys.has(key)) return key.slice(0, SHOWN_KEY);
			keys.add(key);
		}
		at = end;
	}
	return null;
}
