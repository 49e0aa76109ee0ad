import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Checkout } from "../../git/checkout.ts";
import { removeTree } from "../../git/file-tree.ts";
import { randomId } from "../../kernel/ids.ts";
import type { SetupResult } from "../setup.ts";
import { isManifest } from "../setup-key.ts";
import { copyFiles, type Tool } from "./copy-files.ts";
import {
	filesOf,
	KEPT_HOME,
	type KeptEntry,
	type KeptResult,
	readEntry,
	writeEntry,
} from "./entry-file.ts";
import { KEPT_LIMITS, type KeptLimits, type Listing, listTree } from "./listing.ts";
import { isLasting, type NotKept } from "./not-kept.ts";
import { moveFiles, movesOf } from "./relocation.ts";
import { KEPT_MS, takeDown } from "./shelf.ts";

const MOST_PATHS = 1_000;

// A result with anything else was built from the sources.
const DEPENDENCIES: ReadonlySet<string> = new Set(
	"node_modules bower_components .yarn .pnp.cjs .pnp.loader.mjs vendor .bundle .venv venv __pypackages__ Pods deps".split(
		" ",
	),
);

export interface KeepRequest {
	readonly id: string;
	readonly shelf: string;
	/** A checkout in which no agent ever works; made and removed here. */
	readonly checkout: Pick<Checkout, "dir" | "remove" | "untracked">;
	/** Beside the checkout: what a setup leaves there is kept too. */
	readonly home: string;
	readonly commit: string;
	readonly tree: string;
	/** True when an entry that fits another tree only is to be replaced. */
	readonly replaces: boolean;
	readonly submodules: readonly string[];
	/** True where a result of these files and directories fits every tree with the same inputs. */
	readonly fitsInputs: (paths: readonly string[]) => Promise<boolean>;
	readonly setUp: () => Promise<SetupResult>;
}

export type Kept =
	| KeptEntry
	/** Nothing could be kept this time: each checkout is to be set up by itself. */
	| { readonly kind: "unkept" }
	/** The setup itself failed. */
	| { readonly kind: "failed"; readonly result: SetupResult };

export interface KeptSetupsPorts {
	readonly tool: Tool;
	readonly now: () => number;
	/** Each reason once. */
	readonly onNotKept: (reason: NotKept) => void;
	readonly limits?: KeptLimits;
}

/** Results of setups. Calls may overlap; two requests for the same entry make it once. */
export interface KeptSetups {
	/** The entry, made first if there is none. Rejects only with what the request's own `setUp` throws. */
	obtain(request: KeepRequest): Promise<Kept>;
	/**
	 * Copies an entry into a checkout and its home. False when that did not work: then nothing of it is left there.
	 *
	 * @param home null: it has none, so an entry with files of a home does not fit
	 */
	copyInto(entry: KeptResult, checkout: string, home: string | null): Promise<boolean>;
}

export function openKeptSetups(ports: KeptSetupsPorts): KeptSetups {
	const making = new Map<string, Promise<Kept>>();
	const told = new Set<string>();
	const tell = (reason: NotKept): void => {
		const text = JSON.stringify(reason);
		if (!told.has(text)) ports.onNotKept(reason);
		told.add(text);
	};
	const obtainOnce = (request: KeepRequest): Promise<Kept> => {
		const directory = join(request.shelf, request.id);
		const begun = making.get(directory);
		// What ended another task's setup is no reason to end this one: it makes the entry itself.
		if (begun !== undefined) return begun.catch(() => obtainOnce(request));
		const made = obtain(request, directory, { ...ports, onNotKept: tell }).finally(() =>
			making.delete(directory),
		);
		making.set(directory, made);
		return made;
	};
	return {
		obtain: obtainOnce,
		copyInto: async (entry, checkout, home) => {
			const hasHome = existsSync(join(filesOf(entry), KEPT_HOME));
			if (hasHome && home === null) return false;
			const problem = await copyEntry(entry, { checkout, home, hasHome }, ports.tool);
			if (problem !== null) tell(problem);
			return problem === null;
		},
	};
}

async function obtain(
	request: KeepRequest,
	directory: string,
	ports: KeptSetupsPorts,
): Promise<Kept> {
	const present = await readEntry(directory);
	if (present !== null && isFresh(present, request, ports.now())) return present;
	let aside: string;
	try {
		await mkdir(request.shelf, { recursive: true, mode: 0o700 });
		await discard(directory);
		aside = join(request.shelf, `.making-${randomId(12)}`);
		await mkdir(join(aside, "files"), { recursive: true });
	} catch (error) {
		ports.onNotKept({ kind: "unwritable", why: String(error) });
		return { kind: "unkept" };
	}
	try {
		await request.checkout.remove();
		const result = await request.setUp();
		if (result.status !== "pass") return { kind: "failed", result };
		return await keep(request, { aside, directory }, ports);
	} finally {
		// What cannot be removed costs space and nothing else; `spar prune` tries again.
		await removeTree(aside).catch(() => undefined);
		await request.checkout.remove().catch(() => undefined);
	}
}

function isFresh(
	entry: KeptEntry,
	{ tree, replaces }: Pick<KeepRequest, "tree" | "replaces">,
	now: number,
): boolean {
	if (now - entry.madeAt > KEPT_MS) return false;
	return entry.kind === "refused" || !replaces || entry.tree === null || entry.tree === tree;
}

async function discard(directory: string): Promise<void> {
	const old = await takeDown(directory);
	if (old !== null) await removeTree(old);
}

interface EntryPlace {
	readonly aside: string;
	readonly directory: string;
}

async function keep(
	request: KeepRequest,
	place: EntryPlace,
	ports: KeptSetupsPorts,
): Promise<Kept> {
	try {
		const found = await collect(request, place.aside, ports);
		if (!("digest" in found)) {
			ports.onNotKept(found);
			if (!isLasting(found)) return { kind: "unkept" };
		}
		const { aside: directory } = place;
		const madeAt = ports.now();
		const entry: KeptEntry =
			"digest" in found ? { ...found, directory, madeAt } : { kind: "refused", directory, madeAt };
		await writeEntry(entry);
		return await publish(entry, place, ports);
	} catch (error) {
		ports.onNotKept({ kind: "unwritable", why: String(error) });
		return { kind: "unkept" };
	}
}

async function publish(
	entry: KeptEntry,
	{ aside, directory }: EntryPlace,
	{ now }: KeptSetupsPorts,
): Promise<Kept> {
	if (entry.kind === "refused") await removeTree(filesOf(entry));
	try {
		await rename(aside, directory);
		return { ...entry, directory };
	} catch (error) {
		const other = await readEntry(directory);
		if (other === null || now() - other.madeAt > KEPT_MS) throw error;
		return other;
	}
}

async function collect(
	{ checkout, home, commit, tree, replaces, fitsInputs, submodules }: KeepRequest,
	aside: string,
	{ tool, limits = KEPT_LIMITS }: KeptSetupsPorts,
): Promise<Omit<KeptResult, "directory" | "madeAt"> | NotKept> {
	for (const path of submodules) {
		const inside = await readdir(join(checkout.dir, path)).catch(() => []);
		if (inside.length > 0) return { kind: "submodule", path };
	}
	const { ignored, others } = await checkout.untracked(commit);
	const other = others.find((path) => !isManifest(path));
	if (other !== undefined) return { kind: "not_ignored", path: other };
	const hasHome = (await readdir(home).catch(() => [])).length > 0;
	if (ignored.length === 0 && !hasHome) return { kind: "nothing_ignored" };
	if (ignored.length > MOST_PATHS) return { kind: "too_many_paths", limit: MOST_PATHS };
	const paths = ignored.map((path) => path.replace(/\/$/, ""));
	const files = join(aside, "files");
	for (const path of paths) {
		await mkdir(dirname(join(files, path)), { recursive: true });
		await rename(join(checkout.dir, path), join(files, path));
	}
	const all = hasHome ? [...paths, KEPT_HOME] : paths;
	if (hasHome) {
		await mkdir(dirname(join(files, KEPT_HOME)));
		await rename(home, join(files, KEPT_HOME));
	}
	await removeWorkspaceState(join(files, "node_modules"));
	const first = await listTree(files, limits);
	const listing =
		"digest" in first && first.linkedOutside ? await unlinked(files, all, tool) : first;
	if (!("digest" in listing)) return listing;
	const scratch = join(aside, "trial");
	const moved = { files, paths, scratch, isTried: replaces, links: listing.links };
	const moves = await movesOf(moved, { checkout: checkout.dir, home }, tool);
	if ("kind" in moves) return moves;
	const { digest, bytes } = listing;
	return { kind: "kept", tree: (await fitsInputs(all)) ? null : tree, paths, bytes, digest, moves };
}

// Without pnpm's note of absolute paths, pnpm looks for itself.
async function removeWorkspaceState(modules: string): Promise<void> {
	const names = await readdir(modules).catch(() => []);
	const notes = names.filter((name) => /^\.pnpm-workspace-state[\w.-]*\.json$/.test(name));
	for (const name of notes) await rm(join(modules, name), { force: true });
}

/** True where files that a setup left lie in directories of dependencies. */
export function isDependencies(paths: readonly string[]): boolean {
	// An editable installation notes the names of what is installed beside the sources.
	const isOne = (part: string): boolean => DEPENDENCIES.has(part) || part.endsWith(".egg-info");
	return paths.every((path) => path.split("/").some(isOne));
}

// A package manager's store has hard links to them.
async function unlinked(
	files: string,
	paths: readonly string[],
	tool: Tool,
): Promise<Listing | NotKept> {
	const linked = `${files}.linked`;
	await rename(files, linked);
	await mkdir(files);
	const problem = await copyFiles(paths, { from: linked, to: files }, tool);
	await removeTree(linked);
	return problem === null
		? await listTree(files, KEPT_LIMITS)
		: { kind: "unwritable", why: problem };
}

async function copyEntry(
	entry: KeptResult,
	{
		checkout,
		home,
		hasHome,
	}: { readonly checkout: string; readonly home: string | null; readonly hasHome: boolean },
	tool: Tool,
): Promise<NotKept | null> {
	const found = await listTree(filesOf(entry), UNLIMITED).catch((error: unknown) => String(error));
	if (typeof found === "string" || !("digest" in found) || found.digest !== entry.digest) {
		const why = typeof found === "string" ? found : "its files were changed";
		// It must not be used again. Where it cannot be removed either, it is found damaged each time.
		await discard(entry.directory).catch(() => undefined);
		return { kind: "damaged", why };
	}
	const from = filesOf(entry);
	let problem = await copyFiles(entry.paths, { from, to: checkout }, tool);
	if (home !== null && hasHome) {
		const own = { from: join(from, dirname(KEPT_HOME)), to: dirname(home) };
		problem ??= await copyFiles([basename(KEPT_HOME)], own, tool);
	}
	if (problem !== null) return { kind: "unwritable", why: problem };
	const moved = await moveFiles(entry.moves, { checkout, home });
	// Another process that removes an entry renames it first: a copy of half of it is not used.
	const still = await readEntry(entry.directory);
	const isWhole = still?.kind === "kept" && still.digest === entry.digest;
	if (isWhole && moved === null) return null;
	for (const path of entry.paths) await removeTree(join(checkout, path));
	if (home !== null && hasHome) await removeTree(home);
	if (moved !== null) return moved;
	return { kind: "damaged", why: "it was removed meanwhile" };
}

const UNLIMITED: KeptLimits = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
