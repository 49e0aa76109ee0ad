import { dirname, isAbsolute, join, normalize } from "node:path/posix";
import { filesAt, readFileAt } from "../git/changes.ts";
import type { Vault } from "../git/vault.ts";
import type { Convention } from "../review/player-prompt.ts";
import { namedPaths } from "../verification/requirement.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";

/**
 * Names under which coding agents look for instructions without being told to. A file of any other name is one that
 * somebody points an agent to, as `context_files` does.
 */
const NAMES = [
	"AGENTS.md",
	"CLAUDE.md",
	".claude/CLAUDE.md",
	"GEMINI.md",
	".github/copilot-instructions.md",
] as const;

const MOST_BYTES = 32 * 1024;
const LINK = "120000";
const MOST_LINKS = 8;

/** Folders of the paths with all that they are in, the deepest first; the root, which every task concerns, is last. */
function foldersOf(paths: readonly string[]): string[] {
	const folders = new Set(["."]);
	for (const path of paths) {
		for (let folder = normalize(path); ; folder = dirname(folder)) {
			folders.add(folder);
			if (folder === "." || folder === "/" || folder.startsWith("..")) break;
		}
	}
	const depth = (folder: string): number => (folder === "." ? 0 : folder.split("/").length);
	return [...folders].sort((a, b) => depth(b) - depth(a) || (a < b ? -1 : 1));
}

/** Content behind links; undefined where they lead out of the commit, or round in a circle. */
async function textAt(
	vault: Vault,
	commit: string,
	path: string,
	files: ReadonlyMap<string, { readonly mode: string }>,
): Promise<Buffer | undefined> {
	let at = path;
	for (let links = 0; links <= MOST_LINKS; links += 1) {
		const content = files.has(at) ? await readFileAt(vault, commit, at) : undefined;
		if (content === undefined || files.get(at)?.mode !== LINK) return content;
		const target = content.toString("utf8");
		at = isAbsolute(target) ? "" : join(dirname(at), target);
	}
	return undefined;
}

/**
 * Texts of the files with instructions for agents as they stand at a commit: those nearest to what the task names come
 * first, a text that two files share is told once, and 32 KiB of all are told.
 */
export async function conventionsAt(
	vault: Vault,
	commit: string,
	{ contextFiles, description }: Pick<TaskDefinition, "contextFiles" | "description">,
): Promise<readonly Convention[]> {
	const files = new Map((await filesAt(vault, commit)).map((file) => [file.path, file]));
	const found: Convention[] = [];
	let left = MOST_BYTES;
	const folders = foldersOf([...contextFiles, ...namedPaths(description)]);
	for (const path of folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))) {
		const bytes = await textAt(vault, commit, path, files);
		if (bytes === undefined || bytes.includes(0)) continue;
		// What is cut amidst a character ends before it.
		const text = new TextDecoder().decode(bytes.subarray(0, left), { stream: true }).trim();
		if (text === "" || found.some((other) => other.text === text)) continue;
		found.push({ path, text, isCut: bytes.length > left });
		left -= Math.min(bytes.length, left);
	}
	return found;
}
