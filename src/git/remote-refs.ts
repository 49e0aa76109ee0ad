import { Fault } from "../kernel/fault.ts";
import { lineOf } from "./parsing.ts";
import type { RefEntry } from "./refs.ts";
import { type Reach, unreachable, wordsOf } from "./remotes.ts";
import { type Repository, userPlace } from "./repository.ts";
import { askGit, failure, type GitAnswer, type GitPlace, type GitQuery } from "./run-git.ts";

const ASKING_MS = 60_000;

export const TRANSFER_MS = 600_000;

const TRIES = 3;

export async function askRemote(
	repository: Repository,
	{ remote, env, signal, timeoutMs }: Reach,
	{ query, limitMs }: { readonly query: GitQuery<unknown>; readonly limitMs: number },
): Promise<GitAnswer> {
	const place: GitPlace = { ...userPlace(repository, signal), timeoutMs: timeoutMs ?? limitMs };
	try {
		return await askGit(place, { ...query, env });
	} catch (error) {
		// Too long, or ended from outside: it says nothing of the repository.
		if (!(error instanceof Fault) || error.code !== "git-failed") throw error;
		throw unreachable(remote, error.message, error);
	}
}

const HEADS = "refs/heads/";

/**
 * The refs of a remote below some prefixes, or with exactly those names.
 *
 * @param prefixes such as `["refs/heads/sparring/r1/", "refs/heads/main"]`
 * @throws Fault `remote-unreachable`
 */
export async function remoteRefs(
	repository: Repository,
	reach: Reach,
	prefixes: readonly string[],
): Promise<RefEntry[]> {
	if (prefixes.length === 0) return [];
	const patterns = prefixes.map((prefix) => (prefix.endsWith("/") ? `${prefix}*` : prefix));
	// With it the remote tells no more than its branches.
	const heads = prefixes.every((prefix) => prefix.startsWith(HEADS)) ? ["--heads"] : [];
	const query = { args: ["ls-remote", ...heads, "--", reach.remote, ...patterns], parse: lineOf };
	const answer = await askRemote(repository, reach, { query, limitMs: ASKING_MS });
	if (answer.exitCode !== 0) throw unreachable(reach.remote, wordsOf(answer));
	return refsIn(lineOf(answer), prefixes);
}

/** The commits of branches on a remote, by short name; a branch that is not there is left out. Throws as `remoteRefs`. */
export async function remoteHeads(
	repository: Repository,
	reach: Reach,
	branches: readonly string[],
): Promise<ReadonlyMap<string, string>> {
	const found = await remoteRefs(
		repository,
		reach,
		branches.map((branch) => `${HEADS}${branch}`),
	);
	return new Map(found.map(({ ref, oid }) => [ref.slice(HEADS.length), oid]));
}

// A pattern of `ls-remote` also matches the end of longer names.
export function refsIn(text: string, prefixes: readonly string[]): RefEntry[] {
	const isWanted = (ref: string): boolean =>
		prefixes.some((prefix) => (prefix.endsWith("/") ? ref.startsWith(prefix) : ref === prefix));
	return text.split("\n").flatMap((line) => {
		const [oid = "", ref = ""] = line.split("\t");
		return isWanted(ref) ? [{ ref, oid }] : [];
	});
}

const NOTHING_ELSE =
	"--quiet --no-tags --no-prune --no-prune-tags --no-write-fetch-head --no-recurse-submodules --refmap=".split(
		" ",
	);

/**
 * Fetches refs of a remote. Nothing else of the repository changes: no remote-tracking branch, no tag, no `FETCH_HEAD`.
 *
 * @param refspecs such as `"+refs/sparring/r1/a/1/turn-1:refs/sparring/r1/a/1/turn-1"`, or `"refs/heads/main"`, which
 * brings the commits alone
 * @param how.again fetches all objects, also those that seem to be here: some may be missing or damaged
 * @throws Fault `remote-unreachable`; `git-failed`, retryable where a ref moved on one of the sides meanwhile, and
 * not where objects of a ref are missing, be it one of this repository that has nothing to do with the fetch
 */
export async function fetchRefs(
	repository: Repository,
	reach: Reach,
	refspecs: readonly string[],
	how: { readonly again?: boolean } = {},
): Promise<void> {
	if (refspecs.length === 0) return;
	const query: GitQuery<unknown> = {
		args: [
			// Loose objects that are damaged would stand in the way of the same ones in good order; a pack does not.
			...(how.again === true ? ["-c", "fetch.unpackLimit=1", "-c", "transfer.unpackLimit=1"] : []),
			"fetch",
			...(how.again === true ? ["--refetch"] : []),
			...NOTHING_ELSE,
			"--stdin",
			"--",
			reach.remote,
		],
		stdin: refspecs.map((refspec) => `${refspec}\n`).join(""),
		parse: lineOf,
	};
	for (let tries = 1; ; tries += 1) {
		const answer = await askRemote(repository, reach, { query, limitMs: TRANSFER_MS });
		if (answer.exitCode === 0) return;
		if (OF_OBJECTS.test(answer.stderr)) throw failure(userPlace(repository), query, answer);
		if (!OF_REFS.test(answer.stderr)) throw unreachable(reach.remote, wordsOf(answer));
		if (tries === TRIES) throw asRetryable(failure(userPlace(repository), query, answer));
	}
}

// The connection was good, and a ref was not what it had been a moment before.
const OF_REFS =
	/cannot lock ref|unable to update local ref|couldn't find remote ref|not our ref|\.lock': File exists|no such remote ref/i;

// One of the sides has a ref whose objects it does not have.
const OF_OBJECTS = /bad object|did not send all necessary objects|missing (?:commit|tree|blob)/i;

function asRetryable({ message, code, hint, cause }: Fault): Fault {
	return new Fault(message, { code, hint, cause, retryable: true });
}
