import { randomId } from "../kernel/ids.ts";
import { after, endOfString, SPACE } from "./json-tokens.ts";

/** Index of the next quote or bracket at or after `at`; -1 without one. */
function nextMark(text: string, at: number): number {
	const marks = /["{}[\]]/g;
	marks.lastIndex = at;
	return marks.exec(text)?.index ?? -1;
}

/** A longer key is shown cut. In characters. */
const SHOWN_KEY = 80;

/** Follows the brackets of a JSON text, with the keys of each object that is open. */
class OpenObjects {
	/** null for an open list. */
	readonly #open: (Set<string> | null)[] = [];

	bracket(char: string): void {
		if (char === "{" || char === "[") this.#open.push(char === "{" ? new Set() : null);
		else this.#open.pop();
	}

	/** Notes a key of the innermost object; whether it stands there already. */
	isTwice(key: string): boolean {
		const keys = this.#open.at(-1);
		const twice = keys?.has(key) === true;
		keys?.add(key);
		return twice;
	}
}

/** A key that stood in its object before. */
interface Repeated {
	readonly key: string;
	/** Index of its opening quote. */
	readonly start: number;
	/** Index after its closing quote. */
	readonly end: number;
}

function* repeatedKeys(text: string): Generator<Repeated> {
	const objects = new OpenObjects();
	for (let at = nextMark(text, 0); at >= 0; at = nextMark(text, at)) {
		if (text.charAt(at) !== '"') {
			objects.bracket(text.charAt(at));
			at += 1;
			continue;
		}
		const start = at;
		at = endOfString(text, start).at;
		if (text.charAt(after(SPACE, text, at)) !== ":") continue;
		// A text in quotes of a JSON text is a JSON text, and its value a text.
		const key = JSON.parse(text.slice(start, at)) as string;
		if (objects.isTwice(key)) yield { key, start, end: at };
	}
}

/**
 * The first key that stands twice in one object of a JSON text, at any depth: readers of JSON differ in which of the
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
