import {
	constants,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { attempt } from "../kernel/attempt.ts";
import { bytesOfText } from "../kernel/byte-text.ts";
import { Fault } from "../kernel/fault.ts";
import { randomId } from "../kernel/ids.ts";
import { sha256 } from "../kernel/json.ts";
import { filesAt, keepCommit } from "./changes.ts";
import { tracksAttributes, withoutUntouched } from "./conversions.ts";
import { CheckoutCopies } from "./copied-files.ts";
import type { TreeFile } from "./file-change.ts";
import { kindOf, makeWritable, removeTree } from "./file-tree.ts";
import { filterFault } from "./filter-failure.ts";
import { writeGitDirectory } from "./git-directory.ts";
import { heldHistory } from "./own-history.ts";
import {
	ignored,
	nothing,
	parseRawChanges,
	pathText,
	RAW,
	type RawChange,
	untracked,
	zeroFields,
} from "./parsing.ts";
import type { GitPlace, GitQuery } from "./run-git.ts";
import { askGit, runGit } from "./run-git.ts";
import type { Snapshot, SnapshotRequest, Taken } from "./snapshot.ts";
import { takeSnapshot } from "./snapshot.ts";
import { type Standings, standingsBelow, trackedBy } from "./standings.ts";
import { hasStrays, holdsOnly, namesOf, removeStrays } from "./strays.ts";
import { gitlinksIn, makeFoldersAbove, storesOf } from "./submodules.ts";
import { removeUnfit } from "./unfit.ts";
import { type OwnHistory, shallowFile, type Vault, vaultPlace } from "./vault.ts";

export interface CheckoutPlace {
	readonly dir: string;
	readonly indexFile: string;
}

/**
 * A directory with the files of a commit. For the agent or check that works there, it is a separate repository.
 *
 * No operation reads the `.git` in the directory, so files planted there have no effect on Sparring. Before git looks at
 * the directory, files that it could not read to the end, such as a FIFO, are removed.
 * Do not run two methods at the same time.
 */
export interface Checkout {
	readonly dir: string;
	/**
	 * Makes the directory equal to a commit. Overwrites tracked files, and removes untracked files, directories and
	 * nested repositories. Keeps files that the commit's own ignore rules ignore. Fills submodules in the same way from what
	 * the user's repository has; of another one the content stays.
	 * Rewrites `.git` with a detached HEAD, so commits made there are gone. Puts the vault's copied files in their places.
	 */
	forceTo(commit: string): Promise<void>;
	/**
	 * Rewrites `.git` so that it borrows the user's objects after all, until the next `forceTo`: for what compares commits.
	 */
	borrowAll(commit: string): Promise<void>;
	/** Puts the vault's copied files back as they were when the run started. */
	putCopies(): Promise<void>;
	/**
	 * The random id of the last `forceTo`. It is stored outside of the directory, so a later process finds it.
	 * Null when there was none, or when the directory is gone.
	 */
	id(): Promise<string | null>;
	/**
	 * Commits everything that is not ignored, even if nothing changed; never a copied file, whatever the ignore rules say. Submodules stay as in the parent.
	 * Never creates a missing directory: an empty one would give a commit that deletes every file.
	 *
	 * @throws Fault `checkout-lost` when the directory is gone
	 */
	snapshot(request: SnapshotRequest): Promise<Snapshot>;
	/** True where the directory equals a commit, apart from ignored files, empty directories and submodules. */
	isUnchanged(commit: string): Promise<boolean>;
	/** Paths of tracked files that differ from a commit. */
	changedFiles(commit: string): Promise<readonly string[]>;
	/**
	 * Files besides those of the commit, by all ignore rules that are there: where only our own setup has worked, they
	 * are its own. An ignored directory without tracked files is one path that ends with `/`. Takes the vault's copied
	 * files out.
	 */
	untracked(commit: string): Promise<Untracked>;
	/** All besides the files of the commit that it was forced to. Rejects when something cannot be listed. */
	extras(commit: string): Promise<Standings>;
	/** Number of tracked files that are missing, out of how many. */
	missingFiles(commit: string): Promise<{ readonly missing: number; readonly of: number }>;
	/** Removes the directory and its index. */
	remove(): Promise<void>;
}

export interface Untracked {
	readonly ignored: readonly string[];
	readonly others: readonly string[];
}

/** Reads and writes nothing until a method is called. */
export function openCheckout(vault: Vault, { dir, indexFile }: CheckoutPlace): Checkout {
	const gitDir = vault.checkoutGitDir;
	const place = { ...vaultPlace(vault), gitDir, cwd: dir, workTree: dir, indexFile };
	/** The commit that the directory is known to equal, until it is handed out. Saves a second comparison. */
	let standsAt: string | null = null;
	const idFile = `${indexFile}.id`;
	let submodules: readonly Submodule[] = [];
	const copies = new CheckoutCopies(vault.copied, dir);
	const rewrite = (own: Vault, commit: string): Promise<void> => {
		const keepsModules = submodules.some((one) => one.fetched);
		return writeRepository(own, { dir, indexFile }, { commit, keepsModules });
	};
	/** For a look at the directory; the index is that of the last `forceTo`, unless somebody removed it. */
	const ready = async (commit: string): Promise<void> => {
		await prepare({ dir, indexFile });
		if (kindOf(indexFile) === "none") await fillIndex(place, commit);
	};
	return {
		dir,
		forceTo: async (commit) => {
			const there = standsAt === commit;
			standsAt = null;
			const isNew = await prepare({ dir, indexFile });
			if (!there && !isNew) await removeUnfit(place);
			if (!there) await force(vault, place, commit);
			submodules = await forceSubmodules(vault, place, { commit, before: submodules });
			await rewrite(vault, commit);
			writeFileSync(idFile, randomId(16));
			await copies.put();
		},
		borrowAll: async (commit) => {
			if (vault.ownHistory !== null) await rewrite({ ...vault, ownHistory: null }, commit);
		},
		putCopies: () => copies.put(),
		id: async () => (kindOf(dir) === "directory" ? idIn(idFile) : null),
		snapshot: async (request) => {
			if (kindOf(dir) !== "directory") throw lost(dir);
			await ready(request.parent);
			await copies.remove();
			const { snapshot, changes, verbatim } = await taken(place, vault, request);
			await copies.put();
			keepCommit(vault, { ...snapshot, parent: request.parent, changes });
			const { embedded, leftOut, unfit } = snapshot;
			const whole = embedded.length + leftOut.length + unfit.length === 0;
			standsAt = whole && !verbatim ? snapshot.commit : null;
			return snapshot;
		},
		isUnchanged: async (commit) => {
			await ready(commit);
			await copies.remove();
			const unfit = await removeUnfit(place);
			const unchanged =
				unfit.length === 0 &&
				(await equalsCommit(place, commit)) &&
				((await holdsOnly(dir, await filesAt(vault, commit))) || !(await hasStrays(place, dir)));
			await copies.put();
			standsAt = unchanged ? commit : null;
			return unchanged;
		},
		changedFiles: async (commit) => {
			await ready(commit);
			await removeUnfit(place);
			return (await changesSince(place, commit)).map(({ path }) => pathText(path));
		},
		untracked: async (commit) => {
			await ready(commit);
			await removeUnfit(place);
			await copies.remove();
			const texts = async (query: GitQuery<Buffer[]>) =>
				(await runGit(place, query)).map((path) => path.toString("utf8"));
			const found: Untracked[] = [
				{ ignored: await texts(ignored), others: await texts(untracked) },
			];
			for (const one of submodules) found.push(await untrackedIn(one));
			return {
				ignored: found.flatMap((one) => one.ignored),
				others: found.flatMap((one) => one.others),
			};
		},
		extras: async (commit) => standingsBelow(dir, trackedBy(await namesAt(vault, place, commit))),
		missingFiles: async (commit) => {
			await ready(commit);
			const count = (...options: readonly string[]) =>
				runGit(place, {
					args: ["ls-files", "-z", ...options],
					parse: ({ stdout }) => zeroFields(stdout).length,
				});
			return { missing: await count("--deleted"), of: await count() };
		},
		remove: async () => {
			standsAt = null;
			await removeTree(dir);
			submodules = [];
			const own = [indexFile, `${indexFile}.lock`, idFile, `${indexFile}.modules`];
			for (const file of own) rmSync(file, { force: true, recursive: true });
		},
	};
}

const idIn = (file: string): string | null => attempt(() => readFileSync(file, "utf8"), null);

async function writeRepository(
	vault: Vault,
	{ dir, indexFile }: CheckoutPlace,
	{ commit, keepsModules }: { readonly commit: string; readonly keepsModules: boolean },
): Promise<void> {
	const path = join(dir, ".git");
	const { ownHistory } = vault;
	const held = ownHistory === null ? null : await heldHistory(vault, ownHistory, commit);
	const modules = join(path, "modules");
	const aside = asideOf(`${indexFile}.modules`);
	const keeps = keepsModules && kindOf(path) === "directory";
	if (keeps) renameSync(modules, aside);
	await removeTree(path);
	writeGitDirectory({
		path,
		bare: false,
		objectFormat: vault.repository.objectFormat,
		alternates: ownHistory === null ? vault.repository.objectsDir : null,
		stores: vault.stores,
		shallow: held === null ? shallowFile(vault.repository, vault.stores) : held.shallow,
		head: commit,
		shared: null,
		attributes: "",
		excludes: bytesOfText(vault.ignoreRules),
		refs: held?.refs ?? vault.refs,
		// To look for renames git reads files that may not be there.
		...(ownHistory === null ? {} : { settings: ["[diff]", "\trenames = false"] }),
	});
	for (const folder of held?.packs ?? [])
		for (const name of readdirSync(folder))
			await copyFile(
				join(folder, name),
				join(path, "objects/pack", name),
				constants.COPYFILE_FICLONE,
			);
	if (keeps) renameSync(aside, modules);
	await copyFile(indexFile, join(path, "index"), constants.COPYFILE_FICLONE);
}

/** Names of the files of the commit that a checkout was forced to. */
async function namesAt(vault: Vault, place: GitPlace, commit: string): Promise<readonly string[]> {
	return namesOf(await filesAt(vault, commit)) ?? (await runGit(place, trackedNames));
}

const trackedNames: GitQuery<string[]> = {
	args: ["ls-files", "-z"],
	parse: ({ stdout }) => zeroFields(stdout).map((name) => name.toString("latin1")),
};

interface Submodule {
	readonly path: string;
	readonly oid: string;
	/** True where a setup fetched it: the user's repository does not have it. */
	readonly fetched: boolean;
	readonly checkout: Checkout;
}

const NOTHING_SHOWN: OwnHistory = { base: null, isWithheld: async () => () => true };

async function untrackedIn({ path, oid, checkout }: Submodule): Promise<Untracked> {
	const { ignored, others } = await checkout.untracked(oid);
	const below = (name: string): string => `${path}/${name}`;
	return { ignored: ignored.map(below), others: others.map(below) };
}

async function forceSubmodules(
	vault: Vault,
	place: GitPlace & Pick<CheckoutPlace, "indexFile">,
	{ commit, before }: { readonly commit: string; readonly before: readonly Submodule[] },
): Promise<Submodule[]> {
	const forced: Submodule[] = [];
	for (const { path, oid } of await gitlinksIn(place, commit)) {
		const known = before.find((one) => one.path === path && one.oid === oid && !one.fetched);
		const stores = known === undefined ? await storesOf(place, oid) : vault.stores;
		if (stores === null) continue;
		// Filters and refs are those of the repository around it.
		const ownHistory = vault.ownHistory && NOTHING_SHOWN;
		const inner = { ...vault, stores, checkoutGitDir: vault.gitDir, refs: [], ownHistory };
		const indexFile = join(`${place.indexFile}.modules`, sha256(`${oid} ${path}`));
		const at = { dir: join(place.cwd, path), indexFile };
		const checkout = known?.checkout ?? openCheckout(inner, at);
		await makeFoldersAbove(place.cwd, path);
		await checkout.forceTo(oid);
		forced.push({ path, oid, fetched: stores !== vault.stores, checkout });
	}
	return forced;
}

// A new index helps where the old one skips files that it considers unchanged, although `git gc` removed their
// objects.
async function taken(
	place: GitPlace & { readonly indexFile: string },
	vault: Vault,
	request: SnapshotRequest,
): Promise<Taken> {
	try {
		return await takeSnapshot(place, vault, request);
	} catch (error) {
		if (!(error instanceof Fault) || error.code !== "git-failed") throw error;
		rmSync(place.indexFile, { force: true });
		await fillIndex(place, request.parent);
		return await takeSnapshot(place, vault, request);
	}
}

function lost(dir: string): Fault {
	return new Fault(`the checkout ${dir} no longer exists`, {
		code: "checkout-lost",
		hint: "Try again: the call that worked there is repeated.",
	});
}

async function force(vault: Vault, place: GitPlace, commit: string): Promise<void> {
	const files = await filesAt(vault, commit);
	await forgetOtherAttributes(place, commit, files);
	await readTree(place, commit);
	if (await holdsOnly(place.cwd, files)) return;
	if (await removeStrays(place, place.cwd)) await readTree(place, commit);
}

// Git leaves files as they are whose content stays, although other attributes would write them otherwise. Without an
// index every file is written again.
async function forgetOtherAttributes(
	place: GitPlace,
	commit: string,
	files: readonly TreeFile[],
): Promise<void> {
	if (place.indexFile === undefined || kindOf(place.indexFile) === "none") return;
	if (!tracksAttributes(place) && !files.some(({ path }) => ATTRIBUTES.test(path))) return;
	const args = ["diff-index", "--cached", "--quiet", commit, "--", ":(top,glob)**/.gitattributes"];
	const { exitCode } = await askGit(place, { args, notLiteral: true, parse: nothing });
	if (exitCode === 1) rmSync(place.indexFile, { force: true });
}

const ATTRIBUTES = /(?:^|\/)\.gitattributes$/;

// A symbolic link in place of the directory would redirect Sparring's commands. Only one process holds a run, so a
// lock belongs to a process that died.
async function prepare({ dir, indexFile }: CheckoutPlace): Promise<boolean> {
	if (kindOf(dir) !== "directory") await removeTree(dir);
	const isNew = mkdirSync(dir, { recursive: true }) !== undefined;
	mkdirSync(dirname(indexFile), { recursive: true });
	rmSync(`${indexFile}.lock`, { force: true });
	return isNew;
}

async function readTree(place: GitPlace, commit: string): Promise<void> {
	const query: GitQuery<void> = {
		args: ["read-tree", "--reset", "-u", "--no-recurse-submodules", commit],
		mayLock: true,
		parse: nothing,
	};
	const answer = await askGit(place, query);
	if (answer.exitCode === 0) return;
	const byFilter = filterFault(answer.stderr, place.cwd);
	if (byFilter !== null) throw byFilter;
	// Either directories are read-only or the index is damaged. Without an index every file is written again.
	await makeWritable(place.cwd);
	if (place.indexFile !== undefined) {
		rmSync(place.indexFile, { force: true });
		rmSync(`${place.indexFile}.lock`, { force: true });
	}
	await runGit(place, query);
}

async function fillIndex(place: GitPlace, commit: string): Promise<void> {
	await runGit(place, { args: ["read-tree", commit], mayLock: true, parse: nothing });
}

const DIFF = ["diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];

async function equalsCommit(place: GitPlace, commit: string): Promise<boolean> {
	const args = [...DIFF, "--quiet", commit, "--"];
	if ((await askGit(place, { args, mayLock: true, parse: nothing })).exitCode === 0) return true;
	return tracksAttributes(place) && (await changesSince(place, commit)).length === 0;
}

// Not as a checkout of the commit would write them.
async function changesSince(place: GitPlace, commit: string): Promise<readonly RawChange[]> {
	const changes = await runGit(place, {
		args: [...DIFF, ...RAW, commit, "--"],
		mayLock: true,
		parse: ({ stdout }) => parseRawChanges(stdout),
	});
	return await withoutUntouched(place, commit, changes);
}
