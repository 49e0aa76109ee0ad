import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { kindOf } from "./file-tree.ts";
import type { Repository } from "./repository.ts";
import { repositoryPlace } from "./repository.ts";
import { askGit, type GitQuery, runGit } from "./run-git.ts";
import type { Vault } from "./vault.ts";
import { vaultPlace } from "./vault.ts";

/**
 * Checks that every object that commits added can be read, and that files have the content that their names in git say. A power
 * loss can truncate objects; a disk can return others.
 *
 * Reads each object completely, once, in packs too. The cost grows with what the commits added, not with the history.
 *
 * @param known a commit whose objects are known to be intact
 * @returns the first line of git's error; null when all objects are intact
 */
export async function damageOf(
	vault: Vault,
	commits: readonly string[],
	known: string,
): Promise<string | null> {
	const added = commits.filter((commit) => commit !== known);
	if (added.length === 0) return null;
	const query: GitQuery<void> = {
		args: ["rev-list", "--objects", "--verify-objects", "--quiet", "--stdin"],
		stdin: [...added, `^${known}`, ""].join("\n"),
		ignoresStdout: true,
		parse: () => undefined,
	};
	const { exitCode, stderr } = await askGit(vaultPlace(vault), query);
	// Git only tells of content that belongs to another name. It may tell of more that is no damage, such as another
	// repository to look into that is gone.
	if (exitCode === 0) return /^error: hash mismatch .*$/m.exec(stderr)?.[0] ?? null;
	const [told] = /^(?:error|fatal): .*$/m.exec(stderr) ?? [];
	return told ?? `git rev-list ended with exit code ${exitCode}`;
}

/** Without a name, `git fsck` would also follow the whole history of each ref. */
const NO_OBJECT = "0".repeat(40);

/**
 * Moves damaged loose objects out of the repository. While such a file exists, git does not write the object again when
 * the same content returns.
 *
 * @param aside directory for the objects, under their ids
 * @returns how many were moved
 */
export async function setDamagedAside(repository: Repository, aside: string): Promise<number> {
	const { stderr } = await askGit(repositoryPlace(repository), {
		args: ["fsck", "--no-full", "--no-dangling", "--no-reflogs", "--no-progress", NO_OBJECT],
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
		if (kindOf(file) !== "file") continue;
		if (await moveFile(file, join(aside, id))) moved += 1;
	}
	return moved;
}

function moveFile(from: string, to: string): Promise<boolean> {
	const moving = rename(from, to).catch(async () => {
		await copyFile(from, to);
		await rm(from);
	});
	return moving.then(
		() => true,
		() => false,
	);
}

/** Of some commits those that the repository has; of their history and files nothing is said. */
export async function heldCommits(
	repository: Repository,
	commits: readonly string[],
): Promise<ReadonlySet<string>> {
	if (commits.length === 0) return new Set();
	const held = await runGit(repositoryPlace(repository), {
		args: ["rev-list", "--no-walk=unsorted", "--ignore-missing", "--stdin"],
		stdin: [...commits, ""].join("\n"),
		parse: ({ stdout }) => stdout.toString("utf8").split("\n"),
	});
	return new Set(held.filter((commit) => commit !== ""));
}

/** The commits that are not in the history of `tip`, newest first. */
export function notIn(
	repository: Repository,
	tip: string,
	commits: readonly string[],
): Promise<string[]> {
	return notInAny(repository, [tip], commits, { ignoresMissing: false });
}

/**
 * The commits that are in the history of none of the tips, newest first. One process, however many they are.
 *
 * @param how.ignoresMissing leaves out commits that the repository does not have; else they are a fault
 */
export async function notInAny(
	repository: Repository,
	tips: readonly string[],
	commits: readonly string[],
	how: { readonly ignoresMissing: boolean },
): Promise<string[]> {
	if (commits.length === 0) return [];
	const missing = how.ignoresMissing ? ["--ignore-missing"] : [];
	const newer = await runGit(repositoryPlace(repository), {
		args: ["rev-list", "--topo-order", ...missing, "--stdin"],
		stdin: [...commits, ...tips.map((tip) => `^${tip}`), ""].join("\n"),
		parse: ({ stdout }) => stdout.toString("utf8").split("\n"),
	});
	const wanted = new Set(commits);
	return newer.filter((commit) => wanted.has(commit));
}
