import { mergeBase } from "../git/merging.ts";
import { lineOf } from "../git/parsing.ts";
import { type Repository, repositoryPlace } from "../git/repository.ts";
import { type GitQuery, runGit } from "../git/run-git.ts";
import { shallowFile, type Vault } from "../git/vault.ts";

/** Commit that work is compared with where nobody names one, and the branch that it left there. */
export interface StandardBase {
	readonly commit: string;
	/** Such as `"origin/develop"`. */
	readonly of: string;
}

/** Names of branches on which the work of all comes together, the likeliest first. */
const TRUNKS: readonly string[] = ["main", "master", "develop", "trunk"];

const BRANCHES = ["refs/heads/", "refs/remotes/"];

interface Ref {
	/** Full, such as `"refs/remotes/origin/main"`. */
	readonly name: string;
	/** Without what all branches of its place begin with, such as `"main"`. */
	readonly branch: string;
	readonly commit: string;
	/** Place among trunks; infinite for other branches. */
	readonly rank: number;
}

interface Refs {
	readonly all: readonly Ref[];
	/** Full name of what a local branch tracks, by its own full name. */
	readonly upstreams: ReadonlyMap<string, string>;
}

/** Work whose base is looked for. */
interface Topic {
	readonly commit: string;
	/** Null where no branch is known for it. */
	readonly name: string | null;
	readonly isTrunk: boolean;
	/** Commits that were made on the branch here. */
	readonly made: ReadonlySet<string>;
}

/**
 * Finds where a branch left the one that it was made from: the branch that it tracks, else the remote branch with which
 * it shares most, else a local one of the usual names. What others made from it, and its own copy at a remote, are none.
 *
 * @param branch name of the branch; null: that of a local branch at the commit
 */
export async function standardBase(
	vault: Vault,
	commit: string,
	branch: string | null,
): Promise<StandardBase | null> {
	const { repository } = vault;
	const { all, upstreams } = await refsOf(repository);
	const locals = all.filter(isLocal);
	const remotes = all.filter((ref) => !isLocal(ref));
	const name = branch ?? locals.find((ref) => ref.commit === commit)?.branch ?? null;
	const isTrunk =
		name !== null &&
		(TRUNKS.includes(name) || remotes.some((ref) => ref.rank === 0 && ref.branch === name));
	const full = `refs/heads/${name}`;
	const isHere = locals.some((ref) => ref.name === full);
	const made = isHere ? await commitsMade(repository, full) : new Set<string>();
	const topic = { commit, name, isTrunk, made };
	const upstream = all.find((ref) => ref.name === upstreams.get(full));
	if (upstream !== undefined && !isCopy(upstream, topic)) {
		const fork = await mergeBase(vault, upstream.commit, commit);
		if (fork !== undefined && isOthers(upstream, fork, topic))
			return { commit: fork, of: shortOf(upstream) };
	}
	const others = remotes.filter((ref) => !isCopy(ref, topic));
	const hasCopy = others.length < remotes.length;
	const found = await nearest(vault, { ...topic, hasCopy }, others);
	if (found !== null) return found;
	const usual = locals.filter((ref) => ref.rank < Infinity).toSorted(byRank);
	// The likeliest trunk has nothing before it.
	if (usual[0]?.name === full) return { commit, of: shortOf(usual[0]) };
	const besides = usual.filter((ref) => ref.name !== full);
	return await nearest(vault, { ...topic, hasCopy: false }, besides);
}

const isLocal = ({ name }: Pick<Ref, "name">): boolean => name.startsWith("refs/heads/");

const shortOf = ({ name }: Ref): string => name.replace(/^refs\/(?:heads|remotes)\//, "");

const isCopy = (ref: Ref, { name, isTrunk }: Topic): boolean =>
	!(isLocal(ref) || isTrunk) && ref.branch === name;

// What leaves the topic at a commit that was made on it was made from the topic, or is a copy of it under another name.
const isOthers = ({ rank }: Ref, fork: string, { isTrunk, made }: Topic): boolean =>
	isTrunk || rank < Infinity || !made.has(fork);

const byRank = (one: Ref, other: Ref): number =>
	one.rank === other.rank ? (one.name < other.name ? -1 : 1) : one.rank - other.rank;

const fieldsIn = (text: string): string[][] =>
	text
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => line.split("\t"));

async function refsOf(repository: Repository): Promise<Refs> {
	const lines = await runGit(repositoryPlace(repository), {
		args: [
			"for-each-ref",
			"--format=%(refname)%09%(objectname)%09%(symref)%09%(upstream)",
			...BRANCHES,
		],
		parse: (answer) => fieldsIn(lineOf(answer)),
	});
	const heads = new Set(
		lines.flatMap(([name = "", , leadsTo = ""]) => (/\/HEAD$/.test(name) ? [leadsTo] : [])),
	);
	const all = lines
		.filter(([, , leadsTo]) => leadsTo === "")
		.map(([name = "", commit = ""]): Ref => {
			const branch = name.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, "");
			const nth = TRUNKS.indexOf(branch);
			const rank = heads.has(name) ? 0 : nth === -1 ? Infinity : nth + 1;
			return { name, branch, commit, rank };
		});
	const tracked = lines.filter(([, , , upstream = ""]) => upstream !== "");
	const upstreams = new Map(tracked.map(([name = "", , , upstream = ""]) => [name, upstream]));
	return { all, upstreams };
}

/**
 * Commits that were made in this repository while a ref led to them, by its log: committed, picked, or merged; not those
 * that it came to otherwise.
 *
 * @param ref full name, or `HEAD` of the work tree
 */
export async function commitsMade(
	repository: Repository,
	ref: string,
): Promise<ReadonlySet<string>> {
	// Without a log git finds none.
	const lines = await runGit(
		{ ...repositoryPlace(repository), gitDir: repository.gitDir },
		{
			args: ["log", "--walk-reflogs", "--format=%H%x09%gs", ref, "--"],
			exitCodes: [0, 128],
			parse: (answer) => fieldsIn(lineOf(answer)),
		},
	);
	return new Set(
		lines.flatMap(([commit = "", what = ""]) => (isMaking(commit, what) ? [commit] : [])),
	);
}

function isMaking(commit: string, what: string): boolean {
	// Without commits of its own a rebased branch ends at what it was rebased onto.
	const onto = /\(finish\): .* onto ([0-9a-f]+)$/.exec(what)?.[1];
	if (onto !== undefined) return onto !== commit;
	return /^(?:commit|cherry-pick|revert|am)\b|Merge made by|^[^:]*\((?:pick|reword|edit|squash|fixup|continue|merge)\):/.test(
		what,
	);
}

async function namesWith(vault: Vault, commit: string): Promise<ReadonlySet<string>> {
	return await runGit(repositoryPlace(vault.repository), {
		args: ["for-each-ref", "--format=%(refname)", `--contains=${commit}`, ...BRANCHES],
		parse: (answer) => new Set(lineOf(answer).split("\n")),
	});
}

async function nearest(
	vault: Vault,
	topic: Topic & { readonly hasCopy: boolean },
	candidates: readonly Ref[],
): Promise<StandardBase | null> {
	if (candidates.length === 0) return null;
	const { commit, name, made, hasCopy } = topic;
	const above = await namesWith(vault, commit);
	const having = candidates.filter((ref) => above.has(ref.name)).toSorted(byRank);
	// Else it was made from the topic.
	const isBehind = name !== null && !hasCopy && !made.has(commit);
	const whole = having.find(({ rank }) => isBehind || rank < Infinity);
	if (whole !== undefined) return { commit, of: shortOf(whole) };
	let others = candidates.filter((ref) => !above.has(ref.name));
	for (;;) {
		const places = await forksOf(vault, commit, others);
		const groups = await Promise.all(places.map((fork) => namesWith(vault, fork)));
		const own = others.filter(({ name: ref, ...rest }) =>
			places.some(
				(fork, nth) =>
					groups[nth]?.has(ref) === true && !isOthers({ name: ref, ...rest }, fork, topic),
			),
		);
		if (own.length === 0) return await nearestOf(vault, commit, others, groups);
		others = others.filter((ref) => !own.includes(ref));
	}
}

export const commitsIn: GitQuery<string[]>["parse"] = (answer) =>
	lineOf(answer)
		.split("\n")
		.filter((line) => line !== "");

/**
 * The commits at which some history leaves that of others: none of them is behind another one.
 *
 * @param without what belongs to the others; objects that are missing are passed over
 */
export async function forksOf(
	{ repository }: Pick<Vault, "repository">,
	commit: string,
	without: readonly Pick<Ref, "commit">[],
): Promise<readonly string[]> {
	const place = repositoryPlace(repository);
	const found = await runGit(place, {
		args: ["rev-list", "--ignore-missing", "--boundary", "--stdin"],
		stdin: `${[commit, ...without.map((ref) => `^${ref.commit}`)].join("\n")}\n`,
		parse: (answer) =>
			commitsIn(answer).flatMap((line) => (line.startsWith("-") ? [line.slice(1)] : [])),
	});
	if (found.length < 2) return found;
	return await runGit(place, {
		args: ["merge-base", "--independent", ...found],
		parse: commitsIn,
	});
}

// Branches that have the same of the places at which the topic left all of them share as much with it.
async function nearestOf(
	vault: Vault,
	commit: string,
	others: readonly Ref[],
	groups: readonly ReadonlySet<string>[],
): Promise<StandardBase | null> {
	const likeliest = new Map<string, Ref>();
	for (const ref of others.toSorted(byRank)) {
		const has = groups.map((names) => names.has(ref.name));
		const key = has.join();
		if (has.includes(true) && !likeliest.has(key)) likeliest.set(key, ref);
	}
	const counted = await Promise.all(
		[...likeliest.values()].map(async (ref) => {
			const ahead = likeliest.size === 1 ? 0 : await aheadOf(vault, ref.commit, commit);
			return { ref, ahead };
		}),
	);
	const [first] = counted.toSorted((one, other) => one.ahead - other.ahead);
	if (first === undefined) return null;
	const fork = await mergeBase(vault, first.ref.commit, commit);
	return fork === undefined ? null : { commit: fork, of: shortOf(first.ref) };
}

/** Number of commits that a history has beyond another one. */
export function aheadOf(
	{ repository }: Pick<Vault, "repository">,
	base: string,
	commit: string,
): Promise<number> {
	return runGit(repositoryPlace(repository), {
		args: ["rev-list", "--count", commit, `^${base}`, "--"],
		parse: (answer) => Number(lineOf(answer)),
	});
}

/** Revisions of all branches, with which a base is found that nobody names. */
export const ALL_BRANCHES = ["--branches", "--remotes"];

/** Tells whether a shallow clone cuts what leads to a base: where it is cut, a nearer one may be. */
export async function isCut(
	{ repository }: Pick<Vault, "repository">,
	base: string,
	revisions: readonly string[],
): Promise<boolean> {
	if (!repository.shallow) return false;
	const cut = new Set(shallowFile(repository)?.toString("utf8").split("\n"));
	const ends = await runGit(repositoryPlace(repository), {
		args: ["rev-list", "--ignore-missing", "--max-parents=0", ...revisions, `^${base}`, "--"],
		parse: commitsIn,
	});
	return ends.some((commit) => cut.has(commit));
}
