import { lineOf } from "./parsing.ts";
import { type Repository, repositoryPlace } from "./repository.ts";
import { type GitPlace, type GitQuery, runGit } from "./run-git.ts";
import type { GitHost } from "./standard-host.ts";

/**
 * The first commits of the history behind HEAD: what all clones of a repository share, whatever they are called. Reads the
 * whole history.
 *
 * @returns full ids, at least one; null for a shallow clone, which does not have them
 */
export async function rootCommits(repository: Repository): Promise<readonly string[] | null> {
	if (repository.shallow) return null;
	return await runGit(repositoryPlace(repository), {
		args: ["rev-list", "--max-parents=0", repository.headCommit],
		parse: (answer) => lineOf(answer).split("\n"),
	});
}

/**
 * True where a work tree is of the repository with one of these first commits (a clone may have a single branch); null
 * for a shallow clone, of which it cannot be said.
 *
 * @throws Fault `git-failed` where there is no repository
 */
export async function hasRootOf(
	{ root, host }: { readonly root: string; readonly host: GitHost },
	roots: readonly string[],
): Promise<boolean | null> {
	const place: GitPlace = { host, configuration: "users", cwd: root };
	if (await runGit(place, anyOf(roots))) return true;
	return (await runGit(place, isShallow)) ? null : false;
}

function anyOf(ids: readonly string[]): GitQuery<boolean> {
	return {
		args: ["cat-file", "--batch-check=%(objecttype)"],
		stdin: ids.map((id) => `${id}\n`).join(""),
		parse: (answer) => lineOf(answer).split("\n").includes("commit"),
	};
}

const isShallow: GitQuery<boolean> = {
	args: ["rev-parse", "--is-shallow-repository"],
	parse: (answer) => lineOf(answer) === "true",
};
