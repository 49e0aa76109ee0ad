import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../kernel/json.ts";
import { submodulesAt } from "./base-listing.ts";
import { withBaseFilters } from "./base-filters.ts";
import { kindOf, removeTree } from "./file-tree.ts";
import { lineOf, nothing, pathText, settingsIn, treeEntries } from "./parsing.ts";
import { type Repository, repositoryPlace } from "./repository.ts";
import { askGit, type GitPlace, runGit } from "./run-git.ts";
import { openVault, type Vault, vaultPlace } from "./vault.ts";

/** A submodule as a commit records it. */
export interface Gitlink {
	/** Below the top of the repository that the commit belongs to. */
	readonly path: string;
	readonly oid: string;
}

/** A submodule of a checkout, to be filled like a checkout. */
export interface OpenedSubmodule extends Gitlink {
	readonly vault: Vault;
	readonly dir: string;
	readonly indexFile: string;
	/** Whether a setup fetched it into the checkout's own `.git`: the user's repository does not have it. */
	readonly fetched: boolean;
}

/** How a gitlink's mode stands in an index; where these bytes stand for something else, git is asked for nothing. */
const GITLINK_MODE = Buffer.of(0, 0, 0xe0, 0);

/** The submodules of a commit that an index was filled from. Costs no process where it has none. */
export async function gitlinksIn(
	place: GitPlace & { readonly indexFile: string },
	commit: string,
): Promise<readonly Gitlink[]> {
	return readFileSync(place.indexFile).includes(GITLINK_MODE)
		? await gitlinksAt(place, commit)
		: [];
}

function gitlinksAt(place: GitPlace, commit: string): Promise<Gitlink[]> {
	return runGit(place, {
		args: ["ls-tree", "-r", "-z", "--full-tree", commit],
		parse: ({ stdout }) =>
			treeEntries(stdout)
				.filter(({ mode }) => mode === "160000")
				.map(({ path, oid }) => ({ path: pathText(path), oid })),
	});
}

/**
 * Opens a submodule of a checkout; null where its commit is not at hand. Nothing is fetched.
 *
 * @param commit the commit of the checkout
 */
export async function openSubmodule(
	vault: Vault,
	{ dir, indexFile }: { readonly dir: string; readonly indexFile: string },
	{ commit, link }: { readonly commit: string; readonly link: Gitlink },
): Promise<OpenedSubmodule | null> {
	const gitDir = join(dir, ".git");
	// A link in its place may lead anywhere.
	const also = kindOf(gitDir) === "directory" ? [gitDir] : [];
	const found = await moduleOf(vaultPlace(vault), vault.repository, { commit, link, also });
	if (found === null) return null;
	const own = join(`${indexFile}.modules`, sha256(link.path + link.oid).slice(0, 16));
	const { signal, mark, kept } = vault;
	const opened = { ...(await openVault(found, own)), signal, mark, kept };
	// Filters run in the user's work tree of it.
	const isThere = kindOf(found.root) === "directory";
	return {
		...link,
		vault: isThere ? await withBaseFilters(opened, link.oid) : opened,
		dir: join(dir, link.path),
		indexFile: join(own, "index"),
		fetched: found.gitDir.startsWith(`${gitDir}/`),
	};
}

/** Whether a submodule is a folder of a checkout: neither gone, nor something else, nor behind a link. */
export function isFolder(dir: string, path: string): boolean {
	return [...foldersAbove(dir, path), join(dir, path)].every((at) => kindOf(at) === "directory");
}

/** Makes the folders above a submodule: in place of a link, which would lead out of the checkout, too. */
export async function makeFoldersAbove(dir: string, path: string): Promise<void> {
	for (const folder of foldersAbove(dir, path)) {
		if (kindOf(folder) === "directory") continue;
		await removeTree(folder);
		mkdirSync(folder);
	}
}

/** The outermost first. */
function foldersAbove(dir: string, path: string): string[] {
	const parts = path.split("/");
	return parts.slice(1).map((_part, index) => join(dir, ...parts.slice(0, index + 1)));
}

/** The submodules of a commit, nested ones too, that the user's repository does not have, as paths. */
export async function missingSubmodules(repository: Repository, commit: string): Promise<string[]> {
	if ((await submodulesAt(repository, commit)).length === 0) return [];
	const missingIn = async (at: Repository, commit: string): Promise<string[]> => {
		const place = { ...repositoryPlace(repository), objectsDir: at.objectsDir };
		const missing: string[] = [];
		for (const link of await gitlinksAt(place, commit)) {
			const found = await moduleOf(place, at, { commit, link, also: [] });
			const inside = found === null ? [""] : await missingIn(found, link.oid);
			missing.push(...inside.map((path) => (path === "" ? link.path : `${link.path}/${path}`)));
		}
		return missing;
	};
	return await missingIn(repository, commit);
}

interface WantedModule {
	readonly commit: string;
	readonly link: Gitlink;
	/** Further git directories that may hold it. */
	readonly also: readonly string[];
}

/**
 * The repository of a submodule, with the commit and all its files: among the modules of the user's git directory, or in the
 * user's work tree.
 *
 * @param place reads the objects of `repository`
 */
async function moduleOf(
	place: GitPlace,
	repository: Repository,
	{ commit, link, also }: WantedModule,
): Promise<Repository | null> {
	const { gitDir, commonDir } = repository;
	const root = join(repository.root, link.path);
	const name = (await namesAt(place, commit)).get(link.path) ?? "..";
	const above = name.split("/").includes("..") ? [] : [gitDir, commonDir, ...also];
	const kept = [...new Set(above)].map((directory) => join(directory, "modules", name));
	for (const directory of [...kept, await gitDirAt(place, root)]) {
		const objectsDir = join(directory, "objects");
		if (directory === "" || !existsSync(objectsDir)) continue;
		if (!(await holdsWhole({ ...place, objectsDir }, link.oid))) continue;
		const shallow = existsSync(join(directory, "shallow"));
		const about = { root, gitDir: directory, commonDir: directory, objectsDir, shallow };
		return { ...repository, ...about, headBranch: null, headCommit: link.oid, shared: null };
	}
	return null;
}

/** Whether a commit and all its files are there. A module that fetches what it lacks is not allowed to. */
async function holdsWhole(place: GitPlace, commit: string): Promise<boolean> {
	const { exitCode } = await askGit(place, {
		args: ["rev-list", "--objects", "--no-walk", "--quiet", commit, "--"],
		env: { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" },
		ignoresStdout: true,
		parse: nothing,
	});
	return exitCode === 0;
}

/** The names of a commit's submodules, by path. */
async function namesAt(place: GitPlace, commit: string): Promise<ReadonlyMap<string, string>> {
	const settings = await runGit(place, {
		args: [
			"config",
			"--blob",
			`${commit}:.gitmodules`,
			"-z",
			"--get-regexp",
			"^submodule\\..*\\.path$",
		],
		// 128: there is no such file, or it cannot be read.
		exitCodes: [0, 1, 128],
		parse: ({ stdout }) => settingsIn(stdout),
	});
	return new Map(settings.map(([key, path]) => [path, key.replace(/^submodule\.|\.path$/g, "")]));
}

/** The git directory of a filled work tree; empty where there is none. */
async function gitDirAt({ host }: GitPlace, root: string): Promise<string> {
	if (kindOf(join(root, ".git")) === "none") return "";
	const args = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
	const place: GitPlace = { host, configuration: "users", cwd: root };
	const answer = await askGit(place, { args, parse: lineOf });
	return answer.exitCode === 0 ? lineOf(answer) : "";
}
