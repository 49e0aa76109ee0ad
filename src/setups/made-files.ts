import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Checkout } from "../git/checkout.ts";
import { removeTree } from "../git/file-tree.ts";
import { type Standings, standingsBelow } from "../git/standings.ts";
import { homeOf } from "./execution.ts";
import { isManifest } from "./setup-key.ts";

/**
 * What a setup made in a checkout and in its home, by a list that is kept outside of both. Each execution begins with
 * that and with nothing else: what an earlier check, turn or agent left there is gone.
 */
export class MadeFiles {
	readonly #checkout: Checkout;
	/** Holds the checkout and its home, and nothing else. */
	readonly #folder: string;
	readonly #home: string;
	readonly #list: string;

	/** @param list absolute path of the file for the list */
	constructor(checkout: Checkout, list: string) {
		this.#checkout = checkout;
		this.#folder = dirname(checkout.dir);
		this.#home = homeOf(checkout.dir);
		this.#list = list;
	}

	/**
	 * Removes what is not on the list.
	 *
	 * @returns false when something on it is gone or was changed, or there is no list: the setup has to be made again
	 */
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

	/**
	 * Removes all that the commit does not have, for a setup that is made again.
	 *
	 * @returns whether the checkout is to be brought to its commit again
	 */
	async clear(): Promise<boolean> {
		await rm(this.#list, { force: true });
		await removeTree(this.#home);
		await mkdir(this.#home, { recursive: true, mode: 0o700 });
		const now = await this.#standings().catch(() => null);
		if (now === null) await this.#checkout.remove();
		await this.#remove(now ?? new Map(), new Set());
		return now?.size !== 0;
	}

	/** Lists what is there, after a setup. What the next `forceTo` removes is left out, so that it is not missed. */
	async record(commit: string): Promise<void> {
		const { others } = await this.#checkout.untracked(commit);
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

	/** By paths relative to the folder. */
	async #standings(): Promise<Standings> {
		const name = basename(this.#checkout.dir);
		const below = (folder: string, found: Standings) =>
			[...found].map(([path, standing]) => [`${folder}/${path}`, standing] as const);
		return new Map([
			...below(name, await this.#checkout.extras()),
			...below("home", await standingsBelow(this.#home)),
		]);
	}

	/** Also what lies beside the checkout. */
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

/** The paths that are not kept, without what is in a folder among them. A folder comes before what is in it. */
function outermost(paths: readonly string[], kept: ReadonlySet<string>): string[] {
	const gone = new Set<string>();
	return paths.filter((path) => {
		if (kept.has(path)) return false;
		const above = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
		if (path.endsWith("/")) gone.add(path);
		return !gone.has(above);
	});
}
