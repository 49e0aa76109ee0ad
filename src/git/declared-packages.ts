import { type Repository, repositoryPlace } from "./repository.ts";
import { runGit } from "./run-git.ts";

const MANIFESTS =
	"package.json pyproject.toml setup.py setup.cfg Pipfile *requirements*.txt Gemfile"
		.split(" ")
		.map((name) => `:(glob)**/${name}`);

const OWN_NAME = String.raw`\bname["']?\s*[:=]\s*["']?`;

const OWN_MODULES = /^\s*(?:packages|py_modules|include)\s*=/;

/**
 * Those packages that a manifest of a commit names as something that the project needs. The name of the project itself
 * is none: a module of that name may be what a task is to write.
 *
 * @param names as code imports them; one that is published under another name is not found
 * @example `["left-pad", "limiter"]` gives `["left-pad"]` where package.json depends on left-pad
 */
export async function declaredPackages(
	repository: Repository,
	commit: string,
	names: readonly string[],
): Promise<readonly string[]> {
	if (names.length === 0) return [];
	const patterns = names.flatMap((name) => ["-e", name, "-e", name.replaceAll("_", "-")]);
	const lines = await runGit(repositoryPlace(repository), {
		args: ["grep", "-I", "-h", "-w", "-F", "-i", ...patterns, commit, "--", ...MANIFESTS],
		notLiteral: true,
		exitCodes: [0, 1],
		parse: ({ stdout }) => stdout.toString("utf8").split("\n"),
	});
	const needs = lines.filter((line) => !OWN_MODULES.test(line));
	return names.filter((name) => {
		const isOwn = wordOf(name, OWN_NAME);
		const isNamed = wordOf(name);
		return needs.some((line) => isNamed.test(line)) && !lines.some((line) => isOwn.test(line));
	});
}

// `left-pad` is no part of `left-pad-extra`, `a` none of the entry point `a.cli:main` or of `--cov=a`.
function wordOf(name: string, before = ""): RegExp {
	const parts = name.split(/[-_]/).map((part) => part.replace(/[^\w]/g, "\\$&"));
	return new RegExp(`${before}(?<![\\w@/=-])${parts.join("[-_]")}(?![\\w/-]|[.:]\\w)`, "i");
}
