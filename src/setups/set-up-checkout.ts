import { existsSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Checkout } from "../git/checkout.ts";
import { removeTree } from "../git/file-tree.ts";
import { type Standings, standingsBelow } from "../git/standings.ts";
import type { ProcessHost } from "../process/process.ts";
import { homeOf } from "./execution.ts";
import { isSetUp, runSetup, type SetupRequest, type SetupResult } from "./setup.ts";
import { isManifest } from "./setup-key.ts";

/**
 * Files that a setup made in a checkout and in its home, by a list that is kept outside of both. Each execution begins
 * with that and with nothing else.
 */
class MadeFiles {
	readonly #checkout: Checkout;
	readonly #folder: string;
	readonly #home: string;
	readonly #list: string;
	readonly #commit: string;

	constructor(checkout: Checkout, commit: string, list: string) {
		this.#checkout = checkout;
		this.#commit = commit;
		this.#folder = dirname(checkout.dir);
		this.#home = homeOf(checkout.dir);
		this.#list = list;
	}

	/** Removes what is not on the list. @returns false: the setup has to be made again */
	async restore(): Promise<boolean> {
		try {
			// Written by `record`.
			const made = JSON.parse(await readFile(this.#list, "utf8")) as [string, string][];
			const now = await this.#standings();
			await this.#remove(now, new Set(made.map(([path]) => path)));
			return made.every(([path, standing]) => now.get(path) === standing);
		} catch {
			// Nothing is known, or something cannot be listed.
			return false;
		}
	}

	/** @returns true when the checkout is to be brought to its commit again */
	async clear(): Promise<boolean> {
		await rm(this.#list, { force: true });
		await removeTree(this.#home);
		await mkdir(this.#home, { recursive: true, mode: 0o700 });
		const now = await this.#standings().catch(() => null);
		if (now === null) await this.#checkout.remove();
		await this.#remove(now ?? new Map(), new Set());
		return now?.size !== 0;
	}

	// A file that the next `forceTo` removes is left out, so that it is not missed.
	async record(): Promise<void> {
		const { others } = await this.#checkout.untracked(this.#commit);
		const top = `${basename(this.#checkout.dir)}/`;
		const lost = new Set(
			others.filter(isManifest).map((path) => `${top}${Buffer.from(path).toString("latin1")}`),
		);
		const now = await this.#standings();
		const isByteCode = (path: string): boolean => {
			const above = /^(.*?)__pycache__\//.exec(path)?.[1];
			return above !== undefined && (above === top || (above.startsWith(top) && !now.has(above)));
		};
		const made = [...now].filter(([path]) => !lost.has(path) && !isByteCode(path));
		await writeFile(this.#list, JSON.stringify(made));
	}

	async #standings(): Promise<Standings> {
		const name = basename(this.#checkout.dir);
		const below = (folder: string, found: Standings) =>
			[...found].map(([path, standing]) => [`${folder}/${path}`, standing] as const);
		return new Map([
			...below(name, await this.#checkout.extras(this.#commit)),
			...below("home", await standingsBelow(this.#home)),
		]);
	}

	async #remove(now: Standings, kept: ReadonlySet<string>): Promise<void> {
		const beside = (await readdir(this.#folder)).filter(
			(name) => name !== "home" && name !== basename(this.#checkout.dir),
		);
		for (const path of [...beside, ...outermost([...now.keys()], kept)]) {
			const bytes = Buffer.concat([Buffer.from(`${this.#folder}/`), Buffer.from(path, "latin1")]);
			await removeTree(bytes.at(-1) === SLASH ? bytes.subarray(0, -1) : bytes);
		}
	}
}

const SLASH = 0x2f;

// A folder comes before what is in it.
function outermost(paths: readonly string[], kept: ReadonlySet<string>): string[] {
	const gone = new Set<string>();
	return paths.filter((path) => {
		if (kept.has(path)) return false;
		const above = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
		if (path.endsWith("/")) gone.add(path);
		return !gone.has(above);
	});
}

/** A checkout to bring to a commit and to set up. */
export interface CheckoutSetup extends Omit<SetupRequest, "checkout"> {
	readonly checkout: Checkout;
	readonly commit: string;
}

/**
 * Brings a checkout to a commit and runs its setup where it must. What a setup writes over tracked files is put back:
 * the checks would not test the commit otherwise, and it is nobody's work.
 *
 * A checkout with a home of its own stands alone in its folder. There is nothing in it afterwards but the commit and what
 * its setup made; where something of that was changed, the setup is made again, from nothing.
 *
 * @throws as `runSetup` does
 */
export async function setUpCheckout(
	{ checkout, commit, ...setup }: CheckoutSetup,
	signal: AbortSignal,
	run?: ProcessHost["run"],
): Promise<SetupResult> {
	const { stateFile, key, force } = setup;
	// What a setup made is gone with the directory, whatever the state file says.
	if (!existsSync(checkout.dir)) rmSync(stateFile, { force: true });
	await checkout.forceTo(commit);
	const made = setup.home !== null ? new MadeFiles(checkout, commit, `${stateFile}.made`) : null;
	// Behind `forceTo`, which takes away what git does not ignore.
	const isMade = !force && isSetUp(stateFile, key) && (await made?.restore());
	if (made !== null && isMade !== true) {
		rmSync(stateFile, { force: true });
		if (await made.clear()) await checkout.forceTo(commit);
	}
	const result = await runSetup({ ...setup, checkout: checkout.dir }, signal, run);
	const touched = result.ran ? await checkout.changedFiles(commit) : [];
	if (touched.length > 0) await checkout.forceTo(commit);
	if (isMade !== true && result.status === "pass" && setup.commands.length > 0) {
		await made?.record();
	}
	// A setup may have written its own `.env` over the user's.
	await checkout.putCopies();
	return result;
}
