import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { removeFiles } from "../kernel/remove-files.ts";
import { systemCode } from "../kernel/system-code.ts";

// Links are not followed.
async function openAll(directory: string): Promise<void> {
	await chmod(directory, 0o700);
	for (const entry of await readdir(directory, { withFileTypes: true })) {
		if (entry.isDirectory()) await openAll(join(directory, entry.name));
	}
}

/**
 * Removes the private home of a call, or what an earlier one left in its place. It may hold whole sessions, in which
 * secrets stand unmasked, and read-only directories, such as those of package caches.
 *
 * @param home absolute; need not exist
 * @returns the system's code when it could not be removed, such as `EBUSY`; null when it is gone. Never rejects
 */
export async function removeHome(home: string): Promise<string | null> {
	try {
		await removeFiles(home).catch(async () => {
			await openAll(home);
			await removeFiles(home);
		});
		return null;
	} catch (error) {
		return systemCode(error);
	}
}
