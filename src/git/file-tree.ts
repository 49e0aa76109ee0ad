import type { Dirent } from "node:fs";
import { rmSync } from "node:fs";
import { chmod, lstat, readdir, rm } from "node:fs/promises";

const SLASH = Buffer.from("/");

/** Removes a file or a directory with all that is in it, read-only directories included; nothing there is fine. */
export async function removeTree(path: string): Promise<void> {
	try {
		await rm(path, { recursive: true, force: true });
	} catch {
		await makeWritable(path);
		await rm(path, { recursive: true, force: true });
	}
}

/** `removeTree` for what is small as a rule: in one go, which for a dozen files is several times as fast. */
export async function removeSmallTree(path: string): Promise<void> {
	try {
		rmSync(path, { recursive: true, force: true });
	} catch {
		await removeTree(path);
	}
}

/**
 * Gives the owner back the rights on a directory tree: to list and change directories, to read and write files.
 * Symbolic links are not followed. Other bits, such as the executable one, stay.
 */
export async function makeWritable(path: string | Buffer): Promise<void> {
	const bytes = Buffer.from(path);
	const { mode } = await lstat(bytes);
	if ((mode & 0o700) !== 0o700) await chmod(bytes, (mode & 0o7777) | 0o700);
	for (const entry of await list(bytes)) {
		const inner = Buffer.concat([bytes, SLASH, entry.name]);
		if (entry.isDirectory()) await makeWritable(inner);
		else if (entry.isFile()) await makeFileWritable(inner);
	}
}

/** The files of a given name below a directory, at any depth; symbolic links are not followed. */
export async function filesNamed(directory: Buffer, name: string): Promise<Buffer[]> {
	const found: Buffer[] = [];
	for (const entry of await list(directory)) {
		const inner = Buffer.concat([directory, SLASH, entry.name]);
		if (entry.isDirectory()) found.push(...(await filesNamed(inner, name)));
		else if (entry.name.equals(Buffer.from(name))) found.push(inner);
	}
	return found;
}

/** Whether a path is there and of that kind; a symbolic link is itself, not what it points to. */
export async function kindOf(
	path: string | Buffer,
): Promise<"file" | "directory" | "link" | "other" | "none"> {
	try {
		const stats = await lstat(path);
		if (stats.isSymbolicLink()) return "link";
		if (stats.isDirectory()) return "directory";
		return stats.isFile() ? "file" : "other";
	} catch {
		return "none";
	}
}

async function makeFileWritable(path: Buffer): Promise<void> {
	const { mode } = await lstat(path);
	if ((mode & 0o600) !== 0o600) await chmod(path, (mode & 0o7777) | 0o600);
}

async function list(directory: Buffer): Promise<Dirent<Buffer>[]> {
	return await readdir(directory, { withFileTypes: true, encoding: "buffer" });
}
