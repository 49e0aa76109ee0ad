import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf, removeTree } from "./file-tree.ts";
import { treeListing } from "./objects.ts";
import { nothing, pathText, treeEntries } from "./parsing.ts";
import { type Repository, repositoryPlace } from "./repository.ts";
import { askGit, type GitPlace, runGit } from "./run-git.ts";

interface Gitlink {
	readonly path: string;
	readonly oid: string;
}

// As it stands in an index; where these bytes stand for something else, git is asked for nothing.
const GITLINK_MODE = Buffer.of(0, 0, 0xe0, 0);

export async function gitlinksIn(
	place: GitPlace & { readonly indexFile: string },
	commit: string,
): Promise<readonly Gitlink[]> {
	return holdsGitlinks(place) ? await gitlinksAt(place, commit) : [];
}

export function holdsGitlinks({ indexFile }: { readonly indexFile: string }): boolean {
	return readFileSync(indexFile).includes(GITLINK_MODE);
}

async function gitlinksAt(place: GitPlace, commit: string): Promise<Gitlink[]> {
	const args = ["ls-tree", "-r", "-z", "--full-tree", commit];
	return gitlinksOf(await runGit(place, { args, parse: ({ stdout }) => stdout }));
}

function gitlinksOf(listing: Buffer): Gitlink[] {
	return treeEntries(listing)
		.filter(({ mode }) => mode === "160000")
		.map(({ path, oid }) => ({ path: pathText(path), oid }));
}

/** Paths of the submodules of a commit. */
export async function submodulesAt(repository: Repository, commit: string): Promise<string[]> {
	const listing = await treeListing(repository, commit);
	return gitlinksOf(listing).map(({ path }) => path);
}

/**
 * Directories with the objects of a repository's submodules, nested ones too: in its git directory and in its work
 * tree.
 */
export async function moduleStores(repository: Repository, commit: string): Promise<string[]> {
	const { root, gitDir, commonDir } = repository;
	const own = (await submodulesAt(repository, commit)).map((path) => join(root, path, ".git"));
	const kept = [gitDir, commonDir].map((directory) => join(directory, "modules"));
	return [...new Set([...kept, ...own].flatMap(storesBelow))];
}

/** Those of the git directories below a directory, which may be one itself. */
export function storesBelow(directory: string): string[] {
	if (kindOf(directory) !== "directory") return [];
	const store = join(directory, "objects");
	if (existsSync(store)) return [store, ...storesBelow(join(directory, "modules"))];
	return readdirSync(directory).flatMap((name) => storesBelow(join(directory, name)));
}

export async function storesOf(place: GitPlace, oid: string): Promise<readonly string[] | null> {
	const { cwd, stores = [] } = place;
	if (await holdsWhole(place, oid)) return stores;
	const own = join(cwd, ".git");
	// A link in its place leads elsewhere.
	const fetched = kindOf(own) === "directory" ? storesBelow(join(own, "modules")) : [];
	if (fetched.length === 0) return null;
	const all = [...stores, ...fetched];
	return (await holdsWhole({ ...place, stores: all }, oid)) ? all : null;
}

async function holdsWhole(place: GitPlace, commit: string): Promise<boolean> {
	const { exitCode } = await askGit(place, {
		args: ["rev-list", "--objects", "--no-walk", "--quiet", commit, "--"],
		ignoresStdout: true,
		parse: nothing,
	});
	return exitCode === 0;
}

/** The submodules of a commit, nested ones too, that the user's repository does not have, as paths. */
export async function missingSubmodules(repository: Repository, commit: string): Promise<string[]> {
	if ((await submodulesAt(repository, commit)).length === 0) return [];
	const stores = await moduleStores(repository, commit);
	const place = { ...repositoryPlace(repository), stores };
	const missingIn = async (at: string, above: string): Promise<string[]> => {
		const missing: string[] = [];
		for (const { path, oid } of await gitlinksAt(place, at)) {
			const whole = await holdsWhole(place, oid);
			missing.push(...(whole ? await missingIn(oid, `${above}${path}/`) : [above + path]));
		}
		return missing;
	};
	return await missingIn(commit, "");
}

/** True for a folder that is neither gone, nor something else, nor behind a link. */
export function isFolder(dir: string, path: string): boolean {
	return [...foldersAbove(dir, path), join(dir, path)].every((at) => kindOf(at) === "directory");
}

// Also in place of a link, which would lead out of the checkout.
export async function makeFoldersAbove(dir: string, path: string): Promise<void> {
	for (const folder of foldersAbove(dir, path)) {
		if (kindOf(folder) === "directory") continue;
		await removeTree(folder);
		mkdirSync(folder);
	}
}

function foldersAbove(dir: string, path: string): string[] {
	const parts = path.split("/");
	return parts.slice(1).map((_part, index) => join(dir, ...parts.slice(0, index + 1)));
}
