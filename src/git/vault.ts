import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bytesOfText } from "../kernel/byte-text.ts";
import { Fault } from "../kernel/fault.ts";
import { type CopiedFiles, copiedFiles } from "./copied-files.ts";
import type { GitDirectory, RefFile } from "./git-directory.ts";
import { writeGitDirectory } from "./git-directory.ts";
import type { KeptChildren } from "./kept-children.ts";
import type { Repository } from "./repository.ts";
import type { GitPlace } from "./run-git.ts";

/**
 * Sparring's bare repository, through which all plumbing of a run goes.
 *
 * It has a minimal configuration and none of the user's refs, hooks or filters. It reads and writes objects in the
 * user's object database, where private refs of the user's repository protect them.
 */
export interface Vault {
	readonly repository: Repository;
	/** Directory of the vault. */
	readonly gitDir: string;
	/** A git directory like it, for checkouts: it also has Git LFS where the base commit uses it. */
	readonly checkoutGitDir: string;
	/**
	 * A git directory like it, whose attributes switch conversions off: for a tree whose `.gitattributes` asks for a
	 * conversion that its files do not allow.
	 */
	readonly plainGitDir: string;
	/** The user's own ignore rules, which count in everything that goes through the vault. Empty where there are none. */
	readonly ignoreRules: string;
	/** A git directory like it, for merges: it also has the user's merge drivers. */
	readonly mergeGitDir: string;
	/** Work tree of merges: a folder with the attribute files of the base commit alone. Null: it has none. */
	readonly mergeTree: string | null;
	/** Directories with the objects of submodules. */
	readonly stores: readonly string[];
	/** Refs that every checkout has, see `baseRefs`. */
	readonly refs: readonly RefFile[];
	/** Of checkouts that do not borrow the user's objects; null: they do. */
	readonly ownHistory: OwnHistory | null;
	/** Ends git commands that go through the vault. Commands on the user's own refs and work tree run to their end. */
	readonly signal: AbortSignal | undefined;
	/** Marks the processes of the vault, see `GitPlace`. */
	readonly mark: string | undefined;
	/** Keeps the commands that answer request after request, see `GitPlace`. */
	readonly kept: KeptChildren | undefined;
	/** Ignored files of the user's that each checkout of the vault gets; null: none. */
	readonly copied: CopiedFiles | null;
}

/** Rules for a repository that holds its history itself: commits, tags and trees, of files only what stands there now. */
export interface OwnHistory {
	/** A commit of which most others differ little, packed once with all that the vault's refs name. Null: each commit stands alone. */
	readonly base: string | null;
	/** Gives a test for paths: content of these files is left out, in every commit. */
	readonly isWithheld: () => Promise<(path: string) => boolean>;
}

/** A vault's own parts that its caller gives. */
export type VaultUse = {
	readonly [Part in "ignoreRules" | "signal" | "mark" | "kept"]?: Vault[Part] | undefined;
};

export const NO_CONVERSION = "* -text -eol -ident -working-tree-encoding\n";

/** Directory of a run's vault: `<dir>/vault.git`. */
export const vaultDirectory = (dir: string): string => join(dir, "vault.git");

/**
 * Creates or refreshes the vault of a run at `<dir>/vault.git`. Safe to repeat, also after a kill: a new vault is built
 * in a temporary directory and renamed.
 *
 * @throws Fault `state-unwritable` when the directory cannot be written
 */
export async function openVault(
	repository: Repository,
	dir: string,
	{ ignoreRules = "", signal, mark, kept }: VaultUse = {},
): Promise<Vault> {
	const gitDir = vaultDirectory(dir);
	const plain = "plain.git";
	const aside = join(dir, "vault.git.new");
	const shallow = shallowFile(repository);
	const excludes = bytesOfText(ignoreRules);
	const write = (path: string): void => {
		writeGitDirectory(ownDirectory(repository, { path, shallow, attributes: "", excludes }));
		const inner = { path: join(path, plain), shallow, attributes: NO_CONVERSION, excludes };
		writeGitDirectory(ownDirectory(repository, inner));
	};
	try {
		await mkdir(dir, { recursive: true });
		await rm(aside, { recursive: true, force: true });
		if (await isFile(join(gitDir, plain, "HEAD"))) {
			write(gitDir);
		} else {
			write(aside);
			await rm(gitDir, { recursive: true, force: true });
			await rename(aside, gitDir);
		}
	} catch (cause) {
		throw new Fault(`cannot write to the directory ${dir}`, {
			code: isFull(cause) ? "disk-full" : "state-unwritable",
			hint: "Make it writable and free some space, or set SPAR_CHECKOUTS to another directory.",
			cause,
		});
	}
	const plainGitDir = join(gitDir, plain);
	const own = { gitDir, checkoutGitDir: gitDir, plainGitDir, mergeGitDir: gitDir, mergeTree: null };
	const users = { stores: [], refs: [], ownHistory: null, ignoreRules, copied: copiedFiles(dir) };
	return { repository, ...own, ...users, signal, mark, kept };
}

/** The vault as a place for plumbing commands without a work tree. */
export function vaultPlace(vault: Vault): GitPlace {
	const { repository, gitDir, stores, signal, mark, kept } = vault;
	const { host, objectsDir } = repository;
	const at = { cwd: gitDir, gitDir, objectsDir, stores };
	return { host, configuration: "sealed", ...at, signal, mark, kept };
}

// Without it the history of a shallow clone looks damaged.
export function shallowFile(
	{ commonDir }: Repository,
	stores: readonly string[] = [],
): Buffer | null {
	const files = [commonDir, ...stores.map(dirname)].map((directory) => join(directory, "shallow"));
	const there = files.filter(existsSync);
	return there.length === 0 ? null : Buffer.concat(there.map((file) => readFileSync(file)));
}

export function ownDirectory(
	repository: Repository,
	own: Pick<GitDirectory, "path" | "shallow" | "attributes" | "excludes" | "settings">,
): GitDirectory {
	return {
		...own,
		bare: true,
		objectFormat: repository.objectFormat,
		alternates: repository.objectsDir,
		head: "ref: refs/heads/none",
		shared: repository.shared,
	};
}

async function isFile(path: string): Promise<boolean> {
	try {
		await readFile(path);
		return true;
	} catch {
		return false;
	}
}

function isFull(cause: unknown): boolean {
	return cause instanceof Error && "code" in cause && cause.code === "ENOSPC";
}
