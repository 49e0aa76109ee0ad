import { join } from "node:path";
import { operationIn } from "../git/branch-use.ts";
import { treeOf } from "../git/changes.ts";
import { END } from "../git/in-use.ts";
import { commitMerge, mergeBase } from "../git/merging.ts";
import { zeroFields } from "../git/parsing.ts";
import {
	branchExists,
	type Repository,
	repositoryPlace,
	resolveCommit,
} from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import type { Unfit } from "../git/unfit.ts";
import { type UserTree, type UserTreeRequest, userTree } from "../git/user-tree.ts";
import type { Vault } from "../git/vault.ts";
import { counted } from "../kernel/counted.ts";
import { Fault } from "../kernel/fault.ts";
import { quote } from "../kernel/quote.ts";
import { shellWord } from "../kernel/shell-word.ts";
import { WORKFLOW_FILE } from "../places/places.ts";
import { leftOutNotes } from "./left-out.ts";
import { keepPack, noteStart, type SessionStart, sessionBase } from "./session-start.ts";
import { ALL_BRANCHES, aheadOf, isCut, type StandardBase, standardBase } from "./standard-base.ts";

/** Work that is judged, and the commit that it is judged against. */
export interface Subject {
	readonly base: string;
	/** In words how far the base is and what it is, such as `"2 commits back, where it left origin/main"`; null: it is HEAD. */
	readonly baseIs: string | null;
	/** Of work that is not committed, a commit that no ref names. */
	readonly commit: string;
	/** In words, such as `"uncommitted changes"` or `"HEAD"`. */
	readonly label: string;
	/** True for what stands in the user's own work tree or index, with the user's own workflow file. */
	readonly isOwn: boolean;
	/** Paths that git cannot take from the user's work tree, which is no part of the work. */
	readonly leftOut: readonly Unfit[];
	/** True for a pull request of somebody else's: what it brings runs in the sandbox where there is one. */
	readonly isForeign: boolean;
	/** Commits of the branch that are not part of it, which is uncommitted work alone. */
	readonly unjudged: number;
}

export interface SubjectRequest {
	readonly rev?: string | undefined;
	/** Branch that a commit is the tip of, where `rev` is not its name. */
	readonly branch?: string | undefined;
	/** Leaves out what is not committed. */
	readonly committed?: boolean | undefined;
	/** Start of the session whose work is judged, committed or not. */
	readonly since?: SessionStart | undefined;
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
	const { rev, staged = false, pr, committed: isCommitted = false } = request;
	if ([rev !== undefined, staged, pr !== undefined].filter(Boolean).length > 1)
		throw usage("a commit, --staged and --pr each name what is judged", "Give one of them.");
	if (pr !== undefined) return await ofPullRequest(request, place, pr);
	if (rev !== undefined) return await committed(request, place, rev);
	await requireTexts(request, repository);
	if (isCommitted) return await committed(request, place, null);
	requireRest(repository);
	const { subject, leftOut } = await userWork(request, place, staged);
	if (subject !== null) return { ...subject, leftOut };
	if (staged)
		throw nothing(
			"nothing is staged",
			"Stage it with git add, or check all that is not committed: spar check",
		);
	const found = await committed(request, place, null).catch((error: unknown) => {
		if (!(error instanceof Fault) || leftOut.length === 0) throw error;
		const hint = [...leftOutNotes(leftOut), error.hint ?? ""].join("\n");
		throw new Fault(error.message, { code: error.code, hint });
	});
	return { ...found, leftOut };
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
	{ base: named, index, since }: SubjectRequest,
	place: SubjectPlace,
	staged: boolean,
): Promise<{ readonly subject: Subject | null; readonly leftOut: readonly Unfit[] }> {
	const { vault } = place;
	const head = vault.repository.headCommit;
	const taken = await treeAsked(place, { staged, from: index });
	if (taken.kind === "unmerged")
		throw usage(
			`${taken.paths.slice(0, 5).map(quote).join(", ")} ${taken.paths.length === 1 ? "has" : "have"} conflicts that are not settled`,
			"Settle them, mark them with git add, and check again.",
		);
	const { tree, leftOut } = taken;
	const own = { isOwn: true, isForeign: false, unjudged: 0, leftOut };
	if (since !== undefined && named === undefined) {
		const base = await sessionBase(vault, since);
		if (tree === (await treeOf(vault, base)))
			throw nothing(`nothing to check: ${idleText(since, head)}`, HOW_TO_NAME);
		const commit = await workCommit(vault, tree, base);
		const isNoted = since.notedAt !== null;
		const is = isNoted
			? "where the session began"
			: "taken for the session's start, which nobody noted";
		const besides = isNoted ? [] : ALL_BRANCHES;
		const baseIs = await inWords(vault, { base, is, commit: head, besides });
		return { subject: { ...own, base, baseIs, commit, label: "the session's work" }, leftOut };
	}
	if (tree === (await treeOf(vault, head))) return { subject: null, leftOut };
	const commit = await workCommit(vault, tree, head);
	const label = staged ? "staged changes" : "uncommitted changes";
	const work = { ...own, commit, label };
	if (named !== undefined) {
		const base = await forkOf(vault, named, head);
		const baseIs = await inWords(vault, { base, is: null, commit: head, besides: [named] });
		return { subject: { ...work, base, baseIs }, leftOut };
	}
	const unjudged = staged ? 0 : await commitsOfBranch(vault);
	return { subject: { ...work, base: head, baseIs: null, unjudged }, leftOut };
}

// Without a noted start nobody knows what a session did before it was first seen.
function idleText({ notedAt, head: began }: SessionStart, head: string): string {
	if (notedAt === null)
		return "no start of this session was noted, so commits that it made before its first stop are not judged; `spar init --agents` installs the hook that notes it";
	return head === began
		? "the session changed nothing"
		: "what came since the session began counts as the work of others";
}

/** Words for a base: its distance, its name, and that it may be another one; null for HEAD itself. */
async function inWords(
	vault: Vault,
	{ base, is, commit, besides }: ToldBase,
): Promise<string | null> {
	const ahead = await aheadOf(vault, base, commit);
	const words = [
		...(ahead === 0 ? [] : [`${counted(ahead, "commit")} back`]),
		...(is === null ? [] : [is]),
		...((await isCut(vault, base, [commit, ...besides])) ? [CUT] : []),
	];
	return words.length === 0 ? null : words.join(", ");
}

interface ToldBase extends Pick<Subject, "base" | "commit"> {
	readonly is: string | null;
	/** Revisions that the base was found with. */
	readonly besides: readonly string[];
}

const CUT = "but history is shallow here and may hide the right one: git fetch --unshallow";

// A shallow clone often has one branch alone.
const UNSHALLOW =
	"History is shallow here. Fetch the rest: git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*'";

const unlessShallow = ({ shallow }: Repository, hint: string): string =>
	shallow ? `${UNSHALLOW}\n${hint}` : hint;

const treeAsked = (
	{ vault: { repository }, directory, signal }: SubjectPlace,
	which: Pick<UserTreeRequest, "staged" | "from">,
): Promise<UserTree> => {
	const indexFile = join(directory, "user-index");
	return userTree(repository, { ...which, indexFile, without: WORKFLOW_FILE, signal });
};

const workCommit = (vault: Vault, tree: string, parent: string): Promise<string> =>
	commitMerge(vault, { tree, parents: [parent], message: "Work that is not committed\n", at: 0 });

async function commitsOfBranch(vault: Vault): Promise<number> {
	const { headCommit, headBranch } = vault.repository;
	const base = await standardBase(vault, headCommit, headBranch);
	return base === null ? 0 : await aheadOf(vault, base.commit, headCommit);
}

/**
 * Notes where a session begins, with what is not committed there.
 *
 * @param pack absolute path for the objects of what is not committed
 */
export async function sessionStart(place: SubjectPlace, pack: string): Promise<SessionStart> {
	const { vault } = place;
	const { headCommit } = vault.repository;
	const start = await noteStart(vault.repository);
	const taken = await treeAsked(place, { staged: false });
	// What is not settled yet is the session's to settle.
	if (taken.kind === "unmerged" || taken.tree === (await treeOf(vault, headCommit))) return start;
	const commit = await workCommit(vault, taken.tree, headCommit);
	await keepPack(vault, { commit, without: headCommit, file: pack });
	return { ...start, commit, pack };
}

/**
 * The start of a session of which nobody noted one: what the user's branch has of its own may be its work.
 *
 * @param seen stands for it where the branch came from no other one
 */
export async function supposedStart(
	{ vault }: SubjectPlace,
	seen: SessionStart,
): Promise<SessionStart> {
	const { headCommit, headBranch: branch } = vault.repository;
	const base = await standardBase(vault, headCommit, branch);
	if (base === null || base.of === branch) return seen;
	const { commit } = base;
	if (commit === headCommit) return await noteStart(vault.repository);
	return { head: commit, branch, commit, pack: null, known: [commit], notedAt: null };
}

async function committed(
	{ base: named, branch }: SubjectRequest,
	{ vault }: SubjectPlace,
	rev: string | null,
): Promise<Subject> {
	const { repository } = vault;
	const { headBranch } = repository;
	const commit = rev === null ? repository.headCommit : await commitNamed(repository, rev);
	const label = rev ?? headBranch ?? "HEAD";
	const subject = { commit, label, isOwn: false, isForeign: false, unjudged: 0, leftOut: [] };
	const name = branch ?? (rev === null || rev === "HEAD" ? headBranch : await branchOf(vault, rev));
	const base: StandardBase | null =
		named === undefined
			? await standardBase(vault, commit, name)
			: { commit: await forkOf(vault, named, commit), of: named };
	if (base !== null && base.commit !== commit) {
		const found = { base: base.commit, commit, ...originOf(named, base.of) };
		return { ...subject, base: base.commit, baseIs: await inWords(vault, found) };
	}
	// What is on the default branch already is judged by itself.
	const parent =
		rev === null || named !== undefined ? undefined : await resolveCommit(repository, `${commit}^`);
	if (parent !== undefined)
		return { ...subject, base: parent, baseIs: `the commit before it${unlessFound(vault, base)}` };
	const above =
		base === null
			? `no base was found for it${unlessFound(vault, base)}`
			: `${base.of} has all of it`;
	throw nothing(
		`nothing to check: nothing is uncommitted, and ${label} brings nothing new (${above})`,
		unlessShallow(repository, HOW_TO_NAME),
	);
}

const originOf = (named: string | undefined, of: string): Pick<ToldBase, "is" | "besides"> =>
	named === undefined
		? { is: `where it left ${of}`, besides: ALL_BRANCHES }
		: { is: null, besides: [named] };

const unlessFound = ({ repository }: Vault, base: StandardBase | null): string =>
	base === null && repository.shallow ? `, ${CUT}` : "";

const HOW_TO_NAME =
	"Change something first, name a commit (spar check COMMIT), or a base (spar check --base REF).";

const branchOf = async ({ repository }: Vault, rev: string): Promise<string | null> =>
	(await branchExists(repository, rev)) ? rev : null;

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
	const { is } = originOf(named, found.base);
	const baseIs = await inWords(vault, { base, is, commit, besides: [named ?? found.base] });
	const own = { isOwn: false, isForeign, unjudged: 0, leftOut: [] };
	if (base !== commit) return { ...own, base, baseIs, commit, label };
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
		unlessShallow(
			repository,
			"`git branch --all` and `git log` list what there is; a branch of a remote may have to be fetched.",
		),
	);
}

// A base that went on meanwhile has changes that the work does not undo.
async function forkOf(vault: Vault, name: string, commit: string): Promise<string> {
	const base = await commitNamed(vault.repository, name);
	const fork = await mergeBase(vault, base, commit);
	if (fork !== undefined) return fork;
	throw usage(
		`${quote(name)} and the work have no common history`,
		unlessShallow(
			vault.repository,
			`Name a base from which the work began: spar check --base ${shellWord("REF")}`,
		),
	);
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
		unlessShallow(repository, "Check what is not committed: spar check"),
	);
}

/** Messages of the commits of some work, the oldest first. */
export function messagesOf(repository: Repository, base: string, commit: string): Promise<string> {
	return runGit(repositoryPlace(repository), {
		args: ["log", "--reverse", "--max-count=50", "--format=%B", commit, `^${base}`, "--"],
		parse: ({ stdout }) => stdout.toString("utf8").trim(),
	});
}
