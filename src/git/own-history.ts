import { existsSync, mkdirSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import { filesAt } from "./changes.ts";
import { runGit } from "./run-git.ts";
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
	if (base === null)
		return [await packed(vault, { revs: [commit], blobs: await contentsOf(commit) })];
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

async function packed(
	vault: Vault,
	{ revs, blobs }: { readonly revs: readonly string[]; readonly blobs: readonly string[] },
): Promise<string> {
	const name = sha256(canonicalJson({ revs: [...revs], blobs: [...blobs] }));
	const folder = join(dirname(vault.gitDir), FOLDER, name);
	if (existsSync(folder)) return folder;
	const place = vaultPlace(vault);
	const args = ["rev-list", "--objects", "--no-object-names", "--filter=blob:none"];
	const listed = await runGit(place, {
		// Not every ref of a shallow or damaged repository leads to something.
		args: [...args, "--ignore-missing", "--stdin"],
		stdin: revs.map((rev) => `${rev}\n`).join(""),
		parse: ({ stdout }) => stdout,
	});
	const aside = asideOf(folder);
	mkdirSync(aside, { recursive: true });
	try {
		const { objectsDir, stores = [] } = place;
		const lent = objectsDir === undefined ? stores : [objectsDir, ...stores];
		await runGit(
			// What is unfinished stands there as well, and not in the user's repository.
			{ ...place, objectsDir: aside, stores: lent },
			{
				args: ["pack-objects", "-q", join(aside, "pack")],
				stdin: Buffer.concat([listed, Buffer.from(blobs.map((oid) => `${oid}\n`).join(""))]),
				parse: () => undefined,
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
