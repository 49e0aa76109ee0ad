import { Fault } from "../kernel/fault.ts";
import { type DiffText, diffText, plainDiff, treeOf } from "./changes.ts";
import { treeDifferences } from "./diff-tree.ts";
import { askKept, failure } from "./run-git.ts";
import { type Vault, vaultPlace } from "./vault.ts";

/** Two commits to compare. */
export interface CommitPair {
	readonly from: string;
	readonly to: string;
}

/**
 * Several differences as `diffText` gives them, in one request.
 *
 * @param limits for each text
 */
export async function diffTexts(
	vault: Vault,
	pairs: readonly CommitPair[],
	{ maxBytes }: { readonly maxBytes: number },
): Promise<readonly DiffText[]> {
	if (pairs.length === 0) return [];
	const headers: string[] = [];
	for (const { from, to } of pairs) {
		headers.push(`${await treeOf(vault, from)} ${await treeOf(vault, to)}\n`);
	}
	const place = vaultPlace(vault);
	const query = treeDifferences(plainDiff, headers, maxBytes);
	const told = await askKept(place, query);
	if ("answer" in told) {
		const parts = partsOf(told.answer, headers);
		return parts.map((bytes) => ({ text: bytes.toString("utf8"), truncated: false }));
	}
	if (!told.ended.truncated) throw failure(place, query, told.ended);
	// Which of them is too long is told by each.
	return await Promise.all(pairs.map(({ from, to }) => diffText(vault, from, to, { maxBytes })));
}

// No line of a diff begins as a header does, with the id of a tree.
function partsOf(bytes: Buffer, headers: readonly string[]): Buffer[] {
	const starts: number[] = [];
	let at = 0;
	for (const header of headers) {
		at = lineStart(bytes, header, at);
		starts.push(at);
		at += header.length;
	}
	return headers.map((header, nth) =>
		bytes.subarray((starts[nth] ?? 0) + header.length, starts[nth + 1] ?? bytes.length),
	);
}

function lineStart(bytes: Buffer, header: string, from: number): number {
	if (bytes.indexOf(header, from, "latin1") === from) return from;
	const at = bytes.indexOf(`\n${header}`, from, "latin1");
	if (at === -1) throw unexpected(header);
	return at + 1;
}

function unexpected(header: string): Fault {
	return new Fault(`git diff-tree did not answer the question ${header.trim()}`, {
		code: "git-failed",
		retryable: true,
		hint: "Resume the run. If it happens again, try another version of git.",
	});
}
