import { sha256 } from "../kernel/json.ts";
import { TOKEN_KINDS } from "./token-kinds.ts";

/**
 * Every rule that a mark can name. What reads like a mark of another rule is ordinary text: otherwise a secret that is
 * written as a rule would be passed by.
 */
const MARK_RULES: readonly string[] = [
	"env",
	"config",
	"url",
	"notify",
	"secret",
	"jwt",
	"private-key",
	...new Set(TOKEN_KINDS.map(({ rule }) => rule)),
];

/** A mark; the pattern has no way to go back over text. */
const MARK = new RegExp(`(\\[MASKED:(?:${MARK_RULES.join("|")}):[0-9a-f]{4}\\])`);

/**
 * Mark of a secret, by its rule (one of `MARK_RULES`) and the first digits of its SHA-256: `markOf("env",
 * "hunter2hunter2")` is `"[MASKED:env:7688]"`.
 */
export function markOf(rule: string, value: string): string {
	return `[MASKED:${rule}:${sha256(value).slice(0, 4)}]`;
}

/** The first mark in a text. */
export function firstMark(text: string): string | undefined {
	return MARK.exec(text)?.[0];
}

export function betweenMarks(text: string, change: (part: string) => string): string {
	if (!text.includes("[MASKED:")) return change(text);
	// Splitting by a pattern with a group gives text and mark by turns.
	const parts = text.split(MARK);
	return parts.map((part, index) => (index % 2 === 0 ? change(part) : part)).join("");
}
