import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { removeFiles } from "../kernel/remove-files.ts";
import { systemCode } from "../kernel/system-code.ts";
import { FOLDERS } from "../process/own-home.ts";
import type { AgentCall, AgentOutcome } from "./agent.ts";

// Links are not followed.
async function openAll(directory: string): Promise<void> {
	await chmod(directory, 0o700);
	for (const entry of await readdir(directory, { withFileTypes: true })) {
		if (entry.isDirectory()) await openAll(join(directory, entry.name));
	}
}

/**
 * Removes the private home of a call. It may hold whole sessions, in which secrets stand unmasked, and read-only
 * directories, such as those of package caches.
 *
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

// Not in the temporary directory: Codex refuses to keep its programs below that.
export const homeOf = ({ workDir }: Pick<AgentCall, "workDir">): string => join(workDir, "home");

/** Variables by which programs find their files below a home directory, so that a private one is empty. */
export function homeVariables(home: string): Record<string, string> {
	const folders = Object.entries(FOLDERS).map(
		([name, folder]) => [name, join(home, folder)] as const,
	);
	return { HOME: home, ...Object.fromEntries(folders) };
}

// Remains of a call that was killed would be in the way.
export async function makeHome(home: string): Promise<void> {
	await removeHome(home);
	await mkdir(home, { mode: 0o700 });
}

/** Makes a call and removes its home. The outcome has a line for people when the home is still there. */
export async function withoutHome(
	call: AgentCall,
	make: () => Promise<AgentOutcome>,
): Promise<AgentOutcome> {
	const home = homeOf(call);
	let outcome: AgentOutcome;
	let code: string | null = null;
	try {
		outcome = await make();
	} finally {
		code = await removeHome(home);
	}
	if (code === null) return outcome;
	const note = `[spar] ${home} could not be removed (${code}); it may contain secrets`;
	return { ...outcome, output: `${outcome.output}\n${note}\n` };
}
