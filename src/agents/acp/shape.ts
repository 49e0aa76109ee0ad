/** An object of unknown content. */
export type Shape = Readonly<Record<string, unknown>>;

/** What an agent says has no shape that could be trusted: anything but an object is an empty one. */
export function shapeOf(value: unknown): Shape {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
	// An object that is no array has names, and whatever stands at them is unknown.
	return value as Shape;
}

/** A text that is not empty; null for everything else. */
export function textOf(value: unknown): string | null {
	return typeof value === "string" && value !== "" ? value : null;
}

/** A list, or an empty one for everything else. */
export function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** A finite number from 0; null for everything else. */
export function amountOf(value: unknown): number | null {
	return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

/** A message quotes at most so much of what an agent said. In characters. */
const QUOTED = 300;

/**
 * One line of foreign text for a message: without control characters, at most 300 characters.
 *
 * @example `quote("a\n\u001b[31mb")` is `"a [31mb"`
 */
export function quote(text: string): string {
	const start = text.slice(0, 4 * QUOTED).replaceAll(/[\p{Cc}\s]+/gu, " ");
	return start.trim().slice(0, QUOTED);
}
