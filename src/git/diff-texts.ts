import { type DiffText, diffText, plainDiff, treeOf } from "./changes.ts";
import { runGit } from "./run-git.ts";
import { type Vault, vaultPlace } from "./vault.ts";

/** Two commits to compare. */
export interface CommitPair {
	readonly from: string;
	readonly to: string;
}

/**
 * Several differences as `diffText` gives them, by one process.
 *
 * @param limits for each text
 */
export async function diffTexts(
	vault: Vault,
	pairs: readonly CommitPair[],
	{ maxBytes }: { readonly maxBytes: number },
): Promise<readonly DiffText[]> {
	const apart = () =>
		Promise.all(pairs.map(({ from, to }) => diffText(vault, from, to, { maxBytes })));
	if (pairs.length < 2) return await apart();
	const headers: string[] = [];
	for (const { from, to } of pairs) {
		headers.push(`${await treeOf(vault, from)} ${await treeOf(vault, to)}\n`);
	}
	const together = await runGit(vaultPlace(vault), {
		args: ["diff-tree", "--stdin", ...plainDiff],
		stdin: headers.join(""),
		maxStdout: maxBytes,
		parse: ({ stdout, truncated }) => (truncated ? null : partsOf(stdout, headers)),
	});
	// Which of them is too long is told by each.
	return (
		together?.map((bytes) => ({ text: bytes.toString("utf8"), truncated: false })) ??
		(await apart())
	);
}

/** What follows each header. No line of a diff begins as a header does, with the id of a tree. */
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
	if (at === -1) throw new Error(`git told nothing of ${header}`);
	return at + 1;
}
