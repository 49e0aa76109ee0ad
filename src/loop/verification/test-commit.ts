import { filesAt, treeOf } from "../../git/changes.ts";
import type { Vault } from "../../git/vault.ts";
import { commitWithFiles, type PlacedFile } from "../../git/with-files.ts";
import { isHouseRule } from "../../verification/house-rules.ts";
import type { Suite } from "../../verification/suite.ts";

/** A commit with its tree. */
export interface TreeCommit {
	readonly commit: string;
	readonly tree: string;
}

/** The files of a suite, as they can be put into another tree. */
export async function filesOf(
	vault: Vault,
	{ commit }: Pick<Suite, "commit">,
): Promise<PlacedFile[]> {
	return (await filesAt(vault, commit)).map(({ path, mode, oid }) => ({ path, mode, oid }));
}

/**
 * A commit with the files of another one and a verifier's tests over them. No ref holds it: it is made
 * for a checkout that is filled at once.
 *
 * @param also further files, such as a mutant's
 */
export async function testCommit(
	vault: Vault,
	{
		of,
		suite,
		also = [],
	}: {
		readonly of: string;
		readonly suite: Pick<Suite, "commit">;
		readonly also?: readonly PlacedFile[];
	},
): Promise<TreeCommit> {
	const files = [...also, ...(await filesOf(vault, suite))];
	const commit = await commitWithFiles(vault, {
		of,
		files,
		parents: [of],
		message: "A verifier's tests over a commit",
		at: 0,
	});
	return { commit, tree: await treeOf(vault, commit) };
}

/**
 * The files of a commit without its history and without house rules: what a verifier is shown tells nothing of earlier
 * turns, and nothing of how the house builds.
 */
export async function shownCommit(
	vault: Vault,
	commit: string,
	contextFiles: readonly string[],
): Promise<string> {
	const files = (await filesAt(vault, commit))
		.filter(({ path }) => isHouseRule(path, contextFiles))
		.map(({ path, mode }) => ({ path, mode, oid: null }));
	const message = "The work to verify";
	return await commitWithFiles(vault, { of: commit, files, parents: [], message, at: 0 });
}
