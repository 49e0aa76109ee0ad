import { existsSync, mkdirSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import { filesAt } from "./changes.ts";
import { nothing } from "./parsing.ts";
import { askGit, failure, type GitPlace, runGit } from "./run-git.ts";
import { type OwnHistory, type Vault, vaultPlace } from "./vault.ts";

const FOLDER = "history";
const LINK = "160000";

/**
 * Directories with packs, which together are the objects of a repository that stands at a commit. Each is made once.
 *
 * @throws Fault `git-failed`
 */
export async function historyPacks(
	vault: Vault,
	{ base, isWithheld }: OwnHistory,
	commit: string,
): Promise<readonly string[]> {
	const withheld = await isWithheld();
	const contentsOf = async (of: string): Promise<string[]> =>
		(await filesAt(vault, of)).flatMap(({ path, mode, oid }) =>
			mode === LINK || withheld(path) ? [] : [oid],
		);
	if (base === null) return [await packed(vault, { revs: [commit], blobs: [], isAlone: true })];
	const roots = [base, ...namedIn(vault)];
	const known = await contentsOf(base);
	const whole = await packed(vault, { revs: roots, blobs: known });
	if (commit === base) return [whole];
	const has = new Set(known);
	const blobs = (await contentsOf(commit)).filter((oid) => !has.has(oid));
	const revs = [commit, ...roots.map((root) => `^${root}`)];
	return [whole, await packed(vault, { revs, blobs })];
}

const namedIn = ({ refs }: Vault): string[] =>
	refs.flatMap(({ content }) => content.match(/^[0-9a-f]{40,64}(?= )/gm) ?? []);

interface Wanted {
	/** As `git rev-list` reads them. */
	readonly revs: readonly string[];
	readonly blobs: readonly string[];
	/** True: commits without the ones before them. */
	readonly isAlone?: boolean;
}

async function packed(vault: Vault, wanted: Wanted): Promise<string> {
	const name = sha256(canonicalJson([wanted.revs, wanted.blobs]));
	const folder = join(dirname(vault.gitDir), FOLDER, name);
	if (existsSync(folder)) return folder;
	const place = vaultPlace(vault);
	const objects = [await listed(place, wanted), await small(place, wanted.blobs)];
	const aside = asideOf(folder);
	mkdirSync(aside, { recursive: true });
	try {
		const { objectsDir, stores = [] } = place;
		const lent = objectsDir === undefined ? stores : [objectsDir, ...stores];
		await runGit(
			// What is unfinished stands there as well, and not in the user's repository.
			{ ...place, objectsDir: aside, stores: lent },
			{
				args: ["pack-objects", "-q", "--window=0", join(aside, "pack")],
				stdin: objects.join(""),
				parse: nothing,
			},
		);
		await rm(join(aside, "pack"), { recursive: true, force: true });
		renameSync(aside, folder);
	} catch (error) {
		await rm(aside, { recursive: true, force: true });
		// Another task was faster.
		if (!existsSync(folder)) throw error;
	}
	return folder;
}

async function listed(place: GitPlace, { revs, isAlone = false }: Wanted): Promise<string> {
	const options = ["--objects", "--no-object-names", "--filter=blob:none", "--missing=allow-any"];
	// Not every ref of a damaged repository leads to something.
	const args = ["rev-list", ...options, "--ignore-missing", ...(isAlone ? ["--no-walk"] : [])];
	const stdin = lines(isAlone ? revs.filter((rev) => !rev.startsWith("^")) : revs);
	const answer = await askGit(place, { args: [...args, "--stdin"], stdin, parse: nothing });
	if (answer.exitCode === 0) return answer.stdout.toString("latin1");
	if (isAlone) throw failure(place, { args }, answer);
	// Where the history is damaged, git works in the user's repository as well.
	return await listed(place, { revs, blobs: [], isAlone: true });
}

/** Those that are no larger than a text that a program writes: packs are copied for each execution. */
async function small(place: GitPlace, blobs: readonly string[]): Promise<string> {
	return await runGit(place, {
		args: ["cat-file", "--batch-check=%(objectsize) %(objectname)"],
		stdin: lines(blobs),
		parse: ({ stdout }) => {
			const sized = stdout
				.toString("latin1")
				.split("\n")
				.map((line) => line.split(" "));
			return lines(sized.flatMap(([size, oid]) => (Number(size) <= LARGEST ? (oid ?? []) : [])));
		},
	});
}

const LARGEST = 1_000_000;
const lines = (all: readonly string[]): string => all.map((one) => `${one}\n`).join("");
