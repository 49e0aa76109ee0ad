import { Fault } from "../kernel/fault.ts";

/** What git says when a filter that must not fail did: the file, the kind, and the filter. */
const FAILED = /^fatal: (.+): (clean|smudge) filter '?(.+?)'? failed$/m;

/** Characters of a program's words that are shown. */
const LONGEST_WORDS = 500;

/**
 * The fault for a git command that ended because a required filter failed; null when that is not why.
 *
 * @param words what git wrote to standard error
 */
export function filterFault(words: string, where: string): Fault | null {
	const [, file = "", kind, name = ""] = FAILED.exec(words) ?? [];
	if (kind === undefined) return null;
	const own = words
		.split("\n")
		.filter(
			(line) =>
				!/^(?:fatal|error): |^Downloading |^$|git lfs logs last|^Errors logged to/.test(line),
		);
	const said = own.join(" ").slice(0, LONGEST_WORDS);
	const missing = name === "lfs" && kind === "smudge";
	const what = missing
		? `the content of ${file} is not in the repository's Git LFS store`
		: `the ${kind} filter ${name} failed for ${file}`;
	return new Fault(`${what} (checkout ${where})${said === "" ? "" : `: ${said}`}`, {
		code: "git-failed",
		hint: missing
			? "Fetch it with `git lfs pull` (or `git lfs fetch origin BRANCH`), then resume."
			: `See what \`git config --get-regexp '^filter\\.${name}\\.'\` runs, repair it, then resume.`,
	});
}
