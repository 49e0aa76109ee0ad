import { pathText, treeEntries } from "./parsing.ts";
import { type Repository, repositoryPlace } from "./repository.ts";
import { runGit } from "./run-git.ts";

const EXECUTABLE = "100755";

const UNKNOWN: ReadonlySet<string> = new Set(["120000", "160000"]);

/**
 * True where a checkout of a commit has a file at a path that can be executed, or where that cannot be told: behind a
 * symbolic link or in a submodule.
 *
 * @example `"agents/dev.sh"` of a commit with that file as 100755 gives true
 */
export async function holdsProgram(
	repository: Repository,
	commit: string,
	path: string,
): Promise<boolean> {
	const parts = path.split("/").filter((part) => part !== "" && part !== ".");
	// Outside of the checkout, or its top: no commit tells.
	if (parts.length === 0 || parts.includes("..")) return true;
	const prefixes = parts.map((_part, index) => parts.slice(0, index + 1).join("/"));
	const whole = prefixes.at(-1);
	const entries = await runGit(repositoryPlace(repository), {
		args: ["ls-tree", "-z", "--full-tree", commit, "--", ...prefixes],
		parse: ({ stdout }) =>
			treeEntries(stdout).map((entry) => ({ mode: entry.mode, path: pathText(entry.path) })),
	});
	// Where a directory is named besides a path in it, git lists all that is in it.
	return entries.some(
		(entry) =>
			(entry.path === whole && entry.mode === EXECUTABLE) ||
			(prefixes.includes(entry.path) && UNKNOWN.has(entry.mode)),
	);
}
