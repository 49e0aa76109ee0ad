import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { objectId } from "./objects.ts";
import { foldersOf, lineOf } from "./parsing.ts";
import { changeRefs } from "./ref-transaction.ts";
import type { Repository } from "./repository.ts";
import { objectNamed, repositoryPlace } from "./repository.ts";
import { failure, runGit } from "./run-git.ts";

/** A compare-and-swap of one ref. */
export interface RefMove {
	/** Full name, such as `"refs/heads/sparring/r1/limiter"`. */
	readonly ref: string;
	/** The new commit; null deletes the ref. */
	readonly to: string | null;
	/** The commit that it must be at; null: it must not exist. */
	readonly from: string | null;
}

/** A ref and what it points to. */
export interface RefEntry {
	readonly ref: string;
	readonly oid: string;
}

/** The object that a ref points to; undefined when there is no such ref. */
export async function readRef(repository: Repository, ref: string): Promise<string | undefined> {
	const place = repositoryPlace(repository);
	const found = place.kept === undefined ? undefined : await objectId(place, ref);
	// A ref whose object is gone is still a ref.
	return found ?? (await runGit(place, objectNamed(ref)));
}

/**
 * Points a private ref at a commit, so that `git gc` does not remove the commit. No compare-and-swap.
 *
 * @param ref below `refs/sparring/`, such as `"refs/sparring/r1/integration/landing"`, where only Sparring moves refs
 */
export async function keepUnder(
	repository: Repository,
	ref: string,
	commit: string,
): Promise<void> {
	if (!ref.startsWith("refs/sparring/")) throw new Error(`${ref} is not a private ref`);
	const place = repositoryPlace(repository);
	// Without an old value, whatever the ref points to.
	const refused = await changeRefs(place, [`update ${ref}`, commit, ""]);
	if (refused !== null) throw failure(place, refused.query, refused.answer);
}

/** The refs below a prefix such as `"refs/sparring/r1"`, or the ref with exactly that name. */
export function listRefs(repository: Repository, prefix: string): Promise<RefEntry[]> {
	return listMatching(repository, [prefix.replace(/\/+$/, "")]);
}

function listMatching(repository: Repository, patterns: readonly string[]): Promise<RefEntry[]> {
	return runGit(repositoryPlace(repository), {
		args: ["for-each-ref", "--format=%(objectname) %(refname)", "--", ...patterns],
		parse: (answer) =>
			lineOf(answer)
				.split("\n")
				.filter((line) => line !== "")
				.map((line) => {
					const space = line.indexOf(" ");
					return { oid: line.slice(0, space), ref: line.slice(space + 1) };
				}),
	});
}

/**
 * Existing refs that prevent the given ones: the same name, or one is a folder of the other.
 *
 * @example with a branch `sparring`, `["refs/heads/sparring/r1/limiter"]` gives `["refs/heads/sparring"]`
 */
export async function refsInTheWay(
	repository: Repository,
	refs: readonly string[],
): Promise<string[]> {
	if (refs.length === 0) return [];
	const patterns = new Set(refs.flatMap((ref) => [ref, ...foldersOf(ref).slice(2)]));
	const existing = await listMatching(repository, [...patterns]);
	return existing.map(({ ref }) => ref).filter((ref) => refs.some((wanted) => clash(ref, wanted)));
}

function clash(one: string, other: string): boolean {
	return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/**
 * Removes locks that a killed git left on refs below a prefix, such as `"refs/heads/sparring/r1/"`. Only the holder of
 * the run may call it, since only it moves these refs.
 */
export async function removeStaleLocks(repository: Repository, prefix: string): Promise<void> {
	const directory = join(repository.commonDir, prefix);
	const names = await readdir(directory, { recursive: true }).catch(() => []);
	for (const name of names) {
		if (name.endsWith(".lock")) await rm(join(directory, name), { force: true });
	}
}
