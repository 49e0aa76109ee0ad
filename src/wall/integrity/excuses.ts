import { posix } from "node:path";
import type { TestCase } from "../../evidence/evidence.ts";
import { pathMatcher } from "../../evidence/path-match.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { Allowance, AllowedKind } from "../../workflow/workflow.ts";
import { type CaseHomes, caseHomes, hasTitle, moduleOf, titleOf } from "./case-homes.ts";
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

/** Tells whether a case is one of a file's: it names the file, or it names none and the file has its title. */
export function isOwnCase(id: string, { path, text }: BaseText, homes: CaseHomes): boolean {
	const home = homes.fileOf(id);
	// Helpers and data are read by the cases of any file.
	return home === null || !homes.hasTests(path) ? isCaseOf(id, path, text) : home === path;
}

/** Homes of cases, among these files alone. */
export const homesAmong = (files: readonly BaseText[]): CaseHomes =>
	caseHomes(
		files.map(({ path }) => path),
		new Map(files.map(({ path, text }) => [path, text])),
	);

/**
 * Excuses the tests that allowed changes of files are about. What another file may have as well is not excused: nobody can
 * say whose it is.
 */
export function excusesIn(files: readonly BaseText[], homes: CaseHomes): Excuses {
	const paths = new Set(files.map(({ path }) => path));
	const beside = files.filter(({ path }) => !homes.hasTests(path));
	const isIn = (id: string, some: readonly BaseText[]): boolean =>
		some.some(({ path, text }) => isCaseOf(id, path, text));
	return {
		isExcused: (id) => {
			if (isIn(id, beside)) return true;
			const home = homes.fileOf(id);
			if (home !== null) return paths.has(home);
			return isIn(id, files) && homes.mayBeOf(id).every((path) => paths.has(path));
		},
		excused: files.reduce((sum, { path, text }) => sum + declared(text, path), 0),
	};
}

/** Cases of a file by the names that it gives them. */
export interface NamedCases {
	readonly path: string;
	readonly names: readonly string[];
	/** Names of its other cases: what fits one of them better is not meant. */
	readonly others: readonly string[];
}

/** Excuses exactly these tests. */
export function excusesOf(files: readonly NamedCases[], homes: CaseHomes): Excuses {
	const known = files.map(({ path, names, others }) => {
		return { path, wanted: new Set(names), nameOf: namer([...names, ...others]) };
	});
	return {
		isExcused: (id) => {
			const home = homes.fileOf(id);
			const having = known.filter(
				({ path, wanted, nameOf }) =>
					(home === null || home === path) && wanted.has(nameOf(id) ?? ""),
			);
			const paths = having.map(({ path }) => path);
			return paths.length > 0 && homes.mayBeOf(id).every((path) => paths.includes(path));
		},
		excused: known.reduce((sum, { wanted }) => sum + wanted.size, 0),
	};
}

/** Finds the name of a file that a case has there: the longest that fits. */
function namer(names: readonly string[]): (id: string) => string | null {
	const patterns = [...new Set(names)]
		.toSorted((one, other) => other.length - one.length)
		.map((name) => {
			const quoted = name.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
			// Parts that a template or a table fills.
			const filled = quoted.replaceAll(/\*|%[a-zA-Z#]|\\\$[\w.]+/g, ".*");
			return { name, pattern: new RegExp(`(?:^|> |[.:])${filled}(?:$| #|[[(]| \\()`, "s") };
		});
	return (id) => patterns.find(({ pattern }) => pattern.test(id))?.name ?? null;
}

/** Cases of a file that stand empty in a replay. */
export interface EmptyCases extends NamedCases {
	/** By name, how many. */
	readonly emptied: ReadonlyMap<string, number>;
}

/** Cases of a run that pass since they stand empty; of a run without names their number alone. */
export interface Empty {
	readonly cases: ReadonlySet<TestCase>;
	readonly count: number;
}

export type EmptyFinder = (cases: readonly TestCase[] | null) => Empty;

/** Finds the cases of a run that pass since they stand empty. Of those that share a name as many as are empty. */
export function emptyIn(files: readonly EmptyCases[], homes: CaseHomes): EmptyFinder {
	return (cases) => {
		if (cases === null) {
			const counts = files.flatMap(({ emptied }) => [...emptied.values()]);
			return { cases: new Set(), count: counts.reduce((sum, count) => sum + count, 0) };
		}
		const passed = cases.filter(({ status }) => status === "passed");
		const found = new Set(files.flatMap((file) => emptyOf(file, passed, homes)));
		return { cases: found, count: found.size };
	};
}

function emptyOf(
	{ path, names, others, emptied }: EmptyCases,
	passed: readonly TestCase[],
	homes: CaseHomes,
): readonly TestCase[] {
	const nameOf = namer([...names, ...others]);
	const here = passed.filter(({ id }) => [path, null].includes(homes.fileOf(id)));
	const byName = Map.groupBy(here, ({ id }) => nameOf(id));
	const isElsewhere = ({ id }: TestCase): boolean =>
		homes.mayBeOf(id).some((other) => other !== path);
	return [...emptied].flatMap(([name, count]) => {
		const named = byName.get(name) ?? [];
		const isShared = others.includes(name) || named.some(isElsewhere);
		return isShared ? named.slice(0, count) : named;
	});
}

/** Tells of a file whether only skipped tests of it may go. */
export function bySkipAlone(allow: readonly Allowance[]): (path: string) => boolean {
	const [isAllowed, isFree] = [allowedChange(allow), allowedChange(allow, false)];
	return (path) => isAllowed({ path, kind: "modified" }) && !isFree({ path, kind: "modified" });
}

/** Number of the cases that have a name, and of those among them that were skipped. */
export interface NamedFate {
	readonly total: number;
	readonly skipped: number;
}

/** Tells of the cases of a file, by the names that it has, what became of them in a run. */
export function skippedIn(
	cases: readonly TestCase[],
	homes: CaseHomes,
): (path: string, names: readonly string[]) => (name: string) => NamedFate {
	return (path, names) => {
		const nameOf = namer(names);
		const own = cases.filter(({ id }) => homes.fileOf(id) === path);
		const mine = own.length > 0 ? own : cases.filter(({ id }) => homes.fileOf(id) === null);
		const byName = Map.groupBy(mine, ({ id }) => nameOf(id));
		return (name) => {
			const named = byName.get(name) ?? [];
			const skipped = named.filter(({ status }) => status === "skipped");
			return { total: named.length, skipped: skipped.length };
		};
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
	const module = moduleOf(file);
	// Of one word it may be any: node:test calls each file `test`.
	const isTold = module.includes(".") || file.endsWith(".py");
	if (id.includes(file) || (isTold && id.includes(module))) return true;
	const name = titleOf(id);
	return hasTitle(text, name) || isMadeFrom(name, file, text);
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
