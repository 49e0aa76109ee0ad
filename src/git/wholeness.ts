import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { kindOf } from "./file-tree.ts";
import type { Repository } from "./repository.ts";
import { repositoryPlace } from "./repository.ts";
import { askGit, type GitQuery, runGit } from "./run-git.ts";
import type { Vault } from "./vault.ts";
import { vaultPlace } from "./vault.ts";

/**
 * What git says against a commit when some object that it added to another cannot be read: one that a loss of power
 * truncated, or that somebody removed.
 *
 * Every object between the two is read to its end; its cost grows with what the commit added, not with history.
 *
 * @param known a commit whose objects are taken for whole
 * @returns git's first words, null when everything can be read
 */
export async function damageOf(
	vault: Vault,
	commit: string,
	known: string,
): Promise<string | null> {
	if (commit === known) return null;
	const query: GitQuery<void> = {
		args: ["pack-objects", "--revs", "--stdout", "--window=0", "--quiet"],
		stdin: `${commit}\n^${known}\n`,
		ignoresStdout: true,
		parse: () => undefined,
	};
	const { exitCode, stderr } = await askGit(vaultPlace(vault), query);
	if (exitCode === 0) return null;
	return stderr.split("\n")[0] ?? `git pack-objects ended with exit code ${exitCode}`;
}

/**
 * Moves loose objects that cannot be read out of the repository: git takes a file of that name for the object, and
 * would not write it again when the same content comes back.
 *
 * @param aside directory that they are moved to, under their ids
 * @returns how many were moved
 */
export async function setDamagedAside(repository: Repository, aside: string): Promise<number> {
	const { stderr } = await askGit(repositoryPlace(repository), {
		args: ["fsck", "--no-full", "--no-dangling", "--no-reflogs", "--no-progress"],
		ignoresStdout: true,
		parse: () => undefined,
	});
	const ids = new Set(
		[...stderr.matchAll(/^error: ([0-9a-f]{40,64}): object corrupt or missing: /gm)].map(
			([, id = ""]) => id,
		),
	);
	let moved = 0;
	await mkdir(aside, { recursive: true });
	for (const id of ids) {
		const file = join(repository.objectsDir, id.slice(0, 2), id.slice(2));
		if ((await kindOf(file)) !== "file") continue;
		await copyFile(file, join(aside, id));
		await rm(file, { force: true });
		moved += 1;
	}
	return moved;
}

/** Those of the commits that are not in the history of `tip`, by id, the newest first. */
export async function notIn(
	repository: Repository,
	tip: string,
	commits: readonly string[],
): Promise<string[]> {
	if (commits.length === 0) return [];
	const newer = await runGit(repositoryPlace(repository), {
		args: ["rev-list", "--topo-order", "--stdin"],
		stdin: [...commits, `^${tip}`, ""].join("\n"),
		parse: ({ stdout }) => stdout.toString("utf8").split("\n"),
	});
	const wanted = new Set(commits);
	return newer.filter((commit) => wanted.has(commit));
}
