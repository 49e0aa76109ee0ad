import { isUtf8 } from "node:buffer";

/** Low surrogates without a high one before them: bytes from 0x80 on that are no UTF-8. */
const LONE_BYTES = /[\udc80-\udcff]+/u;

/**
 * The text of bytes that {@link bytesOfText} gives back unchanged. In a line that is not valid UTF-8 each byte from 0x80 on is
 * a low surrogate, U+DC80 to U+DCFF: so a text of any encoding can be masked and written.
 *
 * @example `textOfBytes(Buffer.from([0x61, 0xe9]))` is `"a\udce9"`
 */
export function textOfBytes(bytes: Buffer): string {
	if (isUtf8(bytes)) return bytes.toString("utf8");
	const lines: string[] = [];
	for (let start = 0; start < bytes.length; ) {
		const found = bytes.indexOf(0x0a, start);
		const end = found === -1 ? bytes.length : found + 1;
		lines.push(lineText(bytes.subarray(start, end)));
		start = end;
	}
	return lines.join("");
}

function lineText(line: Buffer): string {
	if (isUtf8(line)) return line.toString("utf8");
	return line
		.toString("latin1")
		.replaceAll(/[\x80-\xff]/g, (byte) => String.fromCharCode(0xdc00 + byte.charCodeAt(0)));
}

/** The bytes of a text: itself where UTF-8 says it, else what {@link textOfBytes} read. */
export function bytesOfText(text: string): string | Buffer {
	if (text.isWellFormed()) return text;
	const parts = text.split(new RegExp(`(${LONE_BYTES.source})`, "u"));
	// `split` gives what is between the matches, and the matches, in turn.
	return Buffer.concat(
		parts.map((part, nth) =>
			nth % 2 === 0 ? Buffer.from(part, "utf8") : Buffer.from(lowBytes(part)),
		),
	);
}

const lowBytes = (text: string): number[] =>
	Array.from(text, (character) => character.charCodeAt(0) - 0xdc00);
