import { diffLines } from "../../git/diff-lines.ts";
import { PLAIN } from "../../git/parsing.ts";
import { type GitQuery, runGit } from "../../git/run-git.ts";
import { type Vault, vaultPlace } from "../../git/vault.ts";
import { type InvalidReport, refuse } from "./parsed-report.ts";

export interface ChangedFile {
	readonly path: string;
	/** From 1, ascending. */
	readonly lines: readonly number[];
	/** Number of those that contain a letter or digit and do not start like a comment. */
	readonly written: number;
}

export type ChangedLines =
	| { readonly kind: "changes"; readonly files: ReadonlyMap<string, ChangedFile> }
	| InvalidReport;

const MAX_DIFF = 64 * 1024 * 1024;

/**
 * Lines that differ between two commits. In a renamed file only changed lines count. All files are compared as text,
 * whatever attributes say.
 *
 * @throws Fault `git-failed` when a commit is unknown
 */
export function changedLines(vault: Vault, from: string, to: string): Promise<ChangedLines> {
	return runGit(vaultPlace(vault), changedLinesQuery(from, to));
}

function changedLinesQuery(from: string, to: string): GitQuery<ChangedLines> {
	return {
		args: ["diff-tree", "-r", "-p", "-M", "-U0", "--text", ...PLAIN, from, to, "--"],
		maxStdout: MAX_DIFF,
		parse: ({ stdout, truncated }) =>
			truncated
				? refuse(`the diff is longer than ${MAX_DIFF / 1024 / 1024} MiB`)
				: parseChangedLines(stdout),
	};
}

const WRITTEN = /^(?![ \t]*(?:\/\/|\/\*|\*[\s/]|#\s|--[\s[]|<!--)).*[\p{L}\p{N}]/u;

// Minified code has lines of millions.
const MAX_LOOK = 1_000;

export function parseChangedLines(diff: Buffer): ChangedLines {
	const files = new Map<string, ChangedFile>();
	let file = { path: "", lines: [] as number[], written: 0 };
	for (const { mark, text, at } of diffLines(diff)) {
		if (mark === "broken") return refuse(text);
		if (mark === "+++") {
			file = { path: text, lines: [], written: 0 };
			if (text !== "") files.set(text, file);
		} else if (mark === "+") {
			file.lines.push(at);
			if (WRITTEN.test(text.slice(0, MAX_LOOK))) file.written += 1;
		}
	}
	return { kind: "changes", files };
}
