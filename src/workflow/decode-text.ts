import { attempt } from "../kernel/attempt.ts";

/** The largest file that is read as a workflow or a task, in bytes: 1 MiB. */
export const MAX_FILE_BYTES = 1_048_576;

/** Text, or the cause why the bytes are not text, and its line (from 1). */
export type DecodedText =
	| { readonly text: string }
	| { readonly problem: string; readonly hint: string; readonly line: number };

/**
 * Decodes a file that a person wrote: UTF-8, with or without a byte order mark, at most 1 MiB.
 * A text is taken as it is, and measured as UTF-8.
 */
export function decodeText(source: string | Uint8Array): DecodedText {
	const size = typeof source === "string" ? Buffer.byteLength(source) : source.byteLength;
	if (size > MAX_FILE_BYTES)
		return {
			problem: "the file is larger than 1 MiB",
			hint: "move long texts into files and name them in `context_files`",
			line: 1,
		};
	if (typeof source === "string") return { text: source.replace(/^\uFEFF/, "") };
	const text = strictUtf8(source);
	if (text !== undefined) return { text };
	const utf16 =
		(source[0] === 0xff && source[1] === 0xfe) || (source[0] === 0xfe && source[1] === 0xff);
	return {
		problem: utf16 ? "the file is UTF-16, not UTF-8" : "the file is not UTF-8",
		hint: "save it as UTF-8",
		line: utf16 ? 1 : firstBadLine(source),
	};
}

// The decoder's only error is that of the bytes; the caller says where.
const strictUtf8 = (bytes: Uint8Array): string | undefined =>
	attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes), undefined);

/** Line feeds are whole bytes in UTF-8, so that each line can be decoded by itself. */
function firstBadLine(bytes: Uint8Array): number {
	let start = 0;
	for (let line = 1; ; line += 1) {
		const end = bytes.indexOf(0x0a, start);
		const stop = end === -1 ? bytes.length : end;
		if (end === -1 || strictUtf8(bytes.subarray(start, stop)) === undefined) return line;
		start = stop + 1;
	}
}
