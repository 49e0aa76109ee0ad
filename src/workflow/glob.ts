import picomatch from "picomatch";
import { pathProblem } from "./relative-path.ts";

/**
 * A glob as it is matched: relative to the repository root, without slashes at its ends, empty parts and `.`
 * beside other names. `.` alone stays, and matches all files.
 *
 * @example `bareGlob("./test//a/")` is `"test/a"`
 */
export function bareGlob(glob: string): string {
	return glob
		.replace(/\/(?:\.?\/)+/g, "/")
		.replace(/^(?:\.?\/)+/, "")
		.replace(/\/\.?$/, "");
}

export interface GlobProblem {
	readonly message: string;
	readonly hint: string;
}

/**
 * Finds what is wrong with a glob: it names no file of a repository, or a bracket is open, which is nearly always a
 * slip that would protect nothing; whoever means the character escapes it. Looks at the text only.
 */
export function globProblem(glob: string): GlobProblem | undefined {
	const bare = bareGlob(glob);
	if (bare === "")
		return { message: "names no file", hint: 'write "**" for all files of the repository' };
	const isOutside = bare.split("/").includes("..") || /^[A-Za-z]:[/\\]/.test(bare);
	if (isOutside || bare.includes("\0"))
		return {
			message: pathProblem(bare) ?? 'must not have ".." as a folder',
			hint: "write the files as seen from the repository root",
		};
	return syntaxProblem(bare);
}

const CLOSING: Readonly<Record<string, string>> = { "]": "[", "}": "{", ")": "(" };

function syntaxProblem(glob: string): GlobProblem | undefined {
	try {
		// `debug` lets a pattern that gives no regular expression throw; without it, it matches nothing.
		picomatch.makeRe(glob, { dot: true, debug: true, strictBrackets: true });
		return undefined;
	} catch (error) {
		const said = error instanceof Error ? error.message : "";
		// As in a shell, what closes nothing stands for itself: `[[...slug]]` is a folder of Next.js.
		if (said.startsWith("Missing opening")) return undefined;
		const [, closing = ""] = /^Missing closing: "(.)"/.exec(said) ?? [];
		const opening = CLOSING[closing];
		return opening === undefined
			? { message: "is not a valid glob", hint: "see its ranges, as in [a-z], and its backslashes" }
			: {
					message: `is not a valid glob: "${opening}" is not closed`,
					hint: `add "${closing}", or write \\${opening} for the character itself`,
				};
	}
}
