import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

// As `stat` counts them, whatever the file system's own is.
const STAT_BLOCK = 512;

/**
 * Counts the bytes that a path takes on the disk. A file of several links counts once for all calls that share `seen`;
 * symbolic links are not followed; what cannot be read, or is not there, counts nothing.
 */
export async function allocatedBytes(path: string, seen: Set<string>): Promise<number> {
	let total = 0;
	const waiting = [path];
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		const found = await lstat(next, { bigint: true }).catch(() => null);
		if (found === null) continue;
		if (!found.isDirectory() && found.nlink > 1n) {
			const inode = `${found.dev}:${found.ino}`;
			if (seen.has(inode)) continue;
			seen.add(inode);
		}
		total += Number(found.blocks) * STAT_BLOCK;
		if (!found.isDirectory()) continue;
		const directory = next;
		const names = await readdir(directory).catch(() => []);
		waiting.push(...names.map((name) => join(directory, name)));
	}
	return total;
}
