/** The value at a path of keys inside of parsed JSON; undefined where it is not there. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
	let found = value;
	for (const key of keys) {
		if (typeof found !== "object" || found === null) return undefined;
		// Any object may be read by any key: what is not there is undefined.
		found = (found as Readonly<Record<string, unknown>>)[key];
	}
	return found;
}

/** A list as it is; everything else is an empty one. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
	const found = at(value, ...keys);
	return Array.isArray(found) ? found : [];
}

/** A text as it is; everything else is an empty one. */
export function textAt(value: unknown, ...keys: readonly string[]): string {
	const found = at(value, ...keys);
	return typeof found === "string" ? found : "";
}

/** The text of a message's content: a text, or the texts of its parts, one a line. */
export function contentText(content: unknown): string {
	if (typeof content === "string") return content;
	return listAt(content)
		.map((part) => textAt(part, "text"))
		.filter((text) => text !== "")
		.join("\n");
}
