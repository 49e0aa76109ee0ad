import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../kernel/fault.ts";
import { joinZero, lineOf, nothing } from "./parsing.ts";
import type { Repository } from "./repository.ts";
import { repositoryPlace } from "./repository.ts";
import type { GitQuery } from "./run-git.ts";
import { askGit, failure, runGit } from "./run-git.ts";

/** A change of one ref, made only when the ref still stands at `from`. */
export interface RefMove {
	/** Full name, such as `"refs/heads/sparring/r1/limiter"`. */
	readonly ref: string;
	/** Where it goes; null deletes it. */
	readonly to: string | null;
	/** Where it must stand; null: it must not exist. */
	readonly from: string | null;
}

/** A ref and what it points to. */
export interface RefEntry {
	readonly ref: string;
	readonly oid: string;
}

/** The object that a ref of the user's repository points to; undefined when there is no such ref. */
export function readRef(repository: Repository, ref: string): Promise<string | undefined> {
	return runGit(repositoryPlace(repository), {
		args: ["rev-parse", "--verify", "-q", "--end-of-options", ref],
		exitCodes: [0, 1, 128],
		parse: (answer) => (answer.exitCode === 0 ? lineOf(answer) : undefined),
	});
}

/**
 * Moves a ref when it still stands where it should: compare-and-swap.
 *
 * @returns false when it stands elsewhere, also when another process was faster
 */
export function moveRef(repository: Repository, move: RefMove): Promise<boolean> {
	return moveRefs(repository, [move]);
}

/** Deletes a ref when it stands at `expected`; false when it does not, also when it is gone. */
export function deleteRef(repository: Repository, ref: string, expected: string): Promise<boolean> {
	return moveRefs(repository, [{ ref, to: null, from: expected }]);
}

/**
 * Moves several refs at once: all of them, or none when one stands elsewhere than it should.
 *
 * @throws Fault `ref-in-the-way` when an existing ref's name is a folder of a new one or the reverse,
 * `git-failed` when the repository cannot be written
 */
export async function moveRefs(
	repository: Repository,
	moves: readonly RefMove[],
): Promise<boolean> {
	if (moves.length === 0) return true;
	const place = repositoryPlace(repository);
	const query: GitQuery<void> = {
		args: ["update-ref", "--no-deref", "-m", "sparring", "-z", "--stdin"],
		stdin: joinZero(moves.flatMap(instruction)),
		parse: nothing,
	};
	const answer = await askGit(place, query);
	if (answer.exitCode === 0) return true;
	const now = await Promise.all(moves.map(({ ref }) => readRef(repository, ref)));
	if (moves.some(({ from }, index) => (now[index] ?? null) !== from)) return false;
	const blocked = await refsInTheWay(
		repository,
		moves.filter(({ from }) => from === null).map(({ ref }) => ref),
	);
	if (blocked.length > 0) throw inTheWay(blocked);
	throw failure(place, query, answer);
}

/**
 * Points a private ref at a commit, wherever it stood before, so that no `git gc` removes the commit.
 *
 * @param ref below `refs/sparring/`, such as `"refs/sparring/r1/landing"`: nobody else moves it
 */
export async function keepUnder(
	repository: Repository,
	ref: string,
	commit: string,
): Promise<void> {
	const args = ["update-ref", "--no-deref", "-m", "sparring", ref, commit];
	await runGit(repositoryPlace(repository), { args, parse: nothing });
}

function instruction({ ref, to, from }: RefMove): string[] {
	// Without an old value `delete` would delete whatever stands there; `verify` asks for nothing standing there.
	if (to === null) return [from === null ? `verify ${ref}` : `delete ${ref}`, from ?? ""];
	return from === null ? [`create ${ref}`, to] : [`update ${ref}`, to, from];
}

function inTheWay(refs: readonly string[]): Fault {
	return new Fault(`the repository already has ${refs.join(", ")}`, {
		code: "ref-in-the-way",
		hint: "Rename or delete that branch (`git branch -m OLD NEW`), then try again.",
	});
}

/** The refs below a prefix such as `"refs/sparring/r1"`, or the one of exactly that name. */
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
 * Existing refs that keep the given ones from being made: of the same name, or one a folder of the other.
 *
 * @example with a branch `sparring`, `["refs/heads/sparring/r1/limiter"]` gives `["refs/heads/sparring"]`
 */
export async function refsInTheWay(
	repository: Repository,
	refs: readonly string[],
): Promise<string[]> {
	if (refs.length === 0) return [];
	const patterns = new Set(refs.flatMap((ref) => [ref, ...foldersOf(ref)]));
	const existing = await listMatching(repository, [...patterns]);
	return existing.map(({ ref }) => ref).filter((ref) => refs.some((wanted) => clash(ref, wanted)));
}

/** Folders of a ref below its kind: `refs/heads/a/b/c` has `refs/heads/a` and `refs/heads/a/b`. */
function foldersOf(ref: string): string[] {
	const parts = ref.split("/");
	return parts.slice(2, -1).map((_part, index) => parts.slice(0, index + 3).join("/"));
}

function clash(one: string, other: string): boolean {
	return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/**
 * Removes locks that a killed git left on refs below a prefix of ours, such as `"refs/heads/sparring/r1/"`. Only whoever
 * holds the run may call it: nobody else moves these refs.
 */
export async function removeStaleLocks(repository: Repository, prefix: string): Promise<void> {
	const directory = join(repository.commonDir, prefix);
	const names = await readdir(directory, { recursive: true }).catch(() => []);
	for (const name of names) {
		if (name.endsWith(".lock")) await rm(join(directory, name), { force: true });
	}
}
