import { isUtf8 } from "node:buffer";
import { objectSizes } from "./objects.ts";
import type { GitPlace } from "./run-git.ts";

/**
 * A difference in which a file that is no text has one line, with its size: git looks at the beginning of a file alone, and
 * prints the rest as lines.
 */
export async function withoutBinary(place: GitPlace, diff: Buffer): Promise<Buffer> {
	if (!diff.includes("\nBinary files ") && !hasControls(diff.toString("latin1"))) return diff;
	const sections = diff.toString("latin1").split(/^(?=diff --git )/m);
	const heads = sections.map(binaryHead);
	const names = heads.flatMap((head) => (head === null ? [] : [contentIn(head)]));
	const sizes = (await objectSizes(place, names))[Symbol.iterator]();
	const shown = sections.map((section, nth) => {
		const head = heads[nth];
		return head == null ? section : `${head} (binary, ${sizes.next().value ?? 0} bytes)\n`;
	});
	return Buffer.from(shown.join(""), "latin1");
}

/** Line that git has for a section about a binary file, without the end of its last line; null for one of text. */
function binaryHead(section: string): string | null {
	const at = section.search(/^@@ /m);
	const head = at === -1 ? section : section.slice(0, at);
	if (/^Binary files .* differ$/m.test(head)) return head.trimEnd();
	const [sides = "", old = "", fresh = ""] = /^--- (.*)\n\+\+\+ (.*)\n$/m.exec(head) ?? [];
	const lines = section.slice(head.length);
	const isText = !lines.includes("\0") && (!hasControls(lines) || isUtf8(bytesOf(lines)));
	return isText
		? null
		: `${head.slice(0, head.length - sides.length)}Binary files ${old.trimEnd()} and ${fresh.trimEnd()} differ`;
}

const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");

// Bytes: those above 127 stand in texts.
const hasControls = (text: string): boolean => /(?![\s\u007f-\u009f])\p{Cc}/u.test(text);

/** Abbreviated id of the content after a change; before it, where there is none. */
function contentIn(head: string): string {
	const [, old = "", fresh = ""] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/m.exec(head) ?? [];
	return /^0*$/.test(fresh) ? old : fresh;
}
