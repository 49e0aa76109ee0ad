import { rm } from "node:fs/promises";

/**
 * Removes a file or a directory tree; a missing one is fine. Links are not followed.
 *
 * @throws the system's error, such as `EACCES` below a directory without rights
 */
export async function removeFiles(path: string | Buffer): Promise<void> {
	await rm(path, { recursive: true, force: true });
}
