import { lstat, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Fault } from "../kernel/fault.ts";
import { systemCode } from "../kernel/system-code.ts";

interface Temporary extends AsyncDisposable {
	readonly path: string;
}

/**
 * Makes a directory for temporary files, which is gone with the caller's scope; `path` is the real one.
 *
 * @throws Fault `state-unwritable` or `disk-full`, with the directory in which it cannot be made
 */
export async function makeTemporary(prefix: string): Promise<Temporary> {
	const parent = tmpdir();
	try {
		const path = await realpath(await mkdtemp(join(parent, prefix)));
		return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
	} catch (cause) {
		const code = systemCode(cause);
		throw new Fault(`no temporary files can be made in ${parent} (${code})`, {
			code: code === "ENOSPC" || code === "EDQUOT" ? "disk-full" : "state-unwritable",
			hint: "Set TMPDIR to a directory in which you can make files.",
			cause,
		});
	}
}

/** Looks whether temporary files can be made, before anything begins that needs them. @throws what `makeTemporary` does */
export async function requireTemporary(): Promise<void> {
	await using _made = await makeTemporary("spar-look-");
}

// A Unix socket with a name of 60 characters fits in: a whole path of one has at most 103 (macOS).
const IS_SHORT = /^[\w./-]{1,16}$/;

/** The folders that may hold all temporary folders of a user: one that stays, so that a sandbox can close it as a whole. */
export function temporaryParents(): string[] {
	const usual = tmpdir();
	const parents = IS_SHORT.test(usual) ? [usual] : ["/tmp", usual];
	return parents.map((parent) => join(parent, `spar-${process.getuid?.() ?? 0}`));
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

/**
 * The first of the folders for all temporary ones of a user that can be had; a real path.
 *
 * @throws Fault `state-unwritable`, system errors
 */
export async function privateParent(): Promise<string> {
	const parents = temporaryParents();
	for (;;) {
		const parent = parents.shift() ?? "";
		try {
			await ownFolder(parent);
			return await realpath(parent);
		} catch (error) {
			if (parents.length === 0) throw error;
		}
	}
}
