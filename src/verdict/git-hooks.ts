import { resolve } from "node:path";
import { operationIn } from "../git/branch-use.ts";
import { openRepository, resolveCommit } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { Fault } from "../kernel/fault.ts";
import { quote } from "../kernel/quote.ts";
import { gitHost } from "../places/places.ts";
import type { CheckPlace } from "./check-bench.ts";
import type { SubjectRequest } from "./subject.ts";

interface PushedBranch {
	/** A commit, or a ref that leads to it. */
	readonly rev: string;
	/** Name of the branch here, else of that at the remote. */
	readonly branch: string;
	/** Full name of the ref at the remote. */
	readonly ref: string;
	/** Commit that the remote has there; null: none, or it is not told. */
	readonly before: string | null;
}

const HEADS = "refs/heads/";

export const nameOf = (ref: string): string => ref.replace(HEADS, "");

/**
 * Branches that a push brings: what git tells a pre-push hook on standard input, or, where that is empty, the pre-commit
 * framework in the environment. What is deleted and what is no branch is left out. Null where neither tells anything.
 *
 * @throws Fault `usage`
 */
export function pushedBranches(
	text: string,
	{
		PRE_COMMIT_FROM_REF: before,
		PRE_COMMIT_TO_REF,
		PRE_COMMIT_LOCAL_BRANCH,
		PRE_COMMIT_REMOTE_BRANCH: ref,
	}: CheckPlace["env"],
): readonly PushedBranch[] | null {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const rev = PRE_COMMIT_TO_REF ?? PRE_COMMIT_LOCAL_BRANCH;
	if (lines.length === 0 && (rev === undefined || ref === undefined)) return null;
	const told = { rev: rev ?? "", ref: ref ?? "", before: before ?? null };
	const pushed =
		lines.length === 0
			? [{ ...told, branch: branchOf(PRE_COMMIT_LOCAL_BRANCH ?? "", told.ref) }]
			: lines.flatMap(branchIn);
	return pushed.filter((each) => each.ref.startsWith(HEADS));
}

const branchOf = (local: string, remote: string): string =>
	nameOf(local.startsWith(HEADS) ? local : remote);

function branchIn(line: string): PushedBranch[] {
	// The first is as the user wrote it, such as `main^{/two words}`.
	const [, local = "", rev, ref, old] =
		/^(.+) ([0-9a-f]{40,64}) (\S+) ([0-9a-f]{40,64})$/.exec(line) ?? [];
	if (rev === undefined || ref === undefined || old === undefined)
		throw new Fault(`${quote(line)} is not what git tells a pre-push hook`, {
			code: "usage",
			hint: "git gives a line for each ref on standard input: LOCAL-REF COMMIT REMOTE-REF COMMIT",
		});
	const isNone = (id: string): boolean => /^0+$/.test(id);
	const branch = branchOf(local, ref);
	return isNone(rev) ? [] : [{ rev, branch, ref, before: isNone(old) ? null : old }];
}

/** The commit that a remote has, where it is here too: the base of a push for which no other one is found. */
export async function knownCommit(
	{ directory, env }: Pick<CheckPlace, "directory" | "env">,
	commit: string | null,
): Promise<string | undefined> {
	if (commit === null) return undefined;
	return await resolveCommit(await openRepository(directory, gitHost(env)), commit);
}

/** Work of the commit that git is about to make; a text: the reason for which it is none. */
export async function workOfCommit({
	directory,
	env,
}: Pick<CheckPlace, "directory" | "env">): Promise<SubjectRequest | string> {
	const host = gitHost(env);
	const place = { host, cwd: directory, configuration: "users" } as const;
	const isFirst = await runGit(place, {
		args: ["rev-parse", "--verify", "-q", "HEAD"],
		exitCodes: [0, 1],
		parse: ({ exitCode }) => exitCode === 1,
	});
	if (isFirst) return "the first commit has none before it";
	const operation = operationIn(await openRepository(directory, host));
	if (operation !== null && operation !== "bisect")
		return `it is part of a git ${operation}, which brings the work of others`;
	// Of `git commit -a` it is not the index of the work tree.
	const index = env["GIT_INDEX_FILE"];
	return { staged: true, index: index === undefined ? undefined : resolve(directory, index) };
}
