import { importedBy } from "../reading/imported.ts";
import { isCode } from "../reading/test-places.ts";
import type { ChangedTest } from "./changed-tests.ts";

export interface TargetFacts {
	/** Code of the base on the tests' side, and code of the player's product. */
	readonly texts: ReadonlyMap<string, string>;
	readonly isTest: (file: string) => boolean;
}

/**
 * Files of the product that changed tests look at, nearest first: what they, and the tests that use them, import. All of
 * the product where no import says it.
 */
export function targetsOf(changed: readonly string[], { texts, isTest }: TargetFacts): string[] {
	const files = new Set(texts.keys());
	const imports = new Map([...files].map((file) => [file, importedBy(file, { files, texts })]));
	const tests = [...files].filter(isTest);
	const starts = new Set(changed.filter(isTest));
	for (let size = -1; size < starts.size; ) {
		size = starts.size;
		for (const test of tests)
			if (imports.get(test)?.some((file) => starts.has(file)) === true) starts.add(test);
	}
	const near = productFrom([...starts], imports, isTest);
	const isSilent = changed.some((file) => productFrom([file], imports, isTest).length === 0);
	const all = isSilent ? productFrom(tests, imports, isTest) : [];
	const found = [...new Set([...near, ...all])];
	const product =
		found.length > 0 ? found : [...files].filter((file) => isCode(file) && !isTest(file));
	return product.filter((file) => !MADE.test(file));
}

/** Declarations alone, and what a program wrote. */
const MADE = /\.d\.[cm]?ts$|\.min\.[cm]?js$/;

function productFrom(
	starts: readonly string[],
	imports: ReadonlyMap<string, readonly string[]>,
	isTest: (file: string) => boolean,
): string[] {
	const seen = new Set(starts);
	for (const file of seen) for (const target of imports.get(file) ?? []) seen.add(target);
	return [...seen].filter((file) => isCode(file) && !isTest(file));
}

const MODIFIERS =
	"(?:(?:export|default|async|static|public|private|protected|internal|final|override|pub|get|set|readonly)\\s+)*";
const DECLARES: readonly RegExp[] = [
	new RegExp(
		`^\\s*${MODIFIERS}(?:function\\s*\\*?|defp?|fn|func(?:\\s*\\([^)]*\\))?|fun|sub|const|let|var|val)\\s+(?:self\\.)?([\\w$]+)`,
	),
	new RegExp(
		`^\\s*${MODIFIERS}(?:[\\w<>[\\],.]+\\s+)?[*#]?([\\w$]+)\\s*\\([^;]*\\)\\s*(?::[^={]+)?\\{`,
	),
	/^\s*([\w$]+)\s*(?::[^=]+)?=(?![=>])/,
	/^\s*["']?([\w$]+)["']?\s*:\s/,
];
const CONTAINER =
	/^\s*(?:(?:export|default|abstract|public|pub)\s+)*(?:class|module|struct|impl|trait|object|interface)\s+([\w$]+)/;
const KEYWORDS = /^(?:if|for|while|switch|catch|function|return|with|else|do|try|elif|until)$/;

interface Declared {
	readonly name: string;
	readonly isContainer: boolean;
}

function declaredIn(line: string): Declared[] {
	const container = CONTAINER.exec(line)?.[1];
	if (container !== undefined) return [{ name: container, isContainer: true }];
	const names = DECLARES.flatMap((pattern) => pattern.exec(line)?.[1] ?? []);
	const name = names.find((one) => !KEYWORDS.test(one));
	return name === undefined ? [] : [{ name, isContainer: false }];
}

const depthOf = (line: string): number => line.length - line.trimStart().length;

/** Blocks around each line, innermost first, told by names and indentation. */
export function namesAround(text: string): readonly (readonly Declared[])[] {
	const open: { readonly depth: number; readonly declared: readonly Declared[] }[] = [];
	return text.split("\n").map((line) => {
		if (line.trim() === "" || /^\s*[)\]}]/.test(line))
			return open.flatMap(({ declared }) => declared).reverse();
		const depth = depthOf(line);
		while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
		open.push({ depth, declared: declaredIn(line) });
		return open.flatMap(({ declared }) => declared).reverse();
	});
}

export interface ProductFile {
	readonly path: string;
	readonly text: string;
	/** Text on the base; empty where it has none. */
	readonly base: string;
}

/** Lines of a product file to mutate. */
export interface TargetLines extends ProductFile {
	readonly lines: readonly number[];
}

interface PlacedLine {
	readonly file: ProductFile;
	readonly number: number;
	readonly text: string;
	readonly names: readonly Declared[];
	readonly isFresh: boolean;
}

/**
 * The lines of files in tiers. For the names of gone lines of the tests first, then for those around, then for new ones: lines in a function of that name, lines that mention what has that name, lines in functions that the first
 * use, lines in a class of that name. Then the rest; last lines that the turn wrote, which the base's tests cannot know.
 */
export function tiersOf(
	files: readonly ProductFile[],
	changed: readonly ChangedTest[],
): TargetLines[][] {
	const lines = files.flatMap(linesOf);
	const declared = new Set(lines.flatMap(({ names }) => names.map(({ name }) => name)));
	const levels = changed[0]?.words.length ?? 0;
	const ranks = Array.from({ length: levels }, (_, level) => {
		const named = changed.flatMap(({ words }) => [...(words[level] ?? [])]);
		return ranksFor(new Set(named.filter((name) => declared.has(name))), lines);
	}).flat();
	const left = new Set(lines);
	const tiers: PlacedLine[][] = [];
	for (const isIn of [...ranks, () => true]) {
		const found = [...left].filter((line) => !line.isFresh && isIn(line));
		for (const line of found) left.delete(line);
		tiers.push(found);
	}
	return [...tiers, [...left]].map((tier) =>
		[...Map.groupBy(tier, ({ file }) => file)].map(([file, own]) => {
			return { ...file, lines: own.map(({ number }) => number) };
		}),
	);
}

function linesOf(file: ProductFile): PlacedLine[] {
	const before = file.base.split("\n");
	const had = new Set(before.map((line) => line.trim()));
	const known = new Set(before.flatMap(declaredIn).map(({ name }) => name));
	const names = namesAround(file.text);
	return file.text.split("\n").map((text, at) => {
		// A table in one line is the same with one more entry.
		const isKnown = declaredIn(text).some(({ name }) => known.has(name));
		const isFresh = !(isKnown || had.has(text.trim()));
		return { file, number: at + 1, text, names: names[at] ?? [], isFresh };
	});
}

function ranksFor(
	words: ReadonlySet<string>,
	lines: readonly PlacedLine[],
): ((line: PlacedLine) => boolean)[] {
	const stands =
		(known: ReadonlySet<string>, inContainer: boolean) =>
		({ names }: PlacedLine): boolean =>
			names.some(({ name, isContainer }) => isContainer === inContainer && known.has(name));
	const isInside = stands(words, false);
	const inside = lines.filter(isInside);
	const used = new Set(inside.flatMap(({ text }) => text.match(NAME) ?? []));
	const mentions = ({ text }: PlacedLine): boolean =>
		text.match(NAME)?.some((name) => words.has(name)) === true;
	return [isInside, mentions, stands(used, false), stands(words, true)];
}

const NAME = /[A-Za-z_$][\w$]+/g;
