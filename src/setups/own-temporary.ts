import { mkdir, readdir, readlink, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { removeTree } from "../git/file-tree.ts";
import { randomId } from "../kernel/ids.ts";
import { privateParent } from "../process/temporary.ts";

const RECORDS = "temporary";

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
 * @throws Fault `state-unwritable`, system errors
 */
export async function openTemporary(work: string): Promise<OwnTemporary> {
	const records = join(work, RECORDS);
	await mkdir(records, { recursive: true });
	const made = join(await privateParent(), randomId(8));
	const record = join(records, basename(made));
	await symlink(made, record);
	try {
		await mkdir(made, { mode: 0o700 });
	} catch (error) {
		await rm(record, { force: true });
		throw error;
	}
	return { path: made, close: () => remove(record, made) };
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
