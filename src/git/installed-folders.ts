import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { zeroFields } from "./parsing.ts";
import { type GitPlace, runGit } from "./run-git.ts";

const FOLDER = /^(?:.*?\/)??(?:node_modules|\.?venv)(?=\/)/s;
const SAMPLE = /(?:^|\/)(?:__fixtures__|fixtures?|testdata)\//;

/**
 * Folders without tracked files that an installation fills: `node_modules` beside its manifest, and virtual environments
 * of Python. Those of samples are none.
 *
 * @param paths relative to the work tree, of which some are not tracked
 */
export async function installedFolders(
	place: GitPlace,
	paths: readonly Buffer[],
): Promise<readonly string[]> {
	const named = paths.flatMap((path) => FOLDER.exec(path.toString("utf8")) ?? []);
	const folders = [...new Set(named)].filter(
		(folder) => isFilled(place.cwd, folder) && !SAMPLE.test(folder),
	);
	if (folders.length === 0) return [];
	const tracked = await runGit(place, {
		args: ["ls-files", "-z", "--", ...folders],
		parse: ({ stdout }) => zeroFields(stdout).map((path) => path.toString("utf8")),
	});
	return folders.filter((folder) => !tracked.some((path) => path.startsWith(`${folder}/`)));
}

function isFilled(root: string, folder: string): boolean {
	const path = join(root, folder);
	return folder.endsWith("node_modules")
		? existsSync(join(dirname(path), "package.json"))
		: existsSync(join(path, "pyvenv.cfg"));
}
