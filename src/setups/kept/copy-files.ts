import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { kindOf, removeTree } from "../../git/file-tree.ts";
import type { ProcessResult } from "../../process/process.ts";

export type Tool = (command: readonly [string, ...string[]]) => Promise<ProcessResult>;

// With modes, times and links, and with shared blocks where the file system can.
const WAYS: readonly (readonly string[])[] =
	process.platform === "darwin" ? [["-a", "-c"], ["-a"]] : [["-a", "--reflink=auto"], ["-a"]];

/**
 * Copies files and directories below one directory to the same places below another, in place of what is there. Hard
 * links to other files are never made.
 *
 * @returns null, or why it did not work; then nothing is left at the paths
 */
export async function copyFiles(
	paths: readonly string[],
	{ from, to }: { readonly from: string; readonly to: string },
	tool: Tool,
): Promise<string | null> {
	const byFolder = [...Map.groupBy(paths, (path) => dirname(path))];
	// A link on the way leads elsewhere. Nothing is removed there either: it would be somebody's.
	const linked = byFolder.find(([folder]) => !isRealFolder(to, folder));
	if (linked !== undefined) return `${linked[0]} is not a folder of the checkout`;
	let problem: string | null = null;
	for (const [folder, group] of byFolder)
		problem ??= await copyGroup(group, { from, to, folder }, tool).catch(String);
	if (problem !== null) await removeCopies(paths, to);
	return problem;
}

/** Removes what was copied, as far as it can be removed, and nothing behind a link. */
export async function removeCopies(paths: readonly string[], root: string): Promise<void> {
	for (const path of paths)
		if (isRealFolder(root, dirname(path)))
			await removeTree(join(root, path)).catch(() => undefined);
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
		for (const path of group) await removeTree(join(to, path));
		await mkdir(target, { recursive: true });
		const result = await tool(["cp", ...way, "--", ...sources, `${target}/`]);
		if (result.exitCode === 0) return null;
		said = result.startError ?? (result.output.trim().split("\n").at(-1) || "cp failed");
	}
	return said;
}

/** True where each part of the way is a directory, or missing: it will be made. */
function isRealFolder(root: string, folder: string): boolean {
	const parts = folder.split("/");
	const ways = parts.map((_part, index) => join(root, ...parts.slice(0, index + 1)));
	return ways.every((way) => ["none", "directory"].includes(kindOf(way)));
}
