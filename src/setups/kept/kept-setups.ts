import { existsSync } from "node:fs";
import { mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Checkout } from "../../git/checkout.ts";
import { removeTree } from "../../git/file-tree.ts";
import { randomId } from "../../kernel/ids.ts";
import type { SetupResult } from "../setup.ts";
import { isManifest } from "../setup-key.ts";
import { copyFiles, removeCopies, type Tool } from "./copy-files.ts";
import { filesOf, type KeptEntry, type KeptResult, readEntry, writeEntry } from "./entry-file.ts";
import { type KeptLimits, listTree } from "./listing.ts";
import type { NotKept } from "./not-kept.ts";
import { findOwnPaths, moveTexts, type SetupPlace } from "./own-paths.ts";
import { KEPT_MS, takeDown } from "./shelf.ts";

const KEPT_LIMITS: KeptLimits = { files: 400_000, bytes: 4 * 1_073_741_824 };

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
	/** An entry that fits another tree only is replaced. */
	readonly tree: string;
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

export function openKeptSetups(given: KeptSetupsPorts): KeptSetups {
	const making = new Map<string, Promise<Kept>>();
	const told = new Set<string>();
	const onNotKept = (reason: NotKept): void => {
		const text = JSON.stringify(reason);
		if (!told.has(text)) given.onNotKept(reason);
		told.add(text);
	};
	const ports = { ...given, onNotKept };
	const obtainOnce = (request: KeepRequest): Promise<Kept> => {
		const directory = join(request.shelf, request.id);
		const begun = making.get(directory);
		// What ended another task's setup is no reason to end this one: it makes the entry itself.
		if (begun !== undefined) return begun.catch(() => obtainOnce(request));
		const made = obtain(request, directory, ports).finally(() => making.delete(directory));
		making.set(directory, made);
		return made;
	};
	return {
		obtain: obtainOnce,
		copyInto: async (entry, checkout, home) => {
			if (home === null && hasHome(entry)) return false;
			const problem = await copyEntry(entry, { checkout, home }, given.tool);
			if (problem !== null) onNotKept(problem);
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
	if (present !== null && isFresh(present, request.tree, ports.now())) return present;
	const aside = join(request.shelf, `.making-${randomId(12)}`);
	try {
		await mkdir(request.shelf, { recursive: true, mode: 0o700 });
		await discard(directory);
		await mkdir(filesOf({ directory: aside }), { recursive: true });
	} catch (error) {
		ports.onNotKept(unwritable(error));
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

function isFresh(entry: KeptEntry, tree: string, now: number): boolean {
	if (now - entry.madeAt > KEPT_MS) return false;
	return entry.kind === "refused" || entry.tree === null || entry.tree === tree;
}

async function discard(directory: string): Promise<void> {
	const old = await takeDown(directory);
	if (old !== null) await removeTree(old);
}

async function keep(
	request: KeepRequest,
	{ aside, directory }: { readonly aside: string; readonly directory: string },
	ports: KeptSetupsPorts,
): Promise<Kept> {
	const made = { directory: aside, madeAt: ports.now() };
	try {
		const found = await collect(request, filesOf(made), ports);
		if (found.kind === "kept") await writeEntry({ ...found, ...made });
		else {
			ports.onNotKept(found);
			await removeTree(filesOf(made));
			await writeEntry({ kind: "refused", ...made });
		}
		// Of two processes that make the same entry, the first one's counts for both.
		const problem = await rename(aside, directory).catch(String);
		const there = await readEntry(directory);
		if (there === null) throw new Error(problem ?? "it was removed meanwhile");
		return there;
	} catch (error) {
		ports.onNotKept(unwritable(error));
		return { kind: "unkept" };
	}
}

async function collect(
	{ checkout, home, commit, tree, fitsInputs, submodules }: KeepRequest,
	files: string,
	{ tool, limits = KEPT_LIMITS }: KeptSetupsPorts,
): Promise<Omit<KeptResult, "directory" | "madeAt"> | NotKept> {
	for (const path of submodules) {
		const inside = await readdir(join(checkout.dir, path)).catch(() => []);
		if (inside.length > 0) return { kind: "submodule", path };
	}
	const { ignored, others } = await checkout.untracked(commit);
	const other = others.find((path) => !isManifest(path));
	if (other !== undefined) return { kind: "not_ignored", path: other };
	const leftHome = (await readdir(home).catch(() => [])).length > 0;
	if (ignored.length === 0 && !leftHome) return { kind: "nothing_ignored" };
	const paths = ignored.map((path) => path.replace(/\/$/, ""));
	for (const path of paths) {
		const to = join(files, "checkout", path);
		await mkdir(dirname(to), { recursive: true });
		await rename(join(checkout.dir, path), to);
	}
	if (leftHome) await rename(home, join(files, "home"));
	let listing = await listTree(files, limits);
	if (listing?.isLinked === true) {
		await copyApart(files, tool);
		listing = await listTree(files, limits);
	}
	if (listing === null) return { kind: "too_large", ...limits };
	const own = await findOwnPaths(
		{ files, links: listing.links },
		{ checkout: checkout.dir, home },
		tool,
	);
	if ("bound" in own) return { kind: "own_path", path: shownPath(own.bound) };
	const { digest, bytes } = listing;
	const fits = await fitsInputs(leftHome ? [...paths, "home"] : paths);
	return { kind: "kept", tree: fits ? null : tree, paths, bytes, digest, ...own };
}

const shownPath = (path: string): string => path.replace(/^checkout\//, "");

/** True where files that a setup left lie in directories of dependencies. */
export function isDependencies(paths: readonly string[]): boolean {
	// An editable installation notes the names of what is installed beside the sources.
	const isOne = (part: string): boolean => DEPENDENCIES.has(part) || part.endsWith(".egg-info");
	return paths.every((path) => path.split("/").some(isOne));
}

// A package manager's store has hard links to them.
async function copyApart(files: string, tool: Tool): Promise<void> {
	const linked = `${files}.linked`;
	await rename(files, linked);
	const problem = await copyFiles(await readdir(linked), { from: linked, to: files }, tool);
	await removeTree(linked);
	if (problem !== null) throw new Error(problem);
}

const hasHome = (entry: KeptResult): boolean => existsSync(join(filesOf(entry), "home"));

async function copyEntry(entry: KeptResult, to: SetupPlace, tool: Tool): Promise<NotKept | null> {
	const from = filesOf(entry);
	const parts = [{ paths: entry.paths, from: join(from, "checkout"), to: to.checkout }];
	if (to.home !== null && hasHome(entry))
		parts.push({ paths: ["home"], from, to: dirname(to.home) });
	let problem: NotKept | null = null;
	for (const part of parts) problem ??= await copyFiles(part.paths, part, tool).then(orUnwritable);
	problem ??= await moveTexts(entry, to).then(orBound, unwritable);
	// Behind the copy: an entry may be changed or removed meanwhile, and a copy of half of it is not used.
	const found = await listTree(from, UNLIMITED).catch(String);
	if (typeof found === "string" || found?.digest !== entry.digest) {
		// It must not be used again. Where it cannot be removed either, it is found damaged each time.
		await discard(entry.directory).catch(() => undefined);
		const why = typeof found === "string" ? found : "its files were changed";
		problem = { kind: "damaged", why };
	}
	if (problem !== null) for (const part of parts) await removeCopies(part.paths, part.to);
	return problem;
}

const unwritable = (error: unknown): NotKept => ({ kind: "unwritable", why: String(error) });

const orUnwritable = (why: string | null): NotKept | null =>
	why === null ? null : unwritable(why);

const orBound = (path: string | null): NotKept | null =>
	path === null ? null : { kind: "own_path", path: shownPath(path) };

const UNLIMITED: KeptLimits = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
