import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "../kernel/fault.ts";
import { systemCode } from "../kernel/system-code.ts";

/**
 * Makes a directory for temporary files; the real path. The caller removes it.
 *
 * @throws Fault `state-unwritable` or `disk-full`, with the directory in which it cannot be made
 */
export async function makeTemporary(prefix: string): Promise<string> {
	const parent = tmpdir();
	try {
		return await realpath(await mkdtemp(join(parent, prefix)));
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
	await rm(await makeTemporary("spar-look-"), { recursive: true, force: true });
}
