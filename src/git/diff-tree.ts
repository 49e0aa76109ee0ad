import { randomId } from "../kernel/ids.ts";
import type { KeptQuery } from "./run-git.ts";

/**
 * Differences of pairs of trees (`<tree> <tree>\n`), each behind its header: the header alone where a tree is missing.
 */
export function treeDifferences(
	options: readonly string[],
	headers: readonly string[],
	maxBytes: number = Number.POSITIVE_INFINITY,
): KeptQuery<Buffer> {
	// A line that names no object is printed as it is, so that the end of the last difference can be seen.
	const last = Buffer.from(`end ${randomId(32)}\n`);
	const parts: Buffer[] = [];
	return {
		args: ["diff-tree", "--stdin", ...options],
		input: `${headers.join("")}${last.toString()}`,
		maxBytes: maxBytes + last.length,
		repeatable: true,
		read: (bytes) => {
			const used = Math.max(0, bytes.length - last.length);
			parts.push(Buffer.from(bytes.subarray(0, used)));
			return bytes.subarray(used).equals(last)
				? { answer: Buffer.concat(parts) }
				: { used, atLeast: bytes.length - used + 1 };
		},
	};
}
