import { join } from "node:path";
import { operationIn } from "../git/branch-use.ts";
import { treeOf } from "../git/changes.ts";
import { END } from "../git/in-use.ts";
import { commitMerge, mergeBase } from "../git/merging.ts";
import { zeroFields } from "../git/parsing.ts";
import { remotesFor } from "../git/remotes.ts";
import { type Repository, repositoryPlace, resolveCommit } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import type { Unfit } from "../git/unfit.ts";
import { userTree } from "../git/user-tree.ts";
import type { Vault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";
import { quote } from "../kernel/quote.ts";
import { shellWord } from "../kernel/shell-word.ts";
import { WORKFLOW_FILE } from "../places/load-source.ts";

/** Work that is judged, and the commit that it is judged against. */
export interface Subject {
	readonly base: string;
	/** Of work that is not committed, a commit that no ref names. */
	readonly commit: string;
	/** In words, such as `"uncommitted changes"` or `"HEAD"`. */
	readonly label: string;
	/** True for what stands in the user's own work tree or index, with the user's own workflow file. */
	readonly isOwn: boolean;
	/** What git cannot take from the user's work tree, which is no part of the work. */
	readonly leftOut: readonly Unfit[];
	/** True for a pull request of somebody else's: what it brings runs in the sandbox where there is one. */
	readonly isForeign: boolean;
}

export interface SubjectRequest {
	readonly rev?: string | undefined;
	readonly base?: string | undefined;
	readonly staged?: boolean | undefined;
	/** Absolute path of the index in which things are staged, where a commit under way has one of its own. */
	readonly index?: string | undefined;
	/** Number or address of a pull request, which `gh` finds. */
	readonly pr?: string | undefined;
	/** Criteria that the work has to meet. */
	readonly criteria?: readonly string[] | undefined;
}

interface SubjectPlace {
	readonly vault: Vault;
	/** Absolute directory for files of the time of the check. */
	readonly directory: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
}

const usage = (message: string, hint: string): Fault => new Fault(message, { code: "usage", hint });

const nothing = (message: string, hint: string): Fault =>
	new Fault(message, { code: "nothing-to-check", hint });

/**
 * Finds what is to be judged: a named commit or branch, what is staged, what is not committed, or else HEAD. Writes
 * objects alone.
 *
 * @throws Fault `nothing-to-check`; `usage` where a name leads nowhere, or a merge has not ended
 */
export async function subjectOf(request: SubjectRequest, place: SubjectPlace): Promise<Subject> {
	const { repository } = place.vault;
	const { rev, staged = false, pr } = request;
	if ([rev !== undefined, staged, pr !== undefined].filter(Boolean).length > 1)
		throw usage("a commit, --staged and --pr each name what is judged", "Give one of them.");
	if (pr !== undefined) return await ofPullRequest(request, place, pr);
	if (rev !== undefined) return await committed(request, place, rev);
	await requireTexts(request, repository);
	requireRest(repository);
	const { subject, leftOut } = await userWork(request, place, staged);
	if (subject !== null) return { ...subject, leftOut };
	if (staged)
		throw nothing(
			"nothing is staged",
			"Stage it with git add, or check all that is not committed: spar check",
		);
	return { ...(await committed(request, place, null)), leftOut };
}

// An option that takes several texts takes the commit behind them too.
async function requireTexts(
	{ criteria = [] }: SubjectRequest,
	repository: Repository,
): Promise<void> {
	const last = criteria.at(-1) ?? "";
	const mayBeName = last !== "" && !/\s/.test(last);
	if (!mayBeName || (await resolveCommit(repository, last)) === undefined) return;
	throw usage(
		`${quote(last)} is a commit here, and was read as a criterion`,
		`Name the commit first: spar check ${shellWord(last)} --criterion "..."`,
	);
}

function requireRest(repository: Repository): void {
	const operation = operationIn(repository);
	if (operation === null || operation === "bisect") return;
	throw usage(
		`a git ${operation} is in progress in ${repository.root}, so the work is not whole yet`,
		`Finish it, or end it with \`git ${END[operation]}\`. A commit can be checked meanwhile: spar check COMMIT`,
	);
}

async function userWork(
	{ base: named, index }: SubjectRequest,
	{ vault, directory, signal }: SubjectPlace,
	staged: boolean,
): Promise<{ readonly subject: Subject | null; readonly leftOut: readonly Unfit[] }> {
	const { repository } = vault;
	const head = repository.headCommit;
	const indexFile = join(directory, "user-index");
	const asked = { staged, from: index, indexFile, without: WORKFLOW_FILE, signal };
	const taken = await userTree(repository, asked);
	if (taken.kind === "unmerged")
		throw usage(
			`${taken.paths.slice(0, 5).map(quote).join(", ")} ${taken.paths.length === 1 ? "has" : "have"} conflicts that are not settled`,
			"Settle them, mark them with git add, and check again.",
		);
	const { tree, leftOut } = taken;
	if (tree === (await treeOf(vault, head))) return { subject: null, leftOut };
	const message = "Work that is not committed\n";
	const commit = await commitMerge(vault, { tree, parents: [head], message, at: 0 });
	const base = named === undefined ? head : await forkOf(vault, named, head);
	const label = staged ? "staged changes" : "uncommitted changes";
	const subject = { base, commit, label, isOwn: true, isForeign: false, leftOut };
	return { subject, leftOut };
}

async function committed(
	{ base: named }: SubjectRequest,
	{ vault }: SubjectPlace,
	rev: string | null,
): Promise<Subject> {
	const { repository } = vault;
	const commit = rev === null ? repository.headCommit : await commitNamed(repository, rev);
	const label = rev ?? repository.headBranch ?? "HEAD";
	const subject = { commit, label, isOwn: false, isForeign: false, leftOut: [] };
	const base = await (named === undefined
		? standardBase(vault, commit)
		: forkOf(vault, named, commit));
	if (base !== null && base !== commit) return { ...subject, base };
	// What is on the default branch already is judged by itself.
	const parent =
		rev === null || named !== undefined ? undefined : await resolveCommit(repository, `${commit}^`);
	if (parent !== undefined) return { ...subject, base: parent };
	const above = base === null ? "no base was found for it" : "its base has all of it";
	throw nothing(
		`nothing to check: nothing is uncommitted, and ${label} brings nothing new (${above})`,
		"Change something first, name a commit (spar check COMMIT), or a base (spar check --base REF).",
	);
}

async function ofPullRequest(
	{ base: named }: SubjectRequest,
	{ vault, env, signal }: SubjectPlace,
	pr: string,
): Promise<Subject> {
	const { pullRequest } = await import("./pull-request.ts");
	const found = await pullRequest(vault.repository, pr, { env, signal });
	const { head: commit, number, isForeign } = found;
	const base = await forkOf(vault, named ?? found.base, commit);
	const label = `pull request ${number}${isForeign ? " from a fork" : ""}`;
	if (base !== commit) return { base, commit, label, isOwn: false, isForeign, leftOut: [] };
	throw nothing(
		`nothing to check: the base has all of ${label}`,
		"Name a base: spar check --base REF",
	);
}

async function commitNamed(repository: Repository, name: string): Promise<string> {
	const commit = await resolveCommit(repository, name);
	if (commit !== undefined) return commit;
	throw usage(
		`${quote(name)} is no commit or branch of ${repository.root}`,
		"`git branch --all` and `git log` list what there is; a branch of a remote may have to be fetched.",
	);
}

// A base that went on meanwhile has changes that the work does not undo.
async function forkOf(vault: Vault, name: string, commit: string): Promise<string> {
	const base = await commitNamed(vault.repository, name);
	const fork = await mergeBase(vault, base, commit);
	if (fork !== undefined) return fork;
	throw usage(
		`${quote(name)} and the work have no common history`,
		`Name a base from which the work began: spar check --base ${shellWord("REF")}`,
	);
}

async function standardBase(vault: Vault, commit: string): Promise<string | null> {
	const { repository } = vault;
	const { names, preferred } = await remotesFor(repository, repository.headBranch ?? "");
	const remote = preferred ?? names.find((name) => name === "origin") ?? names[0];
	const ofRemote = ["HEAD", "main", "master"].map((name) => `refs/remotes/${remote}/${name}`);
	const local = ["refs/heads/main", "refs/heads/master"];
	for (const ref of remote === undefined ? local : [...ofRemote, ...local]) {
		const tip = await resolveCommit(repository, ref);
		const fork = tip === undefined ? undefined : await mergeBase(vault, tip, commit);
		if (fork !== undefined) return fork;
	}
	return null;
}

/**
 * The last commits of a branch along first parents that have a parent, the oldest first.
 *
 * @throws Fault `usage`, `nothing-to-check`
 */
export async function lastCommits(
	repository: Repository,
	name: string,
	count: number,
): Promise<readonly { readonly commit: string; readonly title: string }[]> {
	const tip = await commitNamed(repository, name);
	const found = await runGit(repositoryPlace(repository), {
		args: [
			"log",
			"-z",
			"--first-parent",
			`--max-count=${count}`,
			"--format=%H %P%x09%s",
			tip,
			"--",
		],
		parse: ({ stdout }) => zeroFields(stdout).map((field) => field.toString("utf8")),
	});
	const commits = found.flatMap((line) => {
		const [, commit, title] = /^([0-9a-f]+) [0-9a-f]+[^\t]*\t(.*)$/s.exec(line) ?? [];
		return commit === undefined || title === undefined ? [] : [{ commit, title }];
	});
	if (commits.length > 0) return commits.reverse();
	throw nothing(
		`nothing to check: ${name} has no commit with one before it`,
		"Check what is not committed: spar check",
	);
}

/** Messages of the commits of some work, the oldest first. */
export function messagesOf(repository: Repository, base: string, commit: string): Promise<string> {
	return runGit(repositoryPlace(repository), {
		args: ["log", "--reverse", "--max-count=50", "--format=%B", commit, `^${base}`, "--"],
		parse: ({ stdout }) => stdout.toString("utf8").trim(),
	});
}
