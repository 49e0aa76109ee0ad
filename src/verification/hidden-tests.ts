import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { attempt } from "../kernel/attempt.ts";

const HIDDEN = "(hidden test)";

/** A file by its absolute path, where a stack trace names a line of it. */
const FRAME =
	/(?<![\w.:/])(?:file:\/\/)?\/(?:[^\s:"'`()<>/]+\/)+([^\s:"'`()<>/]+)(?=:\d+|", line \d+)/g;

function namesOf(file: string): RegExp[] {
	const stem = file.replace(/\.\w+$/, "");
	const asModule = stem.includes("/")
		? [`(?<![\\w.])${RegExp.escape(stem.replaceAll("/", "."))}`]
		: [];
	const alone = `(?<![\\w./-])${RegExp.escape(basename(file))}`;
	return [`(?:[^\\s"'\`(<\\[]*/)?(?<![\\w.-])${RegExp.escape(file)}`, ...asModule, alone].map(
		(pattern) => new RegExp(`${pattern}(?![\\w-])`, "g"),
	);
}

/**
 * A text for a player without the paths of a verifier's tests, and without absolute paths in stack traces: `at run
 * (/checkout/test/a.test.js:3:1)` is `at run ((hidden test):3:1)`.
 */
export function withoutTestPaths(text: string, files: readonly string[]): string {
	if (files.length === 0) return text;
	const longestFirst = [...files].sort((a, b) => b.length - a.length);
	const hidden = longestFirst
		.flatMap(namesOf)
		.reduce((rest, pattern) => rest.replaceAll(pattern, HIDDEN), text);
	return hidden.replaceAll(FRAME, "$1");
}

/** A text with the paths below a directory relative to it, as a program prints them that ran there. */
export function relativeTo(text: string, directory: string): string {
	return [realpath(directory), directory].reduce(
		(rest, dir) =>
			rest.replaceAll(new RegExp(`(?:file://)?${RegExp.escape(dir)}(?:/|(?![\\w.-]))`, "g"), ""),
		text,
	);
}

const realpath = (directory: string): string =>
	attempt(() => `${realpathSync(dirname(directory))}/${basename(directory)}`, directory);

const INSTRUCTIONS =
	/(?:^|\/)(?:(?:AGENTS|CLAUDE|GEMINI|COPILOT|CONVENTIONS|SOPS?)(?:\.\w+)*\.md|copilot-instructions\.md|\.(?:cursor|windsurf|cline)rules|\.aider\.conf\.yml)$|(?:^|\/)(?:\.cursor|\.claude|\.agents|\.windsurf|\.github\/instructions)\//i;

const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc|org)$/i;
const HOUSE_FOLDER = /(?:^|\/)(?:docs?|sops?)\//i;

/**
 * Tells whether a file says how the house builds rather than what was asked for: a verifier that reads it shares the
 * builder's view. `AGENTS.md` and `docs/style.md` do, `docs/openapi.yaml` does not.
 */
export function isHouseRule(path: string, contextFiles: readonly string[]): boolean {
	if (INSTRUCTIONS.test(path)) return true;
	return PROSE.test(path) && (HOUSE_FOLDER.test(path) || contextFiles.includes(path));
}
