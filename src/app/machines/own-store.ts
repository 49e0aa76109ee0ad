import type { Repository } from "../../git/repository.ts";
import { hasRootOf, rootCommits } from "../../git/root-commits.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Postgres } from "../../store/postgres/postgres.ts";
import { storedRoots, storeRoots } from "../../store/postgres/roots.ts";
import type { Places } from "../places.ts";

/**
 * Refuses a store that has the runs of another repository: their commits are not here, and whoever answers or cancels them
 * takes them for this repository's. A shallow clone cannot tell, and is let in. Without runs the store is anybody's, and
 * git is not asked.
 *
 * @throws Fault `usage`
 */
export async function requireOwnStore(
	postgres: Postgres,
	{ root, host }: Pick<Places, "root" | "host">,
): Promise<void> {
	const roots = await storedRoots(postgres);
	if (roots === null || (await hasRootOf({ root, host }, roots)) !== false) return;
	throw ofAnother(postgres, root, roots);
}

/**
 * Makes a store that has no repository yet that of this one, before a run begins; a shallow clone leaves it as it is. Reads
 * the whole history: a repository that only fetched the commits of another one can look at its runs, but begins none.
 *
 * @throws Fault `usage` where it has another one, which may have come first just now
 */
export async function claimStore(
	postgres: Postgres,
	places: Pick<Places, "root" | "host">,
	repository: Repository,
): Promise<void> {
	const own = await rootCommits(repository);
	if (own === null) return await requireOwnStore(postgres, places);
	if ((await storedRoots(postgres)) === null) await storeRoots(postgres, own);
	const roots = (await storedRoots(postgres)) ?? own;
	if (!roots.some((id) => own.includes(id))) throw ofAnother(postgres, places.root, roots);
}

function ofAnother(
	{ schema, shown }: Pick<Postgres, "schema" | "shown">,
	root: string,
	[first = ""]: readonly string[],
): Fault {
	return new Fault(
		`the schema ${schema} of the store ${shown} has the runs of another repository than ${root}: its first commit is ${first.slice(0, 12)}`,
		{
			code: "usage",
			hint: "Give each repository a schema: add `?schema=NAME` to the store's address, then run `spar store migrate`.",
		},
	);
}
