/** White space; matches nothing too. */
export const SPACE: RegExp = /[ \t\n\r]*/y;
/** A value that is neither text, list nor object. */
export const SCALAR: RegExp = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Index after the match of a sticky pattern at `at`; -1 without one. */
export function after(pattern: RegExp, text: string, at: number): number {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Where a text in quotes ends. */
export interface StringEnd {
	/** Index after the closing quote, or of what is wrong. */
	readonly at: number;
	readonly closed: boolean;
}

/** Reads the text in quotes that opens at `start` (RFC 8259, section 7). */
export function endOfString(text: string, start: number): StringEnd {
	let at = start + 1;
	while (at < text.length) {
		const code = text.charCodeAt(at);
		if (code === 0x22) return { at: at + 1, closed: true };
		const next = code === 0x5c ? after(ESCAPE, text, at) : at + 1;
		if (code < 0x20 || next < 0) break;
		at = next;
	}
	return { at, closed: false };
}
