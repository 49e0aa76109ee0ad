import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { asideOf } from "../../kernel/aside.ts";
import { removeFiles } from "../../kernel/remove-files.ts";

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

// A longer text is written by another thread. In characters: a shorter one costs less than to ask for that.
const LONG = 500_000;

async function write(path: string, text: string): Promise<void> {
	mkdirSync(dirname(path), { recursive: true });
	const aside = asideOf(path);
	try {
		if (text.length < LONG) writeFileSync(aside, text);
		else await writeFile(aside, text);
		renameSync(aside, path);
	} catch (error) {
		rmSync(aside, { force: true });
		throw error;
	}
}
