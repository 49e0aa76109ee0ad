import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../kernel/fault.ts";
import type { GitDirectory } from "./git-directory.ts";
import { writeGitDirectory } from "./git-directory.ts";
import type { Repository } from "./repository.ts";
import type { GitPlace } from "./run-git.ts";

/**
 * A bare repository of our own through which all plumbing of a run goes.
 *
 * It has a minimal configuration and none of the user's refs, hooks or filters; objects are read from and
 * written to the user's object database, where private refs of the user's repository can keep them.
 */
export interface Vault {
	readonly repository: Repository;
	/** Directory of the vault. */
	readonly gitDir: string;
	/** The directory like it through which checkouts are written and read: it knows the filters that may run there. */
	readonly checkoutGitDir: string;
	/**
	 * A second directory like it under whose attributes no file is converted: for a tree whose own
	 * `.gitattributes` asks for what its files cannot give.
	 */
	readonly plainGitDir: string;
	/** Ends what git does through the vault; commands on the user's own refs and work tree run to their end. */
	readonly signal: AbortSignal | undefined;
	/** Marks the processes of the vault, see `GitPlace`. */
	readonly mark: string | undefined;
}

/** Who works through a vault, and until when. */
export interface VaultUse {
	/** Ends every git command that goes through the vault or one of its checkouts. */
	readonly signal?: AbortSignal;
	/** Marker of every such command, such as `"r1:git"`: a process that takes the run over ends what bears it. */
	readonly mark?: string;
}

/** Attributes that leave bytes alone, whatever a `.gitattributes` says. */
export const NO_CONVERSION = "* -text -eol -ident -filter -working-tree-encoding\n";

/**
 * Makes or refreshes the vault of a run at `<dir>/vault.git`. May be called again at any time, also
 * after a kill half-way: it is built aside and renamed.
 *
 * @throws Fault `state-unwritable` when the directory cannot be written
 */
export async function openVault(
	repository: Repository,
	dir: string,
	{ signal, mark }: VaultUse = {},
): Promise<Vault> {
	const gitDir = join(dir, "vault.git");
	const plain = "plain.git";
	const aside = join(dir, "vault.git.new");
	const shallow = await shallowFile(repository);
	const write = async (path: string): Promise<void> => {
		await writeGitDirectory(ownDirectory(repository, { path, shallow, attributes: "" }));
		const inner = { path: join(path, plain), shallow, attributes: NO_CONVERSION };
		await writeGitDirectory(ownDirectory(repository, inner));
	};
	try {
		await mkdir(dir, { recursive: true });
		await rm(aside, { recursive: true, force: true });
		if (await isFile(join(gitDir, plain, "HEAD"))) {
			await write(gitDir);
		} else {
			await write(aside);
			await rm(gitDir, { recursive: true, force: true });
			await rename(aside, gitDir);
		}
	} catch (cause) {
		throw new Fault(`the directory ${dir} cannot be written`, {
			code: isFull(cause) ? "disk-full" : "state-unwritable",
			hint: "Make it writable and free some space, or name another place with SPAR_CHECKOUTS.",
			cause,
		});
	}
	const plainGitDir = join(gitDir, plain);
	return { repository, gitDir, checkoutGitDir: gitDir, plainGitDir, signal, mark };
}

/** The vault as a place for plumbing without a work tree. */
export function vaultPlace(vault: Vault): GitPlace {
	const { repository, gitDir, signal, mark } = vault;
	const { host, objectsDir } = repository;
	return { host, configuration: "sealed", cwd: gitDir, gitDir, objectsDir, signal, mark };
}

/** The user's `shallow` file, without which a cut-off history looks damaged; null when there is none. */
export async function shallowFile(repository: Repository): Promise<Buffer | null> {
	try {
		return await readFile(join(repository.commonDir, "shallow"));
	} catch {
		return null;
	}
}

type Own = Pick<GitDirectory, "path" | "shallow" | "attributes" | "settings">;

/** What a directory of the vault consists of. */
export function ownDirectory(repository: Repository, own: Own): GitDirectory {
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
