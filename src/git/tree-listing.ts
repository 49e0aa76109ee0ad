import { keptAnswers } from "./kept-answers.ts";
import { type Repository, repositoryPlace } from "./repository.ts";
import { type GitPlace, runGit } from "./run-git.ts";

const MOST_BYTES = 2_000_000;

const listings = keptAnswers<Buffer>(
	20,
	({ length }) => length <= MOST_BYTES,
	({ repository }) => repository,
);

/** All files of a commit as `git ls-tree -r -z` writes them; git is asked once in a process. */
export function treeListing(
	repository: Repository,
	commit: string,
	place: GitPlace = repositoryPlace(repository),
): Promise<Buffer> {
	const args = ["ls-tree", "-r", "-z", "--full-tree", commit];
	return listings.of({ repository }, [commit], "", () =>
		runGit(place, { args, parse: ({ stdout }) => stdout }),
	);
}
