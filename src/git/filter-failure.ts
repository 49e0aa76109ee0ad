import { Fault } from "../kernel/fault.ts";

const FAILED = /^fatal: (.+): (clean|smudge) filter '?(.+?)'? failed$/m;

const LONGEST_WORDS = 500;

/** Fault for a git command that failed because of a required filter; null when there was another reason. */
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
		: `the ${kind} command of the filter ${name} failed for ${file}`;
	return new Fault(`${what} (checkout ${where})${said === "" ? "" : `: ${said}`}`, {
		code: "git-failed",
		hint: missing
			? "Fetch it with `git lfs pull` (or `git lfs fetch origin BRANCH`), then try again. To go on with pointers: `git lfs install --local --skip-smudge`."
			: `Show the command with \`git config --get-regexp '^filter\\.${name}\\.'\`, fix it, then try again.`,
	});
}
