export interface Within {
	readonly text: string;
	/** Offset into it, in UTF-16 units. */
	readonly from: number;
}

/**
 * Offset in a file of a place inside a value that is written there, plainly or in quotation marks.
 * Where the file writes the text otherwise (escapes, several lines, an alias), the start of the value.
 *
 * @param start offset in the file at which the value begins, its quotation mark included
 * @example `offsetWithin('- "a == b"', 2, { text: "a == b", from: 5 })` is 8
 */
export function offsetWithin(file: string, start: number, { text, from }: Within): number {
	const begin = [start, start + 1].find((each) => file.startsWith(text, each));
	return begin === undefined ? start : begin + from;
}
