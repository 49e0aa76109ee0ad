import { readFile } from "node:fs/promises";
import { treeOf } from "../git/changes.ts";
import { replaceFile } from "../git/git-directory.ts";
import { commitMerge, forecastMerge, mergeBase } from "../git/merging.ts";
import { type Repository, repositoryPlace, resolveCommit } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { type Vault, vaultPlace } from "../git/vault.ts";
import { commitsIn, commitsMade, forksOf, standardBase } from "./standard-base.ts";

/** Place at which a session of a coding agent began. */
export interface SessionStart {
	readonly head: string;
	/** The branch that was checked out; null: none. */
	readonly branch: string | null;
	/** Commit of what its user had left there, on `head`; `head` itself where that is nothing. */
	readonly commit: string;
	/** Absolute path of a pack of git with the objects of `commit`, which `git gc` may remove; null: it needs none. */
	readonly pack: string | null;
	/** Commits that branches led to then: what they have is not the session's. */
	readonly known: readonly string[];
	/** Time in ms since 1970 at which the session's begin noted it; null: it is supposed. */
	readonly notedAt: number | null;
}

const tips = (repository: Repository, under: readonly string[]): Promise<readonly string[]> =>
	runGit(repositoryPlace(repository), {
		args: ["for-each-ref", "--format=%(objectname)", ...under],
		parse: (answer) => [...new Set(commitsIn(answer))],
	});

/** The present place as a start, without what is not committed. */
export async function noteStart(repository: Repository): Promise<SessionStart> {
	const { headCommit: head, headBranch: branch } = repository;
	const known = [head, ...(await tips(repository, ["refs/heads/", "refs/remotes/"]))];
	return { head, branch, commit: head, pack: null, known: [...new Set(known)], notedAt: null };
}

/** Writes a commit's objects to a file, but for those that another one has. */
export async function keepPack(
	vault: Vault,
	{ commit, without, file }: { commit: string; without: string; file: string },
): Promise<void> {
	const pack = await runGit(vaultPlace(vault), {
		args: ["pack-objects", "--revs", "--stdout", "-q"],
		stdin: `${commit}\n^${without}\n`,
		parse: ({ stdout }) => stdout,
	});
	replaceFile(file, pack);
}

/**
 * The commit to compare a session's work with: its start, with what came in since from others. Commits that were made in
 * this work tree are the session's, pushed ones too; other commits of remote branches are not, nor is what was there.
 */
export async function sessionBase(vault: Vault, start: SessionStart): Promise<string> {
	const { repository } = vault;
	const { headCommit: head, headBranch } = repository;
	const began = await beginning(vault, start);
	// It was amended, and `git gc` has removed it since.
	if (began === null) return (await standardBase(vault, head, headBranch))?.commit ?? head;
	if (head === start.head) return began;
	const came = await cameIn(vault, start);
	const isBehind = (commit: string): Promise<boolean> =>
		mergeBase(vault, commit, start.head).then((base) => base === commit);
	const isAhead = (await mergeBase(vault, start.head, head)) === start.head;
	// A branch that was amended or rebased is the same one.
	if (isAhead || (headBranch !== null && headBranch === start.branch)) {
		let base = began;
		for (const commit of came)
			if (!(await isBehind(commit))) base = await joined(vault, base, commit);
		return base;
	}
	const [first, ...more] = came;
	if (first === undefined) return began;
	let base = first;
	for (const commit of more) base = await joined(vault, base, commit);
	if (began === start.head) return base;
	// What was left uncommitted goes along to another branch, and the commits below it do not.
	const parents = [start.head];
	const moved = await commitMerge(vault, { tree: await treeOf(vault, base), parents, ...WRITTEN });
	const carried = await joined(vault, moved, began);
	return carried === began ? base : carried;
}

const WRITTEN = { message: "Where a session began\n", at: 0 };

async function beginning(
	vault: Vault,
	{ head, commit, pack }: SessionStart,
): Promise<string | null> {
	if ((await resolveCommit(vault.repository, head)) === undefined) return null;
	const packed = pack === null ? null : await readFile(pack).catch(() => null);
	if (packed === null) return head;
	return await runGit(vaultPlace(vault), {
		args: ["unpack-objects", "-q"],
		stdin: packed,
		exitCodes: [0, 1, 128],
		parse: ({ exitCode }) => (exitCode === 0 ? commit : head),
	});
}

// Where both changed the same lines somebody has settled it since: the side of the other one is not the session's.
async function joined(vault: Vault, base: string, commit: string): Promise<string> {
	const { clean, tree } = await forecastMerge(vault, base, commit).catch(() => UNRELATED);
	return clean ? await commitMerge(vault, { tree, parents: [base, commit], ...WRITTEN }) : commit;
}

const UNRELATED = { clean: false, tree: "" } as const;

async function cameIn(vault: Vault, { known }: SessionStart): Promise<readonly string[]> {
	const { repository } = vault;
	const { headCommit: head } = repository;
	const remote = await tips(repository, ["refs/remotes/"]);
	const [all, unshared, made] = await Promise.all([
		commitsOf(repository, head, known),
		commitsOf(repository, head, [...known, ...remote]),
		commitsMade(repository, "HEAD"),
	]);
	const own = new Set(unshared);
	const others = all.filter((commit) => !(own.has(commit) || made.has(commit)));
	if (all.length === 0 || others.includes(head)) return [head];
	return await forksOf(
		vault,
		head,
		[...known, ...others].map((commit) => ({ commit })),
	);
}

const commitsOf = (
	repository: Repository,
	commit: string,
	without: readonly string[],
): Promise<readonly string[]> =>
	runGit(repositoryPlace(repository), {
		args: ["rev-list", "--ignore-missing", "--stdin"],
		stdin: `${[commit, ...without.map((each) => `^${each}`)].join("\n")}\n`,
		parse: commitsIn,
	});
