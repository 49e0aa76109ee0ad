import { copyFile, mkdir } from "node:fs/promises";
import { basename } from "node:path";
import type { Evidence } from "../evidence/evidence.ts";

/**
 * Copies the outputs of evidence beside a call, so that an agent can read them without reaching into the
 * user's repository. The result's paths are relative to the returned directory; null for one that the user removed.
 */
export async function handOver(
	evidence: readonly Evidence[],
	stateDir: string,
	workDir: string,
): Promise<{ readonly evidence: readonly Evidence[]; readonly directory: string }> {
	const directory = `${workDir}/evidence`;
	await mkdir(directory, { recursive: true });
	const handed: Evidence[] = [];
	for (const piece of evidence) {
		if (piece.outputPath === null) {
			handed.push(piece);
			continue;
		}
		const name = basename(piece.outputPath);
		const copied = await copyIfPresent(`${stateDir}/${piece.outputPath}`, `${directory}/${name}`);
		handed.push({ ...piece, outputPath: copied ? name : null });
	}
	return { evidence: handed, directory };
}

async function copyIfPresent(from: string, to: string): Promise<boolean> {
	try {
		await copyFile(from, to);
		return true;
	} catch (error) {
		if (Reflect.get(Object(error), "code") === "ENOENT") return false;
		throw error;
	}
}
