import { lstat, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { randomId } from "../kernel/ids.ts";

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
		const isDirectory = await lstat(parent).then(
			(found) => found.isDirectory(),
			() => false,
		);
		await rm(isDirectory ? path : parent, { recursive: true, force: true });
		await write(path, text);
	}
}

async function write(path: string, text: string): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	const aside = `${path}.${process.pid}-${randomId(6)}.tmp`;
	await writeFile(aside, text);
	await rename(aside, path);
}
