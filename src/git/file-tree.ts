import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { lstatSync } from "node:fs";
import { chmod, lstat, readdir, rename } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../kernel/fault.ts";
import { removeFiles } from "../kernel/remove-files.ts";
import { systemCode } from "../kernel/system-code.ts";

const SLASH = Buffer.from("/");

/** Pauses between attempts to remove a directory in which something still writes, in ms: 1.3 s in all. */
const PAUSES_MS: readonly number[] = [10, 20, 40, 80, 160, 320, 640];

/** Directories with longer paths are moved up before removal, in bytes. Below every system's limit. */
const LONG_PATH = 700;

/** Removes a file or a directory tree; a missing one is fine. */
export type Remover = (path: string | Buffer) => Promise<void>;

/**
 * Removes a file or a directory tree, including read-only directories. A missing path is fine.
 *
 * If something still writes there, it tries again for about 1.3 s. Trees that are nested deeper than the longest path
 * are removed as well.
 *
 * @param remove for tests: one attempt; rejects with system errors
 * @throws Fault `state-unwritable`
 */
export async function removeTree(
	path: string | Buffer,
	remove: Remover = removeFiles,
): Promise<void> {
	let problem: unknown = null;
	for (const pause of [...PAUSES_MS, 0]) {
		try {
			await remove(path);
			return;
		} catch (error) {
			problem = error;
		}
		if (systemCode(problem) === "ENAMETOOLONG")
			await flatten(Buffer.from(path)).catch(() => undefined);
		// Another user's files stay as they are; they can often be removed anyway.
		await makeWritable(path).catch(() => undefined);
		await delay(pause);
	}
	throw unwritable("remove", path, problem);
}

/**
 * Restores the owner's rights on a directory tree: to list and change directories, to read and write files. Does not
 * follow symbolic links, and keeps other bits such as the executable one. Missing files are fine.
 *
 * @throws Fault `state-unwritable`, for example for another user's files
 */
export async function makeWritable(path: string | Buffer): Promise<void> {
	try {
		await restoreRights(Buffer.from(path));
	} catch (error) {
		throw unwritable("make writable", path, error);
	}
}

// Under a short name at the top, every file in the tree can be named.
async function flatten(top: Buffer): Promise<void> {
	const waiting = [top];
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		await addRights(next, 0o700);
		for (const entry of await list(next)) {
			if (!entry.isDirectory()) continue;
			const inner = Buffer.concat([next, SLASH, entry.name]);
			if (inner.length <= LONG_PATH || next === top) {
				waiting.push(inner);
				continue;
			}
			// To be moved, a directory must itself be writable, since its `..` changes.
			await addRights(inner, 0o700);
			const moved = Buffer.concat([top, SLASH, Buffer.from(`.${randomUUID()}`)]);
			await rename(inner, moved);
			waiting.push(moved);
		}
	}
}

async function restoreRights(path: Buffer): Promise<void> {
	const kind = kindOf(path);
	if (kind === "file") await addRights(path, 0o600);
	if (kind !== "directory") return;
	await addRights(path, 0o700);
	for (const entry of await list(path)) {
		const inner = Buffer.concat([path, SLASH, entry.name]);
		if (entry.isDirectory()) await restoreRights(inner);
		else if (entry.isFile()) await addRights(inner, 0o600);
	}
}

/** The files with a given name below a directory, at any depth. Does not follow symbolic links. */
export async function filesNamed(directory: Buffer, name: string): Promise<Buffer[]> {
	const found: Buffer[] = [];
	for (const entry of await list(directory)) {
		const inner = Buffer.concat([directory, SLASH, entry.name]);
		if (entry.isDirectory()) found.push(...(await filesNamed(inner, name)));
		else if (entry.name.equals(Buffer.from(name))) found.push(inner);
	}
	return found;
}

/** Kind of what is at a path. A symbolic link is not followed. */
export function kindOf(path: string | Buffer): "file" | "directory" | "link" | "other" | "none" {
	try {
		const stats = lstatSync(path);
		if (stats.isSymbolicLink()) return "link";
		if (stats.isDirectory()) return "directory";
		return stats.isFile() ? "file" : "other";
	} catch {
		return "none";
	}
}

async function addRights(path: Buffer, rights: number): Promise<void> {
	try {
		const { mode } = await lstat(path);
		if ((mode & rights) !== rights) await chmod(path, (mode & 0o7777) | rights);
	} catch (error) {
		if (!isGone(error)) throw error;
	}
}

async function list(directory: Buffer): Promise<Dirent<Buffer>[]> {
	try {
		return await readdir(directory, { withFileTypes: true, encoding: "buffer" });
	} catch (error) {
		if (isGone(error)) return [];
		throw error;
	}
}

function isGone(error: unknown): boolean {
	return ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(systemCode(error));
}

function unwritable(what: string, path: string | Buffer, cause: unknown): Fault {
	return new Fault(`cannot ${what} ${path.toString()} (${systemCode(cause)})`, {
		code: "state-unwritable",
		hint: "Check which program still uses the directory and who owns the files, then try again.",
		retryable: true,
		cause,
	});
}
