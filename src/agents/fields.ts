/** The value of a JSON text; undefined for a text that is not JSON. */
export function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value has fields: an object that is not a list. */
export function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value's own fields; none for anything but an object. Programs change what they print without a word. */
export function fieldsOf(value: unknown): Fields {
	return isFields(value) ? value : {};
}

/** A list, or an empty one for everything else. */
export function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** A text that is not empty; null for everything else. */
export function wordsOf(value: unknown): string | null {
	return typeof value === "string" && value !== "" ? value : null;
}

/**
 * What stands at a path of names; undefined when the path leads nowhere.
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

/** The text at a path, which may be empty; null for anything but a text. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
	const found = fieldAt(value, ...path);
	return typeof found === "string" ? found : null;
}

/**
 * The number at a path, or without a path the value itself; null for anything but a finite number from 0 on, as
 * counts and costs are.
 */
export function countAt(value: unknown, ...path: readonly string[]): number | null {
	const found = fieldAt(value, ...path);
	return typeof found === "number" && Number.isFinite(found) && found >= 0 ? found : null;
}

const MOST_TOKENS = 1e12;

/**
 * The count of tokens at a path, or without a path the value itself; null for anything but a whole number from 0 to
 * 1,000,000,000,000, which is unknown.
 */
export function tokensAt(value: unknown, ...path: readonly string[]): number | null {
	const found = countAt(value, ...path);
	return Number.isInteger(found) && (found ?? 0) <= MOST_TOKENS ? found : null;
}
