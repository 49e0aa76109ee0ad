import { isCode } from "../reading/test-places.ts";
import { declared } from "./declarations.ts";

/** Tells which file of the base's tests a case is of, by what its name says. */
export interface CaseHomes {
	/** The test file that the case names; null where it names none, as those of node:test. */
	readonly fileOf: (caseId: string) => string | null;
	/** The file that the case names; of one that names none, all that declare its title. */
	readonly mayBeOf: (caseId: string) => readonly string[];
	/** Tells whether a file has tests of its own: a helper and data have none, and may be read by the cases of any file. */
	readonly hasTests: (path: string) => boolean;
}

/** Title of a case without its groups and parameters. @example `"tests.test_a > test_adds[1]"` has `"test_adds"` */
export const titleOf = (id: string): string => bare(id.split(" > ").at(-1) ?? id);

const bare = (title: string): string => title.replace(/ #\d+$/, "").replace(/\[.*\]$/, "");

/** Titles that a case may have: a title may hold what stands between groups. @example `a > b > c` may be `b > c` or `c` */
function titlesOf(id: string): readonly string[] {
	const parts = id.split(" > ");
	return parts.map((_, at) => bare(parts.slice(at).join(" > ")));
}

/** Tells whether a title stands in quotes: as it is, with its own quotes escaped, or as a template or a sum makes it. */
function isQuoted(text: string, title: string): boolean {
	const isWhole = ['"', "'", "`"].some((quote) =>
		text.includes(`${quote}${title.replaceAll(quote, `\\${quote}`)}${quote}`),
	);
	return isWhole || templatesIn(text).some((pattern) => pattern.test(title));
}

const TEMPLATE =
	/`([^`\n]*\$\{[^`\n]*)`|["']([^"'\n]*%[a-zA-Z#][^"'\n]*)["']|["']([^"'\n]+)["']\s*\+/g;
const FILLED = /\$\{[^}]*\}|%[a-zA-Z#]/;

const known = new Map<string, readonly RegExp[]>();
const MOST_KNOWN = 200;

/** Patterns of the titles that a text puts together. Three letters of each have to stand there: fewer fit any title. */
function templatesIn(text: string): readonly RegExp[] {
	const found =
		known.get(text) ??
		[...text.matchAll(TEMPLATE)].flatMap(([, template, format, begin]) => {
			const parts = (template ?? format ?? `${begin}%s`).split(FILLED);
			const isTold = parts.some((part) => /\p{L}{3}/u.test(part));
			return isTold
				? [new RegExp(`^${parts.map((part) => RegExp.escape(part)).join(".*")}$`, "s")]
				: [];
		});
	if (known.size >= MOST_KNOWN) known.clear();
	known.set(text, found);
	return found;
}

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
 * @param texts of those among which one without a name is looked for, at the base
 */
export function caseHomes(paths: Iterable<string>, texts: ReadonlyMap<string, string>): CaseHomes {
	// The longest first: `test_b.py` is also the end of `tests/test_b.py`. Only Python's runners name modules.
	const named = [...paths]
		.filter(isCode)
		.map((path) => ({ path, module: path.endsWith(".py") ? moduleOf(path) : null }))
		.toSorted((one, other) => other.path.length - one.path.length);
	const found = new Map<string, string | null>();
	const fileOf = (id: string): string | null => {
		const before = found.get(id);
		if (before !== undefined) return before;
		const parts = id.split(" > ");
		const groups = parts.length === 1 ? parts : parts.slice(0, -1);
		// A title alone may speak of other files, and has its own at its beginning, or behind a bracket as unittest's.
		const [path, bracket] = parts.length === 1 ? ["^", "("] : ["", ""];
		const homes = groups.map((group) =>
			named.find(
				(one) =>
					isWordOf(`${path}${group}`, `${path}${one.path}`) ||
					(one.module !== null && isWordOf(group, `${bracket}${one.module}`)),
			),
		);
		found.set(id, homes.find((home) => home !== undefined)?.path ?? null);
		return found.get(id) ?? null;
	};
	return {
		fileOf,
		mayBeOf: (id) => {
			const home = fileOf(id);
			if (home !== null) return [home];
			const titles = titlesOf(id);
			return [...texts].flatMap(([path, text]) =>
				titles.some((title) => declaresTitle(text, title)) ? [path] : [],
			);
		},
		hasTests: (path) => declared(texts.get(path) ?? "", path) > 0,
	};
}

export const moduleOf = (path: string): string => path.replace(/\.\w+$/, "").replaceAll("/", ".");

const isWordSign = (sign: string | undefined): boolean => sign !== undefined && /[\w-]/.test(sign);

function isWordOf(id: string, word: string): boolean {
	for (let at = id.indexOf(word); at !== -1; at = id.indexOf(word, at + 1))
		if (!isWordSign(id[at - 1]) && !isWordSign(id[at + word.length])) return true;
	return false;
}
