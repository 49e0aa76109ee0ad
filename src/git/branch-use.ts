import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { attempt } from "../kernel/attempt.ts";
import { kindOf } from "./file-tree.ts";
import { lineOf, settingsIn } from "./parsing.ts";
import type { Repository } from "./repository.ts";
import { repositoryPlace } from "./repository.ts";
import { runGit } from "./run-git.ts";

export type Operation = "rebase" | "am" | "bisect" | "merge" | "cherry-pick" | "revert";

export interface BranchUse {
	readonly ref: string;
	readonly root: string;
	/** False when it does not stand at `root`: deleted, moved without git, replaced, or on a drive that is not mounted. */
	readonly present: boolean;
	readonly attached: boolean;
	readonly operation: Operation | null;
}

/**
 * Worktrees that use any of these branches, by their full names. A process is started only for HEAD in a reftable, and
 * from a linked worktree.
 */
export async function branchUses(
	repository: Repository,
	refs: ReadonlySet<string>,
): Promise<BranchUse[]> {
	if (refs.size === 0) return [];
	const { commonDir } = repository;
	const linked = namesIn(join(commonDir, "worktrees"));
	const gitDirs = [commonDir, ...linked.map((name) => join(commonDir, "worktrees", name))];
	const uses = await Promise.all(gitDirs.map((gitDir) => usesOf(repository, gitDir, refs)));
	return uses.flat();
}

async function usesOf(
	repository: Repository,
	gitDir: string,
	refs: ReadonlySet<string>,
): Promise<BranchUse[]> {
	const names = new Set(namesIn(gitDir));
	const operation = operationOf(gitDir, names);
	const heads = aliasesOf(repository, await headOf(repository, gitDir));
	const worked = branchesUnderWork(gitDir, names);
	const used = [...new Set([...heads, ...worked])].filter((ref) => refs.has(ref));
	if (used.length === 0) return [];
	const root = await rootOf(repository, gitDir);
	// A bare repository has a HEAD but no checkout.
	if (root === null) return [];
	const present = root === repository.root || leadsTo(join(root, ".git"), gitDir);
	return used.map((ref) => ({ ref, root, present, attached: heads.includes(ref), operation }));
}

/**
 * The branch that a name stands for in the end.
 *
 * @param branch short name, such as `"trunk"`
 * @returns `"main"` where `refs/heads/trunk` is a symbolic ref to it; the name itself where it is an ordinary branch
 */
export function branchBehind(repository: Repository, branch: string): string {
	const names = aliasesOf(repository, `refs/heads/${branch}`);
	return (names.at(-1) ?? "").replace(/^refs\/heads\//, "");
}

function aliasesOf({ commonDir }: Repository, branch: string): string[] {
	const aliases: string[] = [];
	for (let next = branch; next !== "" && !aliases.includes(next); ) {
		aliases.push(next);
		next = /^ref:\s*(.*\S)\s*$/.exec(textOf(join(commonDir, next)))?.[1] ?? "";
	}
	return aliases;
}

function leadsTo(path: string, gitDir: string): boolean {
	const file = /^gitdir: (.*?)\n?$/s.exec(textOf(path))?.[1];
	const target = file === undefined ? path : resolve(dirname(path), file);
	const [found, wanted] = [target, gitDir].map((one) => attempt(() => realpathSync(one), null));
	return found !== null && found === wanted;
}

async function headOf(repository: Repository, gitDir: string): Promise<string> {
	// Very old versions of git made HEAD a symbolic link to the branch's file.
	const link = attempt(() => readlinkSync(join(gitDir, "HEAD")), "");
	if (link.startsWith("refs/")) return link;
	const head = /^ref:\s*(.*\S)\s*$/.exec(textOf(join(gitDir, "HEAD")))?.[1] ?? "";
	// A placeholder: with reftable, the ref is not in this file.
	if (head !== "refs/heads/.invalid") return head;
	return await runGit(
		{ ...repositoryPlace(repository), gitDir },
		{
			args: ["symbolic-ref", "-q", "HEAD"],
			// 128: a worktree that was begun and not finished has no HEAD.
			exitCodes: [0, 1, 128],
			parse: (answer) => (answer.exitCode === 0 ? lineOf(answer) : ""),
		},
	);
}

/** A merge, rebase or the like that was begun in the repository's own work tree and has not ended; null: none. */
export function operationIn({ gitDir }: Pick<Repository, "gitDir">): Operation | null {
	return operationOf(gitDir, new Set(namesIn(gitDir)));
}

function operationOf(gitDir: string, names: ReadonlySet<string>): Operation | null {
	if (names.has("rebase-merge")) return "rebase";
	if (names.has("rebase-apply")) {
		const applying = kindOf(join(gitDir, "rebase-apply", "applying")) !== "none";
		return applying ? "am" : "rebase";
	}
	if (names.has("MERGE_HEAD")) return "merge";
	if (names.has("REVERT_HEAD")) return "revert";
	if (names.has("CHERRY_PICK_HEAD") || names.has("sequencer")) return "cherry-pick";
	return names.has("BISECT_START") ? "bisect" : null;
}

/** Branches that a rebase will move or a bisect will return to, while HEAD is detached. */
function branchesUnderWork(gitDir: string, names: ReadonlySet<string>): string[] {
	const branches: string[] = [];
	for (const folder of ["rebase-merge", "rebase-apply"]) {
		if (names.has(folder)) branches.push(textOf(join(gitDir, folder, "head-name")).trim());
	}
	if (names.has("rebase-merge")) {
		// `git rebase --update-refs`: three lines per branch, the name first.
		const lines = textOf(join(gitDir, "rebase-merge", "update-refs")).split("\n");
		branches.push(...lines.filter((_line, index) => index % 3 === 0));
	}
	if (names.has("BISECT_START")) {
		const start = textOf(join(gitDir, "BISECT_START")).trim();
		branches.push(start.startsWith("refs/heads/") ? start : `refs/heads/${start}`);
	}
	return branches;
}

async function rootOf(repository: Repository, gitDir: string): Promise<string | null> {
	if (gitDir === repository.gitDir) return repository.root;
	if (gitDir !== repository.commonDir) {
		const file = textOf(join(gitDir, "gitdir")).replace(/\n$/, "");
		return file === "" ? gitDir : dirname(resolve(gitDir, file));
	}
	const settings = await runGit(repositoryPlace(repository), {
		args: ["config", "-z", "--get-regexp", "^core\\.(bare|worktree)$"],
		exitCodes: [0, 1],
		parse: ({ stdout }) => new Map(settingsIn(stdout)),
	});
	const workTree = settings.get("core.worktree");
	if (workTree !== undefined) return resolve(gitDir, workTree);
	if (settings.get("core.bare") === "true") return null;
	return basename(gitDir) === ".git" ? dirname(gitDir) : gitDir;
}

const namesIn = (directory: string): string[] => attempt(() => readdirSync(directory), []);

const textOf = (path: string): string => attempt(() => readFileSync(path, "utf8"), "");
