import { constants, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../kernel/fault.ts";
import { randomId } from "../kernel/ids.ts";
import { keepCommit } from "./changes.ts";
import { tracksAttributes, withoutUntouched } from "./conversions.ts";
import { kindOf, makeWritable, removeSmallTree, removeTree } from "./file-tree.ts";
import { filterFault } from "./filter-failure.ts";
import { writeNewGitDirectory } from "./git-directory.ts";
import { nothing, pathText, zeroFields } from "./parsing.ts";
import type { RawChange } from "./raw-changes.ts";
import { parseRawChanges } from "./raw-changes.ts";
import type { GitPlace, GitQuery } from "./run-git.ts";
import { askGit, runGit } from "./run-git.ts";
import type { Snapshot, SnapshotRequest, Taken } from "./snapshot.ts";
import { takeSnapshot } from "./snapshot.ts";
import { hasStrays, removeStrays } from "./strays.ts";
import { removeUnfit } from "./unfit.ts";
import type { Vault } from "./vault.ts";
import { shallowFile, vaultPlace } from "./vault.ts";

/** Where a checkout lies. */
export interface CheckoutPlace {
	/** The directory; made by the first `forceTo`. */
	readonly dir: string;
	/** Our index of it, outside of it. */
	readonly indexFile: string;
}

/**
 * A directory with the files of a commit, a repository of its own for whoever works in it.
 *
 * No operation reads the `.git` that lies in it, so nothing that is planted there has an effect on us. What git could
 * not read to an end, such as a FIFO, is removed before git looks at the directory.
 * Not for two calls at once.
 */
export interface Checkout {
	readonly dir: string;
	/**
	 * Makes the directory equal to a commit. Tracked files are forced, untracked ones removed with directories and
	 * nested repositories; what the commit's own ignore rules ignore stays, and so does the inside of a submodule.
	 * Its `.git` is written anew with a detached HEAD, so commits that were made in it are gone.
	 */
	forceTo(commit: string): Promise<void>;
	/**
	 * Names what `forceTo` last made here: a random id, kept outside of the directory, that a later process finds again.
	 * null when nothing was made here, or the directory is gone: whoever worked in it worked somewhere else.
	 */
	id(): Promise<string | null>;
	/**
	 * Records all that is not ignored as a commit, also when nothing changed. Submodules stay as the parent has them.
	 * A missing directory is never made: an empty one would become a commit that deletes every file.
	 *
	 * @throws Fault `checkout-lost` when the directory is gone
	 */
	snapshot(request: SnapshotRequest): Promise<Snapshot>;
	/** Whether the directory still equals a commit; ignored files and empty directories do not count. */
	isUnchanged(commit: string): Promise<boolean>;
	/** Tracked files that differ from a commit, by path; what is untracked does not count. */
	changedFiles(commit: string): Promise<readonly string[]>;
	/** How many of the tracked files are missing, of how many. */
	missingFiles(commit: string): Promise<{ readonly missing: number; readonly of: number }>;
	/** Removes the directory and its index. */
	remove(): Promise<void>;
}

/** Names a checkout; nothing is read or written before a method is called. */
export function openCheckout(vault: Vault, { dir, indexFile }: CheckoutPlace): Checkout {
	const gitDir = vault.checkoutGitDir;
	const place = { ...vaultPlace(vault), gitDir, cwd: dir, workTree: dir, indexFile };
	/** Commit that the directory was just found to equal; forgotten when it is handed out. It spares a second look. */
	let standsAt: string | null = null;
	const idFile = `${indexFile}.id`;
	return {
		dir,
		forceTo: async (commit) => {
			const there = standsAt === commit;
			standsAt = null;
			const isNew = await prepare({ dir, indexFile });
			if (!there && !isNew) await removeUnfit(place);
			if (!there) await force(place, dir, commit);
			await writeRepository(vault, { dir, indexFile }, commit);
			writeFileSync(idFile, randomId(16));
		},
		id: async () => ((await kindOf(dir)) === "directory" ? await readId(idFile) : null),
		snapshot: async (request) => {
			if ((await kindOf(dir)) !== "directory") throw lost(dir);
			await prepare({ dir, indexFile });
			if ((await kindOf(indexFile)) === "none") await fillIndex(place, request.parent);
			const { snapshot, changes, verbatim } = await taken(place, vault.plainGitDir, request);
			keepCommit(vault, { ...snapshot, parent: request.parent, changes });
			const { embedded, leftOut, unfit } = snapshot;
			const whole = embedded.length + leftOut.length + unfit.length === 0;
			standsAt = whole && !verbatim ? snapshot.commit : null;
			return snapshot;
		},
		isUnchanged: async (commit) => {
			await prepare({ dir, indexFile });
			if ((await kindOf(indexFile)) === "none") await fillIndex(place, commit);
			const unfit = await removeUnfit(place);
			const unchanged =
				unfit.length === 0 && (await equalsCommit(place, commit)) && !(await hasStrays(place, dir));
			standsAt = unchanged ? commit : null;
			return unchanged;
		},
		changedFiles: async (commit) => {
			await prepare({ dir, indexFile });
			if ((await kindOf(indexFile)) === "none") await fillIndex(place, commit);
			await removeUnfit(place);
			return (await changesSince(place, commit)).map(({ path }) => pathText(path));
		},
		missingFiles: async (commit) => {
			await prepare({ dir, indexFile });
			if ((await kindOf(indexFile)) === "none") await fillIndex(place, commit);
			const count = (...options: readonly string[]) =>
				runGit(place, {
					args: ["ls-files", "-z", ...options],
					parse: ({ stdout }) => zeroFields(stdout).length,
				});
			return { missing: await count("--deleted"), of: await count() };
		},
		remove: async () => {
			standsAt = null;
			await removeTree(dir);
			await rm(indexFile, { force: true });
			await rm(`${indexFile}.lock`, { force: true });
			await rm(idFile, { force: true });
		},
	};
}

/**
 * Once more from an index without memory where the first attempt fails: one that trusts its notes writes no file again
 * whose object `git gc` has removed since.
 */
async function taken(
	place: GitPlace & { readonly indexFile: string },
	plainGitDir: string,
	request: SnapshotRequest,
): Promise<Taken> {
	try {
		return await takeSnapshot(place, plainGitDir, request);
	} catch (error) {
		if (!(error instanceof Fault) || error.code !== "git-failed") throw error;
		await rm(place.indexFile, { force: true });
		await fillIndex(place, request.parent);
		return await takeSnapshot(place, plainGitDir, request);
	}
}

async function readId(file: string): Promise<string | null> {
	try {
		return await readFile(file, "utf8");
	} catch {
		return null;
	}
}

function lost(dir: string): Fault {
	return new Fault(`the checkout ${dir} is gone`, {
		code: "checkout-lost",
		hint: "Resume the run: the call that worked there is made again.",
	});
}

async function force(place: GitPlace, dir: string, commit: string): Promise<void> {
	await readTree(place, commit);
	if (await removeStrays(place, dir)) await readTree(place, commit);
}

/**
 * Makes sure that the directory is a real one and no lock is left. A link in its place would lead our commands to
 * wherever it points; one process has a run, so a lock is of a process that died.
 *
 * @returns whether the directory was made just now, and is empty
 */
async function prepare({ dir, indexFile }: CheckoutPlace): Promise<boolean> {
	if ((await kindOf(dir)) !== "directory") await removeTree(dir);
	const isNew = mkdirSync(dir, { recursive: true }) !== undefined;
	mkdirSync(dirname(indexFile), { recursive: true });
	rmSync(`${indexFile}.lock`, { force: true });
	return isNew;
}

async function readTree(place: GitPlace, commit: string): Promise<void> {
	const query: GitQuery<void> = {
		args: ["read-tree", "--reset", "-u", "--no-recurse-submodules", commit],
		mayLock: true,
		parse: nothing,
	};
	const answer = await askGit(place, query);
	if (answer.exitCode === 0) return;
	const byFilter = filterFault(answer.stderr, place.cwd);
	if (byFilter !== null) throw byFilter;
	// Either directories are read-only or the index is damaged; without an index every file is written anew.
	await makeWritable(place.cwd);
	if (place.indexFile !== undefined) {
		await rm(place.indexFile, { force: true });
		await rm(`${place.indexFile}.lock`, { force: true });
	}
	await runGit(place, query);
}

/** An index with a commit's entries, for a work tree whose own index is lost. */
async function fillIndex(place: GitPlace, commit: string): Promise<void> {
	await runGit(place, { args: ["read-tree", commit], mayLock: true, parse: nothing });
}

function differences(commit: string): GitQuery<void> {
	return {
		args: [
			"diff",
			"--quiet",
			"--no-ext-diff",
			"--no-textconv",
			"--ignore-submodules=all",
			commit,
			"--",
		],
		mayLock: true,
		parse: nothing,
	};
}

/** Whether the tracked files are what a checkout of the commit writes. */
async function equalsCommit(place: GitPlace, commit: string): Promise<boolean> {
	if ((await askGit(place, differences(commit))).exitCode === 0) return true;
	return tracksAttributes(place) && (await changesSince(place, commit)).length === 0;
}

/** Tracked files that are not what a checkout of the commit writes. */
async function changesSince(place: GitPlace, commit: string): Promise<readonly RawChange[]> {
	return await withoutUntouched(place, commit, await runGit(place, reported(commit)));
}

/** What git takes for changed. */
function reported(commit: string): GitQuery<RawChange[]> {
	return {
		args: [
			"diff",
			"--raw",
			"-z",
			"--no-abbrev",
			"--no-ext-diff",
			"--no-textconv",
			"--no-renames",
			"--ignore-submodules=all",
			commit,
			"--",
		],
		mayLock: true,
		parse: ({ stdout }) => parseRawChanges(stdout),
	};
}

/** The repository that whoever works in the checkout sees: made from nothing, whatever stands there. */
async function writeRepository(
	vault: Vault,
	{ dir, indexFile }: CheckoutPlace,
	commit: string,
): Promise<void> {
	const path = join(dir, ".git");
	await removeSmallTree(path);
	writeNewGitDirectory({
		path,
		bare: false,
		objectFormat: vault.repository.objectFormat,
		alternates: vault.repository.objectsDir,
		shallow: await shallowFile(vault.repository),
		head: commit,
		shared: null,
		attributes: "",
	});
	await copyFile(indexFile, join(path, "index"), constants.COPYFILE_FICLONE);
}
