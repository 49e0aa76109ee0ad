import { attempt } from "./attempt.ts";

export function jsonIn(text: string): unknown {
	return attempt((): unknown => JSON.parse(text), undefined);
}

export type Fields = Readonly<Record<string, unknown>>;

/** Way to a value: names of keys and indices of lists. */
export type Path = readonly (string | number)[];

/** Tells whether a value is an object that is not a list. */
export function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Programs change what they print without a word: anything but an object has no fields.
export function fieldsOf(value: unknown): Fields {
	return isFields(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** A text that is not empty, else null. */
export function wordsOf(value: unknown): string | null {
	return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Finds what stands at a path of names.
 *
 * @example `fieldAt({ a: { b: 1 } }, "a", "b")` is 1
 */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
	let found = value;
	for (const name of path) {
		if (!isFields(found) || !Object.hasOwn(found, name)) return undefined;
		found = found[name];
	}
	return found;
}

/** The text at a path, which may be empty, else null. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
	const found = fieldAt(value, ...path);
	return typeof found === "string" ? found : null;
}

/** The finite number from 0 on at a path, else null; without a path the value itself. */
export function countAt(value: unknown, ...path: readonly string[]): number | null {
	const found = fieldAt(value, ...path);
	return typeof found === "number" && Number.isFinite(found) && found >= 0 ? found : null;
}

const MOST_TOKENS = 1e12;

/** The whole number at a path, up to 1,000,000,000,000, else null; without a path the value itself. */
export function tokensAt(value: unknown, ...path: readonly string[]): number | null {
	const found = countAt(value, ...path);
	const isWhole = found !== null && Number.isInteger(found) && found <= MOST_TOKENS;
	return isWhole ? found : null;
}
