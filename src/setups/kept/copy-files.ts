import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { kindOf, removeTree } from "../../git/file-tree.ts";
import type { ProcessResult } from "../../process/process.ts";

export type Tool = (command: readonly [string, ...string[]]) => Promise<ProcessResult>;

// With modes, times and links, and with shared blocks where the file system can.
const WAYS: readonly (readonly string[])[] =
	process.platform === "darwin" ? [["-a", "-c"], ["-a"]] : [["-a", "--reflink=auto"], ["-a"]];

/**
 * Copies files and directories below one directory to the same places below another. Hard links to other files are
 * never made.
 *
 * @returns null, or why it did not work; then nothing is left at the paths
 */
export async function copyFiles(
	paths: readonly string[],
	{ from, to }: { readonly from: string; readonly to: string },
	tool: Tool,
): Promise<string | null> {
	const begun: string[] = [];
	for (const [folder, group] of byFolder(paths)) {
		// Nothing is removed either where a link leads elsewhere: it would be somebody's.
		const isReal = await isRealFolder(to, folder);
		if (isReal) begun.push(...group);
		const problem = isReal
			? await copyGroup(group, { from, to, folder }, tool)
			: `${folder} is not a folder of the checkout`;
		if (problem === null) continue;
		for (const path of begun) await removeTree(join(to, path)).catch(() => undefined);
		return problem;
	}
	return null;
}

function byFolder(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
	return Map.groupBy(paths, (path) => dirname(path));
}

async function copyGroup(
	group: readonly string[],
	{ from, to, folder }: { readonly from: string; readonly to: string; readonly folder: string },
	tool: Tool,
): Promise<string | null> {
	const target = join(to, folder);
	const sources = group.map((path) => join(from, path));
	let said = "";
	for (const way of WAYS) {
		try {
			for (const path of group) await removeTree(join(to, path));
			await mkdir(target, { recursive: true });
		} catch (error) {
			return String(error);
		}
		const result = await tool(["cp", ...way, "--", ...sources, `${target}/`]);
		if (result.exitCode === 0) return null;
		said = result.startError ?? (result.output.trim().split("\n").at(-1) || "cp failed");
	}
	return said;
}

/** A link on the way would lead the copy elsewhere. What is missing is made. */
async function isRealFolder(root: string, folder: string): Promise<boolean> {
	let path = root;
	for (const part of folder === "." ? [] : folder.split("/")) {
		path = join(path, part);
		const kind = kindOf(path);
		if (kind === "none") return true;
		if (kind !== "directory") return false;
	}
	return true;
}
