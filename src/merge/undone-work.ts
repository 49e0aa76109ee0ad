import { changesBetween } from "../git/changes.ts";
import type { FileChange } from "../git/file-change.ts";
import { firstParents } from "../git/merging.ts";
import type { Vault } from "../git/vault.ts";

/** Merged work of a task that the tip of the integration branch no longer contains. */
export interface UndoneWork {
	readonly task: string;
	/** Files with the content that they had before the task merged. */
	readonly paths: readonly string[];
	/** True where these are all the files that the task changed. */
	readonly whole: boolean;
}

/** A merged task, and its merge commit. */
export interface MergedTask {
	readonly task: string;
	readonly commit: string;
}

/**
 * Finds the merged work that manual commits on the integration branch undid, file by file.
 *
 * A file that a later task changed is skipped, since that change was tested. A manual change that does not restore the
 * old content is not reported.
 *
 * @param merges in the order in which they merged
 * @returns empty when the branch has no commits other than the merges
 */
export async function undoneWork(
	vault: Vault,
	{
		base,
		tip,
		merges,
	}: { readonly base: string; readonly tip: string; readonly merges: readonly MergedTask[] },
): Promise<UndoneWork[]> {
	const own = new Set(merges.map(({ commit }) => commit));
	const chain = await firstParents(vault, base, tip);
	if (chain.length === own.size && chain.every((commit) => own.has(commit))) return [];
	const undone: UndoneWork[] = [];
	const later = new Set<string>();
	for (const { task, commit } of merges.toReversed()) {
		const made = await changesBetween(vault, `${commit}^1`, commit);
		const last = made.filter(({ path }) => !later.has(path));
		const paths = undonePaths(last, await changesBetween(vault, commit, tip));
		for (const { path } of made) later.add(path);
		if (paths.length > 0) undone.push({ task, paths, whole: paths.length === made.length });
	}
	return undone.reverse();
}

function undonePaths(made: readonly FileChange[], since: readonly FileChange[]): string[] {
	const now = new Map(since.map((change) => [change.path, change]));
	return made.flatMap(({ path, oldOid, oldMode }) => {
		const change = now.get(path);
		return change?.newOid === oldOid && change.newMode === oldMode ? [path] : [];
	});
}
