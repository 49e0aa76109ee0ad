import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type RefFile, replaceFile } from "./git-directory.ts";
import { repositoryPlace } from "./repository.ts";
import { runGit } from "./run-git.ts";
import type { Vault } from "./vault.ts";

/** Branch and commit from which a run starts. */
export interface RunBase {
	readonly baseBranch: string;
	readonly baseCommit: string;
}

/**
 * The refs that every checkout of a run has: the user's tags, the base branch, its remote-tracking branches, and the
 * remotes' default branches. They are read once, when the run starts, and kept beside the vault.
 */
export async function baseRefs(vault: Vault, base: RunBase): Promise<readonly RefFile[]> {
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
