import { pathText, treeEntries } from "./parsing.ts";
import { type Repository, repositoryPlace } from "./repository.ts";
import { runGit } from "./run-git.ts";

/** All files of a commit as `git ls-tree -r -z` writes them. */
export function baseListing(repository: Repository, commit: string): Promise<Buffer> {
	return runGit(repositoryPlace(repository), {
		args: ["ls-tree", "-r", "-z", "--full-tree", commit],
		parse: ({ stdout }) => stdout,
	});
}

export async function submodulesAt(repository: Repository, commit: string): Promise<string[]> {
	const listing = await baseListing(repository, commit);
	// Most repositories have none, and one search is cheaper than splitting every line.
	if (!listing.includes("160000 commit ")) return [];
	return treeEntries(listing)
		.filter(({ mode }) => mode === "160000")
		.map(({ path }) => pathText(path));
}
