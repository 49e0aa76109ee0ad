import { existsSync, mkdirSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import { filesAt } from "./changes.ts";
import type { RefFile } from "./git-directory.ts";
import { keptAnswers } from "./kept-answers.ts";
import { objectSizes } from "./objects.ts";
import { nothing } from "./parsing.ts";
import { askGit, failure, type GitPlace, runGit } from "./run-git.ts";
import { type OwnHistory, shallowFile, type Vault, vaultPlace } from "./vault.ts";
import { inPassing } from "./write-tree.ts";

const FOLDER = "history";
const LINK = "160000";

/** A history that a repository holds itself. */
export interface HeldHistory {
	/** Directories with packs, which together are its objects. */
	readonly packs: readonly string[];
	readonly refs: readonly RefFile[];
	/** Content of `shallow`; null: it is whole. */
	readonly shallow: Buffer | null;
}

/** Each execution gets a copy, so a long history is cut, as in a shallow clone. */
const MOST_COMMITS = 2_000;

/**
 * The history of a repository that stands at a commit. Its packs are made once.
 *
 * @throws Fault `git-failed`
 */
export async function heldHistory(
	vault: Vault,
	{ base, isWithheld }: OwnHistory,
	commit: string,
): Promise<HeldHistory> {
	const withheld = await isWithheld();
	const contentsOf = async (of: string): Promise<string[]> =>
		(await filesAt(vault, of)).flatMap(({ path, mode, oid }) =>
			mode === LINK || withheld(path) ? [] : [oid],
		);
	if (base === null) {
		const alone = await packed(vault, { revs: [commit], blobs: [], isAlone: true });
		return { packs: [alone], refs: vault.refs, shallow: Buffer.from(`${commit}\n`) };
	}
	const known = await contentsOf(base);
	const { revs, isAlone, ...held } = await recents.of(vault, [base], vault.gitDir, () =>
		recent(vault, base),
	);
	const whole = await packed(vault, { revs, blobs: known, isAlone });
	if (commit === base) return { ...held, packs: [whole] };
	const has = new Set(known);
	const blobs = (await contentsOf(commit)).filter((oid) => !has.has(oid));
	const roots = isAlone ? [base] : revs;
	const own = await packed(vault, { revs: [commit, ...roots.map((root) => `^${root}`)], blobs });
	return { ...held, packs: [whole, own] };
}

/** By the vault's folder: each execution has a vault of its own making, with the same refs. */
const recents = keptAnswers<Awaited<ReturnType<typeof recent>>>(
	4,
	undefined,
	({ repository }) => repository,
);

const NAMED = /^([0-9a-f]{40,64}) .*\n/gm;

async function recent(
	vault: Vault,
	base: string,
): Promise<Omit<HeldHistory, "packs"> & Pick<Required<Wanted>, "revs" | "isAlone">> {
	const { repository, stores, refs } = vault;
	const named = refs.flatMap(({ content }) =>
		[...content.matchAll(NAMED)].map(([, oid = ""]) => oid),
	);
	const roots = [base, ...named];
	const shallow = shallowFile(repository, stores);
	const all = await commitsFrom(vault, roots);
	if (all.length <= MOST_COMMITS) return { revs: roots, isAlone: false, refs, shallow };
	const kept = (await commitsFrom(vault, [base])).slice(0, MOST_COMMITS);
	const ids = new Set(kept.map(({ id }) => id));
	const cut = kept.filter(({ parents }) => parents.some((parent) => !ids.has(parent)));
	const here = await leadingTo(vault, named, ids);
	return {
		revs: [...ids, ...here],
		isAlone: true,
		refs: refs.map(({ path, content }) => {
			return {
				path,
				content: content.replace(NAMED, (line, oid: string) => (here.has(oid) ? line : "")),
			};
		}),
		shallow: Buffer.concat([
			shallow ?? Buffer.alloc(0),
			Buffer.from(lines(cut.map(({ id }) => id))),
		]),
	};
}

interface ListedCommit {
	readonly id: string;
	readonly parents: readonly string[];
}

/** The newest commits of a history, and one more than is wanted where there are more. */
function commitsFrom(vault: Vault, roots: readonly string[]): Promise<readonly ListedCommit[]> {
	return runGit(vaultPlace(vault), {
		args: [
			"rev-list",
			`--max-count=${MOST_COMMITS + 1}`,
			"--parents",
			"--ignore-missing",
			"--stdin",
		],
		stdin: lines(roots),
		exitCodes: [0, 128],
		parse: ({ stdout }) =>
			textLines(stdout).map((line) => {
				const [id = "", ...parents] = line.split(" ");
				return { id, parents };
			}),
	});
}

/** Those of some names that lead to one of some commits. */
async function leadingTo(
	vault: Vault,
	named: readonly string[],
	ids: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
	const peeled = await runGit(vaultPlace(vault), {
		args: ["cat-file", "--batch-check=%(objectname)"],
		stdin: lines(named.map((oid) => `${oid}^{commit}`)),
		parse: ({ stdout }) => textLines(stdout),
	});
	return new Set(named.filter((_, nth) => ids.has(peeled[nth] ?? "")));
}

const textLines = (bytes: Buffer): string[] =>
	bytes
		.toString("latin1")
		.split("\n")
		.filter((line) => line !== "");

interface Wanted {
	/** As `git rev-list` reads them. */
	readonly revs: readonly string[];
	readonly blobs: readonly string[];
	/** True: commits without the ones before them. */
	readonly isAlone?: boolean;
}

async function packed(vault: Vault, wanted: Wanted): Promise<string> {
	const name = sha256(canonicalJson([wanted.revs, wanted.blobs]));
	// What a kill leaves unfinished in a vault is taken away.
	const folder = join(vault.gitDir, FOLDER, name);
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
				args: [...inPassing(vault), "pack-objects", "-q", "--window=0", join(aside, "pack")],
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
	const sizes = await objectSizes(place, blobs);
	return lines(blobs.filter((_oid, nth) => (sizes[nth] ?? Number.POSITIVE_INFINITY) <= LARGEST));
}

const LARGEST = 1_000_000;
const lines = (all: readonly string[]): string => all.map((one) => `${one}\n`).join("");
