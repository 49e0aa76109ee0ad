import { rm } from "node:fs/promises";

/** Removes a file or a directory tree; a missing one is fine, links are not followed. Throws the system's error. */
export async function removeFiles(path: string | Buffer): Promise<void> {
	await rm(path, { recursive: true, force: true });
}
