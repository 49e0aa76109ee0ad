import { createScanner } from "jsonc-parser";
import { isFields, jsonIn } from "../kernel/fields.ts";

/**
 * The JSON object in a text: from its first brace, or from the last line with a brace in front, to its last one; null where
 * neither is one. Two looks, whatever the text holds.
 *
 * @example `lastJsonObject('Done: {"a": {"b": 1}}.')` is `'{"a": {"b": 1}}'`
 */
export function lastJsonObject(text: string): string | null {
	for (const from of [text.indexOf("{"), text.lastIndexOf("\n{") + 1]) {
		const object = text.slice(Math.max(0, from), text.lastIndexOf("}") + 1);
		if (isFields(jsonIn(object))) return object;
	}
	return null;
}

const COLON = /[ \t\n\r]*:/y;

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
		COLON.lastIndex = to;
		const isKey = COLON.test(text);
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
