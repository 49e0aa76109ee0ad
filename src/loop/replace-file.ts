import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file so that a reader sees the old text or the new one, never a half. */
export async function replaceFile(path: string, text: string): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	const aside = `${path}.${process.pid}.tmp`;
	await writeFile(aside, text);
	await rename(aside, path);
}
