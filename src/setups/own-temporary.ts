import { lstat, mkdir, readdir, readlink, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { removeTree } from "../git/file-tree.ts";
import { Fault } from "../kernel/fault.ts";
import { randomId } from "../kernel/ids.ts";

const RECORDS = "temporary";

// A Unix socket with a name of 60 characters fits in: a whole path of one has at most 103 (macOS).
const IS_SHORT = /^[\w./-]{1,16}$/;

/** The folders that may hold all temporary folders of a user: one that stays, so that a sandbox can close it as a whole. */
export function temporaryParents(): string[] {
	const usual = tmpdir();
	const parents = IS_SHORT.test(usual) ? [usual] : ["/tmp", usual];
	return parents.map((parent) => join(parent, `spar-${process.getuid?.() ?? 0}`));
}

export interface OwnTemporary {
	/** Absolute, links resolved; at most 38 characters of `[\w./-]` wherever `/tmp` or `TMPDIR` is so. */
	readonly path: string;
	/** Never rejects: what cannot be removed stays recorded, and goes with the run. */
	readonly close: () => Promise<void>;
}

/**
 * Makes a short folder for the temporary files of one execution. It is recorded before it is made, so that it is found
 * after a kill.
 *
 * @param work directory of the task, outside of every checkout
 * @throws system errors
 */
export async function openTemporary(work: string): Promise<OwnTemporary> {
	const records = join(work, RECORDS);
	await mkdir(records, { recursive: true });
	const parents = temporaryParents();
	for (;;) {
		const parent = parents.shift() ?? "";
		const made = join(parent, randomId(8));
		const record = join(records, basename(made));
		await symlink(made, record);
		try {
			await ownFolder(parent);
			await mkdir(made, { mode: 0o700 });
			return { path: await realpath(made), close: () => remove(record, made) };
		} catch (error) {
			await rm(record, { force: true });
			if (parents.length === 0) throw error;
		}
	}
}

/** Makes a folder that nobody else can write into or look into, or checks one that is there. */
async function ownFolder(folder: string): Promise<void> {
	await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
	const found = await lstat(folder);
	const isOwn = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
	if (isOwn && (found.mode & 0o077) === 0) return;
	throw new Fault(`${folder} is not a private folder of this user`, {
		code: "state-unwritable",
		hint: "Remove it, or set TMPDIR to another place.",
	});
}

async function remove(record: string, made: string): Promise<void> {
	await removeTree(made).then(
		() => rm(record, { force: true }),
		() => undefined,
	);
}

/** Removes the temporary folders that killed processes left of the tasks below a directory. Only for who holds them. */
export async function removeLeftTemporaries(directory: string): Promise<void> {
	for (const task of await readdir(directory).catch(() => [])) {
		await removeLeftOf(join(directory, task));
	}
}

/** Removes those of one task. */
export async function removeLeftOf(work: string): Promise<void> {
	const records = join(work, RECORDS);
	for (const name of await readdir(records).catch(() => [])) {
		const made = await readlink(join(records, name)).catch(() => "");
		// Whoever writes here, nothing else is removed.
		const isOurs = /^\w{8}$/.test(name) && /^spar-\d+$/.test(basename(dirname(made)));
		if (isOurs && basename(made) === name) {
			await remove(join(records, name), made);
		}
	}
}
