import { chmod, lstat, mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { removeTree } from "../../git/file-tree.ts";
import { copyFiles, type Tool } from "./copy-files.ts";
import { KEPT_HOME, type Moves } from "./entry-file.ts";
import { type Listing, leadsOut } from "./listing.ts";
import type { NotKept } from "./not-kept.ts";

/** Places of what a setup left: absolute directories. */
export interface SetupPlace {
	readonly checkout: string;
	/** Beside the checkout; null: there is none. */
	readonly home: string | null;
}

type MadeAt = SetupPlace & { readonly home: string };

/** The system reads no further for the program of a script. */
const LONGEST_FIRST_LINE = 250;
const MOST_BYTES = 1_048_576;

/** Programs of a setup that print their version and do nothing else. */
const PROGRAM = /(?:^|\/)bin\/(?:pip3?|pytest|poetry)$/;

export interface MovedFiles {
	/** Directory to which the files of a setup were moved. */
	readonly files: string;
	/** Those of the checkout below it. */
	readonly paths: readonly string[];
	/** A directory that is made and removed here, for a trial. */
	readonly scratch: string;
	/** False where what an agent wrote may have made the files. */
	readonly isTried: boolean;
	readonly links: Listing["links"];
}

/**
 * Finds what would have to be rewritten elsewhere, and tries it once where a known program is among it. A path in something
 * compressed is not found.
 *
 * @param at where the files were made
 * @returns why it would not work elsewhere, where that is known
 */
export async function movesOf(moved: MovedFiles, at: MadeAt, tool: Tool): Promise<Moves | NotKept> {
	const moves = await movesBySearch(moved.files, at, tool);
	if ("kind" in moves) return moves;
	const isBound = (each: Listing["links"][number]): boolean =>
		leadsOut(each) || moves.folders.some((folder) => each.target.startsWith(folder));
	const bound = moved.links.find(isBound);
	if (bound !== undefined) return stuckAt(bound.path);
	const problem = moved.isTried ? await problemOfProgram(moves, moved, tool) : null;
	return problem ?? moves;
}

// Compiled Python files may hold it: Python tells them where they are when it loads them.
async function movesBySearch(files: string, at: MadeAt, tool: Tool): Promise<Moves | NotKept> {
	const folder = dirname(at.home);
	const real = await realpath(folder);
	const folders = [...new Set([folder, real])];
	const below = { checkout: relative(folder, at.checkout), home: relative(folder, at.home) };
	const wanted = spellingsOf(folders).flatMap((path) => ["-e", path]);
	const { exitCode, stdout, output, startError } = await tool([
		"grep",
		"-rlF",
		"--null",
		"--exclude=*.pyc",
		...wanted,
		"--",
		files,
	]);
	const found = stdout.split("\0").slice(0, -1);
	if ((exitCode !== 0 && exitCode !== 1) || !found.every(isAbsolute))
		throw new Error(`grep: ${startError ?? output.trim().slice(-200)}`);
	const moves = { files: found.map((path) => relative(files, path)), folders, ...below };
	for (const path of moves.files)
		if (!(await isMovable(join(files, path), moves))) return stuckAt(path);
	return moves;
}

async function isMovable(file: string, moves: Moves): Promise<boolean> {
	const { size } = await lstat(file);
	const text = size > MOST_BYTES ? null : textIn(await readFile(file));
	if (text === null) return false;
	const nowhere = movedText(text, moves, { checkout: "", home: "" });
	return nowhere !== null && !spellingsOf(moves.folders).some((path) => nowhere.includes(path));
}

// null: it holds something else than text, whose length may count.
function textIn(bytes: Buffer): string | null {
	const text = bytes.toString("utf8");
	return !text.includes("\0") && Buffer.from(text).equals(bytes) ? text : null;
}

/** A path as texts hold it: as it is, and in an address. */
const spellingsOf = (paths: readonly string[]): string[] =>
	paths.flatMap((path) => [...new Set([path, encodeURI(path)])]);

// null: it names a home, and there is none.
function movedText(text: string, { folders, ...below }: Moves, to: SetupPlace): string | null {
	let moved = text;
	for (const side of ["checkout", "home"] as const)
		for (const own of folders.map((folder) => join(folder, below[side]))) {
			if (!spellingsOf([own]).some((path) => moved.includes(path))) continue;
			const place = to[side];
			if (place === null) return null;
			moved = moved.replaceAll(own, place).replaceAll(encodeURI(own), encodeURI(place));
		}
	return moved;
}

/** Writes a new place into copies of files. @returns null, or why they do not work there */
export async function moveFiles(moves: Moves, to: SetupPlace): Promise<NotKept | null> {
	try {
		for (const path of moves.files) if (!(await moveFile(path, moves, to))) return stuckAt(path);
		return null;
	} catch (error) {
		return { kind: "unwritable", why: String(error) };
	}
}

async function moveFile(path: string, moves: Moves, to: SetupPlace): Promise<boolean> {
	const isOfHome = path.startsWith(`${KEPT_HOME}/`);
	const below = isOfHome ? relative(KEPT_HOME, path) : path;
	const file = join((isOfHome ? to.home : to.checkout) ?? "", below);
	const text = movedText(await readFile(file, "utf8"), moves, to);
	const [first = ""] = text?.split("\n") ?? [];
	const isLong = first.startsWith("#!") && Buffer.byteLength(first) > LONGEST_FIRST_LINE;
	if (text === null || isLong) return false;
	const { mode } = await lstat(file);
	await chmod(file, mode | 0o200);
	await writeFile(file, text);
	await chmod(file, mode);
	return true;
}

const stuckAt = (path: string): NotKept => ({ kind: "own_path", path });

async function problemOfProgram(
	moves: Moves,
	{ files: from, paths, scratch }: MovedFiles,
	tool: Tool,
): Promise<NotKept | null> {
	const program = moves.files.find((path) => PROGRAM.test(path));
	if (program === undefined) return null;
	try {
		await mkdir(scratch);
		const problem = await copyFiles(paths, { from, to: scratch }, tool);
		if (problem !== null) return { kind: "unwritable", why: problem };
		const files = moves.files.filter((path) => !path.startsWith(`${KEPT_HOME}/`));
		// A trial in too deep a folder says nothing.
		if ((await moveFiles({ ...moves, files }, { checkout: scratch, home: scratch })) !== null)
			return null;
		const { exitCode } = await tool([join(scratch, program), "--version"]);
		return exitCode === 0 ? null : stuckAt(program);
	} finally {
		await removeTree(scratch);
	}
}
