import path from "node:path";
import type { CommitView } from "../../formats/commit-view.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import { followCommand } from "../integrity/followed-files.ts";
import { executedWords, impliedBy, modulesOf } from "../reading/command-words.ts";
import { drawSides, type Sides } from "../reading/sides.ts";
import { isCode } from "../reading/test-places.ts";

const SCRIPT = /\.(?:sh|bash|zsh|ksh|mk|list|lst|cfg|ini|toml|ya?ml|json)$|(?:^|\/)[^./]+$/;

/** Names and folders of programs that check something. */
const CHECKS = /test|spec|check|verif|\brun\b|suite|smoke|e2e|accept|golden|example/i;

/** Largest number of files whose texts are read; of further ones only the names count. */
const MAX_TEXTS = 5_000;

/**
 * Draws the line between product and tests in a commit.
 *
 * @throws Fault `git-failed` when the commit cannot be read
 */
export async function readSides(
	view: Pick<CommitView, "files" | "texts">,
	checks: readonly CheckDefinition[],
): Promise<Sides> {
	const files = await view.files();
	const readable = [...files].filter((file) => isCode(file) || SCRIPT.test(file));
	const texts = await view.texts(readable.slice(0, MAX_TEXTS));
	const acceptance = checks.filter(({ kind }) => kind === "acceptance");
	const followed = new Set<string>();
	const words = new Set<string>();
	for (const { run } of acceptance) {
		const found = await followedBy(run, files, texts);
		for (const file of found.files) followed.add(file);
		for (const word of found.words) words.add(word);
	}
	const globs = acceptance.flatMap(({ tests = [] }) => tests);
	const isDrawn = acceptance.length > 0 && acceptance.every(({ tests }) => tests !== undefined);
	return drawSides({ files, texts, followed, words, globs: isDrawn ? globs : undefined });
}

async function followedBy(
	run: string,
	files: ReadonlySet<string>,
	texts: ReadonlyMap<string, string>,
): Promise<{ readonly files: readonly string[]; readonly words: ReadonlySet<string> }> {
	const readBase = async (file: string): Promise<string | null> => texts.get(file) ?? null;
	const manifest = texts.get("package.json") ?? null;
	const { named, closure } = await followCommand(run, { readBase, manifest, reach: "tools" });
	const lines = closure.lines.join("\n");
	const programs = [...executedWords(lines), ...modulesOf(lines).scripts];
	const runners = programs
		.map((word) => path.posix.normalize(word))
		.filter((file) => CHECKS.test(file));
	const data = [...closure.words]
		.map((word) => path.posix.normalize(word))
		.filter((file) => !isCode(file) && !file.endsWith("package.json"));
	const read = [...files].filter(impliedBy(closure.words));
	const found = [...named, ...runners, ...data, ...read].filter((file) => files.has(file));
	return { files: found, words: closure.words };
}
