import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { randomId } from "../../kernel/ids.ts";
import { removeFiles } from "../../kernel/remove-files.ts";

/** What the system says when something stands in the place of one of Sparring's directories or files. */
const IN_THE_WAY: ReadonlySet<unknown> = new Set(["EISDIR", "ENOTDIR", "ENOTEMPTY", "EEXIST"]);

/**
 * Writes a file of our state directory so that a reader sees the old text or the new one, never a half. A directory
 * in its place, and a file in the place of its directory, are removed: nothing of anybody's belongs there.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
	try {
		await write(path, text);
	} catch (error) {
		const code = error instanceof Error && "code" in error ? error.code : undefined;
		if (!IN_THE_WAY.has(code)) throw error;
		const parent = dirname(path);
		const isDirectory = lstatSync(parent, { throwIfNoEntry: false })?.isDirectory() === true;
		await removeFiles(isDirectory ? path : parent);
		await write(path, text);
	}
}

/** A longer text is written by another thread, in characters: a shorter one costs less than to ask for that. */
const LONG = 500_000;

async function write(path: string, text: string): Promise<void> {
	mkdirSync(dirname(path), { recursive: true });
	const aside = `${path}.${process.pid}-${randomId(6)}.tmp`;
	try {
		if (text.length < LONG) writeFileSync(aside, text);
		else await writeFile(aside, text);
		renameSync(aside, path);
	} catch (error) {
		rmSync(aside, { force: true });
		throw error;
	}
}

/** A file that `replaceFile` had not finished, and the process that wrote it. */
const UNFINISHED = /\.(\d+)-[0-9a-z]{6}\.tmp$/;

/**
 * Removes what killed processes left unfinished below directories; what a live process writes stays.
 *
 * @param isAlive whether a process runs on this machine
 */
export async function removeUnfinished(
	directories: readonly string[],
	isAlive: (pid: number) => boolean,
): Promise<void> {
	for (const directory of directories) {
		const names = await readdir(directory, { recursive: true }).catch(() => []);
		for (const name of names) {
			const pid = UNFINISHED.exec(name)?.[1];
			if (pid === undefined || isAlive(Number(pid))) continue;
			await rm(join(directory, name), { force: true });
		}
	}
}
