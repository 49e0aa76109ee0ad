import { pathText, zeroFields } from "./parsing.ts";
import type { Repository } from "./repository.ts";
import { runGit } from "./run-git.ts";

interface ListedPart {
	readonly below?: string | undefined;
	/** True: a folder of nothing else is one path that ends with `/`. */
	readonly folders?: boolean;
	/** Untracked files that are not ignored, in place of those that are. */
	readonly others?: boolean;
}

/** Untracked files of the user's work tree that git ignores there, by the user's own rules too. */
export function ignoredFiles(
	{ host, root }: Pick<Repository, "host" | "root">,
	{ below, folders = false, others = false }: ListedPart,
): Promise<string[]> {
	const which = others ? [] : ["--ignored"];
	const how = folders ? ["--directory", "--no-empty-directory"] : [];
	const part = below === undefined ? [] : ["--", below];
	return runGit(
		{ host, configuration: "users", cwd: root },
		{
			args: ["ls-files", "--others", ...which, "--exclude-standard", ...how, "-z", ...part],
			parse: ({ stdout }) => zeroFields(stdout).map(pathText),
		},
	);
}
