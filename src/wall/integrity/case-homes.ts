import { declared } from "./declarations.ts";

/** Tells which file of the base's tests a case is of, by what its name says. */
export interface CaseHomes {
	/** The test file that the case names; null where it names none, as those of node:test. */
	readonly fileOf: (caseId: string) => string | null;
	/** The file that the case names; of one that names none, all that changed and declare its title. */
	readonly mayBeOf: (caseId: string) => readonly string[];
	/** Tells whether a file has tests of its own: a helper and data have none, and may be read by the cases of any file. */
	readonly hasTests: (path: string) => boolean;
}

/** Title of a case without its groups and parameters. @example `"tests.test_a > test_adds[1]"` has `"test_adds"` */
export const titleOf = (id: string): string =>
	(id.split(" > ").at(-1) ?? id).replace(/ #\d+$/, "").replace(/\[.*\]$/, "");

const isQuoted = (text: string, title: string): boolean =>
	['"', "'", "`"].some((quote) => text.includes(`${quote}${title}${quote}`));

/** Tells whether a text has a title: in quotes, or as letters, of which three or more are no chance. */
export const hasTitle = (text: string, title: string): boolean =>
	isQuoted(text, title) || (title.length > 2 && text.includes(title));

/** Tells whether a text declares a test of this title; a word in a comment does not. */
function declaresTitle(text: string, title: string): boolean {
	if (isQuoted(text, title)) return true;
	const declares = /\b(?:def|fn|fun|func|function|void|sub)\s+$/;
	for (let at = text.indexOf(title); at !== -1; at = text.indexOf(title, at + 1))
		if (declares.test(text.slice(Math.max(0, at - 20), at))) return true;
	return false;
}

/**
 * Finds the homes of cases. One that names no file may be of any that has its title, so that nobody can say whose it is
 * where two have it.
 *
 * @param paths all files of the base's tests
 * @param texts of those that the work changed, at the base: only their cases can be others now
 */
export function caseHomes(paths: Iterable<string>, texts: ReadonlyMap<string, string>): CaseHomes {
	// The longest first: `test_b.py` is also the end of `tests/test_b.py`.
	const named = [...paths]
		.map((path) => ({ path, module: path.replace(/\.\w+$/, "").replaceAll("/", ".") }))
		.toSorted((one, other) => other.path.length - one.path.length);
	const found = new Map<string, string | null>();
	const fileOf = (id: string): string | null => {
		const known = found.get(id);
		if (known !== undefined) return known;
		const parts = id.split(" > ");
		// A title may speak of another file, and has the module's name behind a bracket if at all, as unittest's.
		const homes = parts.map((part, at) => {
			const before = at === parts.length - 1 ? "(" : "";
			return named.find(
				({ path, module }) => isWordOf(part, path) || isWordOf(part, `${before}${module}`),
			);
		});
		found.set(id, homes.find((home) => home !== undefined)?.path ?? null);
		return found.get(id) ?? null;
	};
	return {
		fileOf,
		mayBeOf: (id) => {
			const home = fileOf(id);
			if (home !== null) return [home];
			const title = titleOf(id);
			return [...texts].flatMap(([path, text]) => (declaresTitle(text, title) ? [path] : []));
		},
		hasTests: (path) => declared(texts.get(path) ?? "", path) > 0,
	};
}

const isWordSign = (sign: string | undefined): boolean => sign !== undefined && /[\w-]/.test(sign);

function isWordOf(id: string, word: string): boolean {
	for (let at = id.indexOf(word); at !== -1; at = id.indexOf(word, at + 1))
		if (!isWordSign(id[at - 1]) && !isWordSign(id[at + word.length])) return true;
	return false;
}
