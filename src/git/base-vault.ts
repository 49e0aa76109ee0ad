import { existsSync, readFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { attributesAt, writeAttributes } from "./base-attributes.ts";
import { configQuoted, setting, withBaseFilters } from "./base-filters.ts";
import { type RefFile, replaceFile, writeGitDirectory } from "./git-directory.ts";
import { settingsIn } from "./parsing.ts";
import { repositoryPlace } from "./repository.ts";
import { runGit } from "./run-git.ts";
import { moduleStores } from "./submodules.ts";
import { ownDirectory, shallowFile, type Vault } from "./vault.ts";

interface RunBase {
	readonly baseBranch: string;
	readonly baseCommit: string;
}

/**
 * The user's tags, the base branch, its remote-tracking branches and the remotes' default branches, as they were when
 * the run started.
 */
async function baseRefs(vault: Vault, base: RunBase): Promise<readonly RefFile[]> {
	const file = join(dirname(vault.gitDir), "base-refs.json");
	try {
		// Written below: only this process writes there, and a file is replaced as a whole.
		return JSON.parse(readFileSync(file, "latin1")) as readonly RefFile[];
	} catch {
		const refs = await readRefs(vault, base);
		replaceFile(file, Buffer.from(JSON.stringify(refs), "latin1"));
		return refs;
	}
}

async function readRefs({ repository }: Vault, { baseBranch, baseCommit }: RunBase) {
	const found = await runGit(repositoryPlace(repository), {
		args: [
			"for-each-ref",
			"--format=%(refname) %(objectname) %(symref)",
			"refs/tags",
			"refs/remotes",
		],
		parse: ({ stdout }) => stdout.toString("latin1").split("\n").map(parseRef),
	});
	const branch = Buffer.from(baseBranch).toString("latin1");
	const heads = found.filter(({ path }) => /^refs\/remotes\/[^/]+\/HEAD$/.test(path));
	// With what they lead to: without it, they are broken.
	const named = new Set(heads.flatMap(({ path, leadsTo }) => [path, leadsTo]));
	// Not every clone knows which branch is its remote's default one.
	const usual = new Set([branch, "main", "master"]);
	const wanted = found.filter(
		({ path }) =>
			path.startsWith("refs/tags/") ||
			named.has(path) ||
			usual.has(path.replace(/^refs\/remotes\/[^/]+\//, "")),
	);
	const own = { path: `refs/heads/${branch}`, oid: baseCommit, leadsTo: "" };
	// In git's order of names, as it lists them.
	const packed = [own, ...wanted].filter(({ leadsTo }) => leadsTo === "");
	const lines = packed.map(({ path, oid }) => `${oid} ${path}\n`);
	const symbolic = wanted.filter(({ leadsTo }) => leadsTo !== "");
	return [
		{ path: "packed-refs", content: `# pack-refs with: sorted \n${lines.join("")}` },
		...symbolic.map(({ path, leadsTo }) => ({ path, content: `ref: ${leadsTo}\n` })),
	];
}

function parseRef(line: string) {
	const [path = "", oid = "", leadsTo = ""] = line.split(" ");
	return { path, oid, leadsTo };
}

/**
 * Adds to a vault what a run's base says: the filters and merge attributes of its commit, the refs that its checkouts
 * have, and where the objects of submodules are. Can be called again at any time.
 */
export async function withBase(vault: Vault, base: RunBase): Promise<Vault> {
	const refs = await baseRefs(vault, base);
	const stores = await moduleStores(vault.repository, base.baseCommit);
	const merges = await withMerges({ ...vault, refs, stores }, base.baseCommit);
	return await withBaseFilters(merges, base.baseCommit);
}

/** Merges have a work tree with the commit's attribute files, since `merge-tree` reads them in no other place. */
async function withMerges(vault: Vault, commit: string): Promise<Vault> {
	const { repository, gitDir } = vault;
	const { rules } = await attributesAt(repository, commit);
	if (rules.length === 0) return vault;
	const mergeTree = join(gitDir, "merges", commit);
	if (!existsSync(mergeTree)) {
		const aside = asideOf(mergeTree);
		await writeAttributes(aside, rules);
		await rename(aside, mergeTree).catch(async (error: unknown) => {
			await rm(aside, { recursive: true, force: true });
			// Another task was faster.
			if (!existsSync(mergeTree)) throw error;
		});
	}
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
	const own = { path, shallow: shallowFile(repository), attributes: "", excludes: "", settings };
	writeGitDirectory(ownDirectory(repository, own));
	return { ...vault, mergeGitDir: path, mergeTree };
}
