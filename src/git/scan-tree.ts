import { type Dirent, readdirSync } from "node:fs";
import { setImmediate as othersTurn } from "node:timers/promises";
import { Fault } from "../kernel/fault.ts";
import { makeWritable } from "./file-tree.ts";
import { below } from "./parsing.ts";
import type { GitPlace } from "./run-git.ts";

export type Scanned = "file" | "directory" | "link" | "special";

/**
 * Longest path in a checkout, relative to it, in bytes. The system's limit for a whole path is 4,096 on Linux and 1,024
 * on macOS.
 */
export const LONGEST_PATH = process.platform === "darwin" ? 700 : 3_000;

// So many are read within a few ms; then other work of this process has its turn.
const AT_ONCE = 3_000;

const GIT = Buffer.from(".git");
const SLASH = Buffer.from("/");

/**
 * Gives what `select` makes of everything in a checkout except its `.git`, also in directories that were made
 * unreadable. Opens no file, follows no link, and looks into no directory with a path above `LONGEST_PATH`.
 *
 * @throws Fault `git-failed` when the tree cannot be searched
 */
export async function scanTree<T>(
	place: Pick<GitPlace, "cwd" | "signal">,
	select: (path: Buffer, kind: Scanned) => T | undefined,
): Promise<T[]> {
	try {
		return await scan(place, select);
	} catch {
		place.signal?.throwIfAborted();
		await makeWritable(place.cwd);
	}
	try {
		return await scan(place, select);
	} catch (cause) {
		place.signal?.throwIfAborted();
		const words = cause instanceof Error ? cause.message : String(cause);
		throw new Fault(`cannot search the checkout ${place.cwd}: ${words}`, {
			code: "git-failed",
			hint: "Check who owns the files and whether a program still writes there, then try again.",
			cause,
		});
	}
}

async function scan<T>(
	{ cwd, signal }: Pick<GitPlace, "cwd" | "signal">,
	select: (path: Buffer, kind: Scanned) => T | undefined,
): Promise<T[]> {
	const selected: T[] = [];
	const folders: (Buffer | null)[] = [null];
	let pauseAt = AT_ONCE;
	let seen = 0;
	// The list grows meanwhile.
	for (const folder of folders) {
		for (const { path, kind } of entriesIn(cwd, folder)) {
			const found = select(path, kind);
			if (found !== undefined) selected.push(found);
			if (kind === "directory" && path.length <= LONGEST_PATH) folders.push(path);
			seen += 1;
		}
		if (seen < pauseAt) continue;
		pauseAt = seen + AT_ONCE;
		await othersTurn(undefined, { signal });
	}
	return selected;
}

function entriesIn(cwd: string, folder: Buffer | null) {
	const at = folder === null ? Buffer.from(cwd) : below(cwd, folder);
	return readdirSync(at, { withFileTypes: true, encoding: "buffer" })
		.filter(({ name }) => folder !== null || !name.equals(GIT))
		.map((entry) => ({
			path: folder === null ? entry.name : Buffer.concat([folder, SLASH, entry.name]),
			kind: kindOf(entry),
		}));
}

function kindOf(entry: Dirent<Buffer>): Scanned {
	if (entry.isDirectory()) return "directory";
	if (entry.isSymbolicLink()) return "link";
	return entry.isFile() ? "file" : "special";
}
