import { pathText, treeEntries } from "./parsing.ts";
import { type Repository, repositoryPlace } from "./repository.ts";
import { runGit } from "./run-git.ts";

/** Larger listings are not kept, in bytes: about 15,000 files. */
const LARGEST_KEPT = 1_048_576;

/** A commit's listing is the same in every repository that has it. */
let last: { readonly commit: string; readonly listing: Buffer } | null = null;

/**
 * All files of a commit as `git ls-tree -r -z` writes them. The last small listing is kept, because the beginning of a
 * run reads that of the base commit three times: for submodules, and for filters before and after it is created.
 *
 * @param commit a full id
 */
export async function baseListing(repository: Repository, commit: string): Promise<Buffer> {
	if (last?.commit === commit) return last.listing;
	const listing = await runGit(repositoryPlace(repository), {
		args: ["ls-tree", "-r", "-z", "--full-tree", commit],
		parse: ({ stdout }) => stdout,
	});
	last = listing.length <= LARGEST_KEPT ? { commit, listing } : null;
	return listing;
}

/** The submodules that a commit records, as paths. */
export async function submodulesAt(repository: Repository, commit: string): Promise<string[]> {
	const listing = await baseListing(repository, commit);
	// Most repositories have none, and one search is cheaper than splitting every line.
	if (!listing.includes("160000 commit ")) return [];
	return treeEntries(listing)
		.filter(({ mode }) => mode === "160000")
		.map(({ path }) => pathText(path));
}
