import { join } from "node:path";
import { attributesAt, configQuoted, setting, withBaseFilters } from "./base-filters.ts";
import { baseRefs, type RunBase } from "./base-refs.ts";
import { filterAttributes, OF_MERGES } from "./filter-attributes.ts";
import { writeGitDirectory } from "./git-directory.ts";
import { settingsIn } from "./parsing.ts";
import { runGit } from "./run-git.ts";
import { moduleStores } from "./submodules.ts";
import { ownDirectory, shallowFile, type Vault } from "./vault.ts";

/**
 * Adds to a vault what a run's base says: the filters and merge attributes of its commit, the refs that its checkouts
 * have, and where the objects of submodules are. Can be called again at any time.
 */
export async function withBase(vault: Vault, base: RunBase): Promise<Vault> {
	const refs = await baseRefs(vault, base);
	const stores = await moduleStores(vault.repository, base.baseCommit);
	const mergeGitDir = await mergeDirectory(vault, base.baseCommit);
	return await withBaseFilters({ ...vault, refs, stores, mergeGitDir }, base.baseCommit);
}

/**
 * A git directory whose `info/attributes` have what the commit's `.gitattributes` say about merges, and whose configuration
 * has the user's merge drivers. `merge-tree` reads no other attributes, whatever git's version.
 */
async function mergeDirectory(vault: Vault, commit: string): Promise<string> {
	const { repository, gitDir } = vault;
	const files = (await attributesAt(repository, commit)).attributes;
	if (files.length === 0) return gitDir;
	const attributes = filterAttributes(files, OF_MERGES).lines;
	const { host, root } = repository;
	const drivers = await runGit(
		{ host, configuration: "users", cwd: root },
		{
			args: ["config", "-z", "--get-regexp", "^merge\\..*\\.(driver|recursive)$"],
			exitCodes: [0, 1],
			parse: ({ stdout }) => settingsIn(stdout),
		},
	);
	const settings = drivers.flatMap(([key, value]) => {
		const [, name = "", kind = ""] = /^merge\.(.+)\.(driver|recursive)$/s.exec(key) ?? [];
		return [`[merge ${configQuoted(name)}]`, ...setting(kind, value)];
	});
	const path = join(gitDir, "merges.git");
	const shallow = shallowFile(repository);
	writeGitDirectory(
		ownDirectory(repository, { path, shallow, attributes, excludes: "", settings }),
	);
	return path;
}
