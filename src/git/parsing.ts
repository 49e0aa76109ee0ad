import { isUtf8 } from "node:buffer";
import type { GitAnswer } from "./run-git.ts";

/**
 * A path of git as text: itself when it is UTF-8, else each foreign byte as `\xHH`.
 *
 * The escaped form is for showing; it finds no file.
 *
 * @example the bytes `61 ff` give `"a\\xff"`
 */
export function pathText(bytes: Buffer): string {
	if (isUtf8(bytes)) return bytes.toString("utf8");
	return bytes
		.toString("latin1")
		.replaceAll(
			/[\u0080-\u00ff]/g,
			(character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
		);
}

/** The fields of a `-z` output, as bytes; the empty end is no field. */
export function zeroFields(bytes: Buffer): Buffer[] {
	const fields: Buffer[] = [];
	let start = 0;
	while (start < bytes.length) {
		const end = bytes.indexOf(0, start);
		if (end === -1) break;
		fields.push(bytes.subarray(start, end));
		start = end + 1;
	}
	if (start < bytes.length) fields.push(bytes.subarray(start));
	return fields;
}

/** The inverse of `zeroFields`: each field with a NUL behind it. */
export function joinZero(fields: readonly (Buffer | string)[]): Buffer {
	const end = Buffer.of(0);
	return Buffer.concat(fields.flatMap((field) => [Buffer.from(field), end]));
}

/** The answer as text without the line end that git puts behind it; a path may itself end with one. */
export function lineOf({ stdout }: GitAnswer): string {
	const text = stdout.toString("utf8");
	return text.endsWith("\n") ? text.slice(0, -1) : text;
}

/** For commands whose exit code or side effect is all that counts. */
export function nothing(): void {}

/** Whether git skipped a directory that it may not list; it warns of it and ends well all the same. */
export function isPartial({ stderr }: GitAnswer): boolean {
	return stderr.includes("could not open directory");
}
