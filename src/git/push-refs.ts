import { Fault } from "../kernel/fault.ts";
import { nothing } from "./parsing.ts";
import type { RefMove } from "./refs.ts";
import { askRemote, remoteRefs, TRANSFER_MS } from "./remote-refs.ts";
import { type Reach, SIGN_IN, unreachable, wordsOf } from "./remotes.ts";
import { type Repository, userPlace } from "./repository.ts";
import { askGit, failure, type GitAnswer, type GitQuery } from "./run-git.ts";

/** Outcome of a push. `stands`: where the refs of a stale one are on the remote; one that is not there is left out. */
export type Pushed =
	| { readonly outcome: "moved" }
	| { readonly outcome: "stale"; readonly stands: ReadonlyMap<string, string> };

const TRIES = 3;

/**
 * Moves refs of a remote by compare-and-swap, all or none. No hook of the user's runs, nothing is asked, and no ref is
 * overwritten that is not where it was expected.
 *
 * Safe to repeat: refs that all stand where they should count as moved, whoever moved them.
 *
 * @param moves the commits must be in the repository
 * @param how.whenRefused what to do where the remote refuses; by default how to let it take Sparring's own refs
 * @returns `stale` when a ref is neither at `from` nor at `to`, or some are at `to` already; nothing has moved then
 * @throws Fault `remote-unreachable` (retryable) when the remote cannot be reached within the time limit,
 * `push-refused` when its hook or protection refuses, `git-failed` when a commit cannot be read
 */
export async function pushRefs(
	repository: Repository,
	reach: Reach,
	moves: readonly RefMove[],
	{ whenRefused = letOwnRefs("resume") }: { readonly whenRefused?: string } = {},
): Promise<Pushed> {
	if (moves.length === 0) return { outcome: "moved" };
	const query = pushOf(reach.remote, moves);
	for (let tries = 1; ; tries += 1) {
		const answer = await askRemote(repository, reach, { query, limitMs: TRANSFER_MS });
		if (answer.exitCode === 0) return { outcome: "moved" };
		if (UNREADABLE.test(answer.stderr)) throw failure(userPlace(repository), query, answer);
		const stands = await standing(repository, reach, moves);
		const isAt = (end: "from" | "to") => (move: RefMove) =>
			(stands.get(move.ref) ?? null) === move[end];
		if (moves.every(isAt("to"))) return { outcome: "moved" };
		if (!moves.every(isAt("from"))) return { outcome: "stale", stands };
		if (!isLocked(answer) || tries === TRIES)
			throw notTaken(reach.remote, { moves, whenRefused }, answer);
	}
}

async function standing(
	repository: Repository,
	reach: Reach,
	moves: readonly RefMove[],
): Promise<ReadonlyMap<string, string>> {
	const names = moves.map(({ ref }) => ref);
	const entries = await remoteRefs(repository, reach, names);
	return new Map(entries.map(({ ref, oid }) => [ref, oid]));
}

const PUSH = ["push", "--porcelain", "--no-follow-tags", "--recurse-submodules=no"];

function pushOf(remote: string, moves: readonly RefMove[]): GitQuery<void> {
	return {
		args: [
			...PUSH,
			"--atomic",
			"--no-verify",
			"--no-signed",
			// Without a commit after the colon the ref must not exist.
			...moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from ?? ""}`),
			"--",
			remote,
			...moves.map(({ ref, to }) => `${to ?? ""}:${ref}`),
		],
		parse: nothing,
	};
}

// Git says so of its own objects, before it says anything to the remote.
const UNREADABLE =
	/src refspec .* does not match any|bad object|pack-objects died|unable to read (?:tree|[0-9a-f]{40})|missing necessary objects/i;

function isLocked({ stdout, stderr }: GitAnswer): boolean {
	const said = `${stdout.toString("utf8")}\n${stderr}`;
	// A branch whose name is a folder of the new one stays.
	if (/cannot create/.test(said)) return false;
	return /cannot lock ref|atomic transaction failed|failed to (?:update|lock) ref/i.test(said);
}

/** Hint about a remote that refuses Sparring's own refs, and what then. @example `letOwnRefs("resume")` */
export function letOwnRefs(then: string): string {
	return `A hook or a protection of the remote said no. Let Sparring push refs/heads/sparring/ and refs/sparring/ there, and delete them, then ${then}.`;
}

function notTaken(
	remote: string,
	{ moves, whenRefused }: { readonly moves: readonly RefMove[]; readonly whenRefused: string },
	answer: GitAnswer,
): Fault {
	const words = wordsOf(answer);
	const isSignIn = SIGN_IN.test(words);
	if (!isSignIn && !/\[remote rejected\]|\[rejected\]/.test(answer.stdout.toString("utf8")))
		return unreachable(remote, words);
	const [first, ...others] = moves.map(({ ref }) => ref.replace(/^refs\/heads\//, ""));
	const names = others.length === 0 ? first : `${first} and ${others.length} more`;
	return new Fault(`${remote} did not take ${names}: ${words}`, {
		code: "push-refused",
		retryable: isLocked(answer),
		hint: isSignIn ? SIGN_IN_TO_PUSH : whenRefused,
	});
}

const SIGN_IN_TO_PUSH =
	"Sign in for pushing: a credential helper, an ssh key, or `gh auth setup-git`.";

/**
 * Pushes a commit as a branch; never with force. The user's own `pre-push` hook runs, as it does for every push of
 * theirs: Git LFS uploads by it, and it may be what keeps a secret in.
 *
 * @throws Fault `push-refused` with git's words
 */
export async function pushCommit(
	repository: Repository,
	{ remote, env, signal }: Reach,
	{ commit, branch }: { readonly commit: string; readonly branch: string },
): Promise<void> {
	const query: GitQuery<void> = {
		args: [...PUSH, "--", remote, `${commit}:refs/heads/${branch}`],
		env,
		runsHooks: true,
		parse: nothing,
	};
	const answer = await askGit(userPlace(repository, signal), query);
	if (answer.exitCode !== 0) throw refused(remote, branch, answer);
}

function refused(remote: string, branch: string, answer: GitAnswer): Fault {
	const words = wordsOf(answer);
	if (/\((?:non-fast-forward|fetch first|needs force)\)/.test(words)) {
		return new Fault(`${branch} on ${remote} has commits that this repository does not have`, {
			code: "push-refused",
			hint: `Bring them in, then repeat: git fetch ${remote} ${branch} && git switch ${branch} && git merge FETCH_HEAD && git switch -`,
		});
	}
	const byHand = words.includes("fatal: ")
		? `Try it by hand: git push ${remote} ${branch}`
		: "A hook of yours or of the remote said no. Fix what it names, then repeat.";
	return new Fault(`${remote} did not take ${branch}: ${words}`, {
		code: "push-refused",
		hint: SIGN_IN.test(words) ? SIGN_IN_TO_PUSH : byHand,
	});
}
