import { posix } from "node:path";
import type { TestCase } from "../../evidence/evidence.ts";
import { pathMatcher } from "../../evidence/path-match.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { Allowance, AllowedKind } from "../../workflow/workflow.ts";
import { declared } from "./declarations.ts";

const KINDS: Readonly<Record<FileChange["kind"], readonly AllowedKind[]>> = {
	added: ["edit"],
	modified: ["weaken", "skip", "edit"],
	deleted: ["delete"],
	"type-changed": [],
};

/**
 * Tells whether the task allows what was done to a file, so that a replay takes the player's version of it.
 *
 * @param bySkip whether who lets tests be skipped lets their whole file change, as where tests have no names
 */
export function allowedChange(
	allow: readonly Allowance[],
	bySkip = true,
): (change: Pick<FileChange, "path" | "kind">) => boolean {
	const rules = allow
		.filter(({ change }) => bySkip || change !== "skip")
		.map(({ path: glob, change }) => ({ matches: pathMatcher([glob]), change }));
	return ({ path: file, kind }) =>
		rules.some(({ matches, change }) => KINDS[kind].includes(change) && matches(file));
}

/** Tells whether a file brings no tests, and another one of these texts names it. */
export function isRead(file: string, texts: ReadonlyMap<string, string>): boolean {
	const name = posix.basename(file);
	const isNamed = [...texts].some(([path, text]) => path !== file && text.includes(name));
	return isNamed && declared(texts.get(file) ?? "", file) === 0;
}

export interface Excuses {
	readonly isExcused: (caseId: string) => boolean;
	/** The number of tests, where they have no names. */
	readonly excused: number;
}

/** A file with its text at the base, empty where it is missing. */
export interface BaseText {
	readonly path: string;
	readonly text: string;
}

/** The lines of a text that another one no longer has. */
export function goneLines(base: string, head: string): string {
	const kept = new Set(head.split("\n"));
	return base
		.split("\n")
		.filter((line) => !kept.has(line))
		.join("\n");
}

/** Excuses the tests that allowed changes of files are about. */
export function excusesIn(files: readonly BaseText[]): Excuses {
	return {
		isExcused: (id) => files.some(({ path, text }) => isCaseOf(id, path, text)),
		excused: files.reduce((sum, { path, text }) => sum + declared(text, path), 0),
	};
}

/** Excuses exactly these tests, by the names that a file gives them. */
export function excusesOf(names: readonly string[]): Excuses {
	const patterns = names.map((name) => {
		const quoted = name.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
		// Parts that a template or a table fills.
		const filled = quoted.replaceAll(/\*|%[a-zA-Z#]|\\\$[\w.]+/g, ".*");
		return new RegExp(`(?:^|> |[.:])${filled}(?:$| #|[[(]| \\()`, "s");
	});
	return {
		isExcused: (id) => patterns.some((pattern) => pattern.test(id)),
		excused: names.length,
	};
}

/** Tells of a file whether only skipped tests of it may go. */
export function bySkipAlone(allow: readonly Allowance[]): (path: string) => boolean {
	const [isAllowed, isFree] = [allowedChange(allow), allowedChange(allow, false)];
	return (path) => isAllowed({ path, kind: "modified" }) && !isFree({ path, kind: "modified" });
}

/**
 * Tells of a case, by its file and the name that it has there, whether a run skips it: all are skipped that have the name.
 *
 * @param cases null where some have no names, and so each may be skipped
 */
export function skippedIn(
	cases: readonly TestCase[] | null,
): (path: string, name: string) => boolean {
	if (cases === null) return () => true;
	return (path, name) => {
		const { isExcused } = excusesOf([name]);
		const named = cases.filter(({ id }) => isExcused(id));
		const here = named.filter(({ id }) => isCaseOf(id, path, ""));
		const meant = here.length > 0 ? here : named;
		return meant.length > 0 && meant.every(({ status }) => status === "skipped");
	};
}

/** Joins excuses: either of them is enough. */
export function joinedExcuses(one: Excuses, other: Excuses): Excuses {
	return {
		isExcused: (id) => one.isExcused(id) || other.isExcused(id),
		excused: one.excused + other.excused,
	};
}

/**
 * Tells whether a test case comes from a file: its id contains the file or its module, or the file's text contains its name.
 *
 * @param text of the file at the base
 * @example the case `test/a.test.js > adds` comes from `test/a.test.js`
 */
export function isCaseOf(id: string, file: string, text: string): boolean {
	const module = file.replace(/\.\w+$/, "").replaceAll("/", ".");
	if (id.includes(file) || id.includes(module)) return true;
	const name = (id.split(" > ").at(-1) ?? id).replace(/ #\d+$/, "").replace(/\[.*\]$/, "");
	const isQuoted = ['"', "'", "`"].some((quote) => text.includes(`${quote}${name}${quote}`));
	return isQuoted || (name.length > 2 && text.includes(name)) || isMadeFrom(name, file, text);
}

function isMadeFrom(name: string, file: string, text: string): boolean {
	const begins = [...text.matchAll(/["'`]([^"'`$\n]{3,}?)(?:["'`]|\$\{)/g)].some(
		([, part = ""]) => /\p{L}{3}/u.test(part) && name.startsWith(part),
	);
	const words = new Set(wordsOf(name));
	const isListed =
		begins ||
		text.split("\n").some((line) => {
			const listed = wordsOf(line);
			return listed.length > 1 && listed.every((word) => words.has(word));
		});
	// Asked last: it reads the whole file, and the cases are many.
	return isListed && declared(text, file) === 0;
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
