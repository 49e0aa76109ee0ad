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

async function readRefs(
	{ repository }: Vault,
	{ baseBranch, baseCommit }: RunBase,
): Promise<RefFile[]> {
	const found = await runGit(repositoryPlace(repository), {
		args: ["for-each-ref", "--format=%(refname) %(objectname) %(symref)", TAGS, REMOTES],
		parse: ({ stdout }) => stdout.toString("latin1").split("\n").map(parseRef),
	});
	const isHead = ({ name }: UserRef): boolean => /^refs\/remotes\/[^/]+\/HEAD$/.test(name);
	// Where it leads; without it, such a ref is broken.
	const defaults = new Set(found.filter(isHead).map(({ leadsTo }) => leadsTo));
	const branch = Buffer.from(baseBranch).toString("latin1");
	const isBase = ({ name }: UserRef): boolean =>
		name.startsWith(REMOTES) && name.replace(/^refs\/remotes\/[^/]+\//, "") === branch;
	const wanted = found.filter(
		(ref) => ref.name.startsWith(TAGS) || isHead(ref) || isBase(ref) || defaults.has(ref.name),
	);
	const own = { name: `refs/heads/${branch}`, oid: baseCommit, leadsTo: "" };
	// In git's order of names, as it lists them.
	const lines = [own, ...wanted].filter(({ leadsTo }) => leadsTo === "");
	const packed = lines.map(({ name, oid }) => `${oid} ${name}\n`);
	return [
		{ path: "packed-refs", content: ["# pack-refs with: sorted \n", ...packed].join("") },
		...wanted
			.filter(({ leadsTo }) => leadsTo !== "")
			.map(({ name, leadsTo }) => ({ path: name, content: `ref: ${leadsTo}\n` })),
	];
}

const TAGS = "refs/tags/";

const REMOTES = "refs/remotes/";

interface UserRef {
	readonly name: string;
	readonly oid: string;
	/** Full name of the ref that a symbolic one leads to; else empty. */
	readonly leadsTo: string;
}

function parseRef(line: string): UserRef {
	const [name = "", oid = "", leadsTo = ""] = line.split(" ");
	return { name, oid, leadsTo };
}
