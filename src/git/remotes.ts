import { Fault } from "../kernel/fault.ts";
import { lineOf, settingsIn } from "./parsing.ts";
import { SIGN_IN, unreachable, wordsOf } from "./remote-words.ts";
import type { Repository } from "./repository.ts";
import { askGit, type GitAnswer, type GitPlace, type GitQuery, runGit } from "./run-git.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The remotes of a repository, and where its user pushes a branch. */
export interface Remotes {
	readonly names: readonly string[];
	/** Where `git push` on the branch goes by configuration; null where nothing says so. */
	readonly preferred: string | null;
}

/**
 * What git's own programs may know when they reach a remote: the caller's environment, for credential helpers, ssh and
 * hooks, without what would send git to another repository. Messages stay in English.
 */
export function remoteEnvironment(env: Environment): Environment {
	const reaching =
		/^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|PROXY_COMMAND|CONFIG_\w+|SSL_\w+|HTTP_\w+)$/;
	return Object.fromEntries(
		Object.entries(env).filter(
			([name]) => !/^(?:GIT_|LC_|LANG|NODE_OPTIONS$)/.test(name) || reaching.test(name),
		),
	);
}

export function userPlace({ host, root, mark }: Repository, signal?: AbortSignal): GitPlace {
	return { host, configuration: "users", cwd: root, mark, signal };
}

/** The remotes, and the one that the configuration names for a branch. */
export async function remotesFor(repository: Repository, branch: string): Promise<Remotes> {
	const place = userPlace(repository);
	const names = await runGit(place, {
		args: ["remote"],
		parse: (answer) =>
			lineOf(answer)
				.split("\n")
				.filter((name) => name !== ""),
	});
	const settings = await runGit(place, {
		args: ["config", "-z", "--get-regexp", "^(remote\\.pushdefault|branch\\..*\\.(push)?remote)$"],
		exitCodes: [0, 1],
		parse: ({ stdout }) => new Map(settingsIn(stdout)),
	});
	const named = [`branch.${branch}.pushremote`, "remote.pushdefault", `branch.${branch}.remote`];
	const preferred = named.map((key) => settings.get(key)).find((name) => name !== undefined);
	return {
		names,
		preferred: preferred !== undefined && names.includes(preferred) ? preferred : null,
	};
}

/** The address that a push goes to; empty or the remote's own name where it has none. It may hold a password: it is not for people. */
export function pushAddress(repository: Repository, remote: string): Promise<string> {
	return runGit(userPlace(repository), {
		args: ["remote", "get-url", "--push", "--", remote],
		exitCodes: [0, 2, 128],
		parse: (answer) => lineOf(answer).split("\n")[0] ?? "",
	});
}

/** How a remote is reached. */
export interface Reach {
	readonly remote: string;
	/** See `remoteEnvironment`. */
	readonly env: Environment;
	readonly signal?: AbortSignal | undefined;
	/** Longest that one command may take, in ms; undefined: a minute for a question, ten for commits. */
	readonly timeoutMs?: number | undefined;
}

/**
 * The commits of branches on a remote, by short name; a branch that is not there is left out.
 *
 * @throws Fault `remote-unreachable`
 */
export async function remoteHeads(
	repository: Repository,
	{ remote, env, signal }: Reach,
	branches: readonly string[],
): Promise<ReadonlyMap<string, string>> {
	const refs = branches.map((branch) => `refs/heads/${branch}`);
	const answer = await askGit(userPlace(repository, signal), {
		args: ["ls-remote", "--", remote, ...refs],
		env,
		parse: lineOf,
	});
	if (answer.exitCode !== 0) throw unreachable(remote, wordsOf(answer));
	return headsIn(lineOf(answer), refs);
}

/** Reads what `ls-remote` prints; a pattern of it also matches the end of longer names. */
export function headsIn(text: string, refs: readonly string[]): ReadonlyMap<string, string> {
	return new Map(
		text.split("\n").flatMap((line) => {
			const [oid = "", ref = ""] = line.split("\t");
			return refs.includes(ref) ? [[ref.slice("refs/heads/".length), oid] as const] : [];
		}),
	);
}

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
		args: [
			"push",
			"--porcelain",
			"--no-follow-tags",
			"--recurse-submodules=no",
			"--",
			remote,
			`${commit}:refs/heads/${branch}`,
		],
		env,
		runsHooks: true,
		parse: () => undefined,
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
		hint: SIGN_IN.test(words)
			? "Sign in for pushing: a credential helper, an ssh key, or `gh auth setup-git`."
			: byHand,
	});
}
