import { Fault } from "../kernel/fault.ts";
import { lineOf, settingsIn } from "./parsing.ts";
import { type Repository, userPlace } from "./repository.ts";
import { type GitAnswer, runGit } from "./run-git.ts";

/** The remotes of a repository, and where its user pushes a branch. */
export interface Remotes {
	readonly names: readonly string[];
	/** Remote of `git push` on the branch by configuration; null where nothing says so. */
	readonly preferred: string | null;
}

/**
 * The caller's environment for git's own programs, such as credential helpers, ssh and hooks, without what would send
 * git to another repository. Messages stay in English.
 */
export function remoteEnvironment(env: Reach["env"]): Reach["env"] {
	const reaching =
		/^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|PROXY_COMMAND|CONFIG_\w+|SSL_\w+|HTTP_\w+)$/;
	return Object.fromEntries(
		Object.entries(env).filter(
			([name]) => !/^(?:GIT_|LC_|LANG|NODE_OPTIONS$)/.test(name) || reaching.test(name),
		),
	);
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

/** Way to a remote. */
export interface Reach {
	readonly remote: string;
	/** See `remoteEnvironment`. */
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly signal?: AbortSignal | undefined;
	/** Longest that one command may take, in ms; undefined: a minute for a question, ten for commits. */
	readonly timeoutMs?: number | undefined;
}

const CREDENTIALS = /\/\/[^/@\s]+@/g;

/** Git's last lines, without credentials of an address. */
export function wordsOf({ stdout, stderr }: GitAnswer): string {
	const said = `${stdout.toString("utf8")}\n${stderr}`.replaceAll(CREDENTIALS, "//");
	const lines = said.split("\n").map((line) => line.trim());
	const telling = lines.filter(
		(line) =>
			line !== "" &&
			!/^(?:To |Done$|hint: |Please make sure you have the correct|and the repository exists)/.test(
				line,
			),
	);
	return telling.slice(-6).join("; ").slice(0, 2_000) || "no message";
}

export const SIGN_IN =
	/Authentication failed|could not read (?:Username|Password)|Permission denied|access denied|terminal prompts disabled|Host key verification|error: 40[13]/i;

export function unreachable(remote: string, words: string, cause?: unknown): Fault {
	return new Fault(`the remote ${remote} cannot be reached: ${words}`, {
		code: "remote-unreachable",
		retryable: true,
		hint: SIGN_IN.test(words)
			? `Sign in for it, so that \`git ls-remote ${remote}\` works without a question.`
			: `Try it by hand: git ls-remote ${remote}`,
		cause,
	});
}
