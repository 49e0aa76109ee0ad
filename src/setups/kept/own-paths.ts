import { existsSync } from "node:fs";
import { chmod, lstat, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, relative } from "node:path";
import type { Tool } from "./copy-files.ts";
import type { Listing } from "./listing.ts";

/** Places of what a setup left: absolute directories. */
export interface SetupPlace {
	readonly checkout: string;
	/** Beside the checkout; null: there is none. */
	readonly home: string | null;
}

/** Texts that hold the place in which they were made, as the scripts that pnpm writes do. */
export interface OwnPaths {
	/** Relative to the files of the entry. */
	readonly texts: readonly string[];
	/** Where they were made: as it is, and with links followed. */
	readonly madeIn: readonly (SetupPlace & { readonly home: string })[];
}

const MOST_BYTES = 1_048_576;

/**
 * Finds what holds its own place. A path in something compressed is not found; compiled Python files may hold it, since
 * Python tells them where they are when it loads them.
 *
 * @param files those of a checkout and of its home, moved below one directory
 * @param at where they were made
 * @returns the path of what would not work elsewhere, where there is one
 */
export async function findOwnPaths(
	{ files, links }: { readonly files: string; readonly links: Listing["links"] },
	at: SetupPlace & { readonly home: string },
	tool: Tool,
): Promise<OwnPaths | { readonly bound: string }> {
	const folder = dirname(at.home);
	const folders = [...new Set([folder, await realpath(folder)])];
	const madeIn = folders.map((own) => ({
		checkout: join(own, relative(folder, at.checkout)),
		home: join(own, relative(folder, at.home)),
	}));
	const wanted = [...new Set([...folders, ...folders.map(encodeURI)])];
	const link = links.find(
		(each) => leadsOut(each) || folders.some((own) => each.target.startsWith(own)),
	);
	if (link !== undefined) return { bound: link.path };
	const search = wanted.flatMap((each) => ["-e", each]);
	const command = ["grep", "-rlF", "--null", "--exclude=*.pyc", ...search, "--", files] as const;
	const { exitCode, stdout, output, startError } = await tool([...command]);
	const found = stdout.split("\0").slice(0, -1);
	if ((exitCode !== 0 && exitCode !== 1) || !found.every(isAbsolute))
		throw new Error(`grep: ${startError ?? output.trim().slice(-200)}`);
	const nowhere = { checkout: "", home: "" };
	for (const file of found) {
		const text = await movableText(files, file);
		const moved = text === null ? null : textAt(text, madeIn, nowhere);
		if (moved === null || wanted.some((each) => moved.includes(each)))
			return { bound: relative(files, file) };
	}
	return { texts: found.map((file) => relative(files, file)), madeIn };
}

// null: of a virtual environment, whose parts lead to each other and to the sources by path, or not a text.
async function movableText(files: string, file: string): Promise<string | null> {
	for (let folder = dirname(file); folder !== files; folder = dirname(folder))
		if (existsSync(join(folder, "pyvenv.cfg"))) return null;
	if ((await lstat(file)).size > MOST_BYTES) return null;
	const bytes = await readFile(file);
	const text = bytes.toString("utf8");
	return !text.includes("\0") && Buffer.from(text).equals(bytes) ? text : null;
}

// null: it names a home, and there is none.
function textAt(text: string, madeIn: OwnPaths["madeIn"], to: SetupPlace): string | null {
	let moved = text;
	for (const { checkout, home } of madeIn) {
		if (to.home === null && moved.includes(home)) return null;
		moved = moved.replaceAll(checkout, to.checkout).replaceAll(home, to.home ?? "");
	}
	return moved;
}

/** Writes a new place into copies. @returns the path of one that would not work there, or null */
export async function moveTexts(
	{ texts, madeIn }: OwnPaths,
	to: SetupPlace,
): Promise<string | null> {
	for (const path of texts) {
		const [side] = path.split("/");
		const root = side === "home" ? to.home : to.checkout;
		const file = join(root ?? "", relative(side ?? "", path));
		const text = textAt(await readFile(file, "utf8"), madeIn, to);
		if (text === null) return path;
		const { mode } = await lstat(file);
		await chmod(file, mode | 0o200);
		await writeFile(file, text);
		await chmod(file, mode);
	}
	return null;
}

// Of the checkout or of the home.
function leadsOut({ path, target }: Listing["links"][number]): boolean {
	const [, ...below] = path.split("/");
	return !isAbsolute(target) && normalize(join(...below, "..", target)).startsWith("..");
}
