import { sha256 } from "./json.ts";

/** A mark with its rule of at most 40 characters; the pattern has no way to go back over text. */
const MARK = /(\[MASKED:[a-z0-9_-]{1,40}:[0-9a-f]{4}\])/;

/**
 * What stands for a secret: its rule and the first four hexadecimal digits of the SHA-256 of its value.
 *
 * @param rule lower-case letters, digits, `-` and `_`, at most 40 characters
 * @example `markOf("env", "hunter2hunter2")` is `"[MASKED:env:7688]"`
 */
export function markOf(rule: string, value: string): string {
	return `[MASKED:${rule}:${sha256(value).slice(0, 4)}]`;
}

/** The first mark in a text. */
export function firstMark(text: string): string | undefined {
	return MARK.exec(text)?.[0];
}

/** Applies a change to what stands between the marks of a text; the marks themselves stay. */
export function betweenMarks(text: string, change: (part: string) => string): string {
	if (!text.includes("[MASKED:")) return change(text);
	// Splitting by a pattern with a group gives text and mark by turns.
	const parts = text.split(MARK);
	return parts.map((part, index) => (index % 2 === 0 ? change(part) : part)).join("");
}
