/** An object as `JSON.parse` makes it. */
export type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value's own fields; none for anything but an object. Harnesses change what they print without a word. */
export function fieldsOf(value: unknown): Fields {
	return isFields(value) ? value : {};
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

/** The text at a path; null for anything but a text. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
	const found = fieldAt(value, ...path);
	return typeof found === "string" ? found : null;
}

/** The number at a path; null for anything but a finite number from 0 on, as counts and costs are. */
export function countAt(value: unknown, ...path: readonly string[]): number | null {
	const found = fieldAt(value, ...path);
	return typeof found === "number" && Number.isFinite(found) && found >= 0 ? found : null;
}
