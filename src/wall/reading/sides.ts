import path from "node:path";
import { pathMatcher } from "../../evidence/path-match.ts";
import { isManifest } from "../../setups/setup-key.ts";
import { IMPLIED, MAKEFILE } from "./command-words.ts";
import {
	importedBy,
	type Mentions,
	mentionsOf,
	otherPlaces,
	placesIn,
	type TreeTexts,
} from "./imported.ts";
import { drawClasses, foldersOf, type Grown, isProse, type PathClass } from "./path-classes.ts";
import { isLibraryModule } from "./python-library.ts";
import { parsePackage } from "./runner-config.ts";
import { isShared } from "./shared-files.ts";
import { isAsset, isCode, isShell, isTestByName } from "./test-places.ts";

export interface SideFacts extends TreeTexts {
	readonly followed: ReadonlySet<string>;
	readonly words: ReadonlySet<string>;
	/** `tests` of the checks; undefined: the files are found. */
	readonly globs: readonly string[] | undefined;
}

/** Reason for which a file is on the tests' side. */
export type SideReason = "glob" | "name" | "command" | "imported" | "read";

/** The line between product and tests. */
export interface Sides {
	/** The base's files on the tests' side, with the first reason that was found. */
	readonly tests: ReadonlyMap<string, SideReason>;
	/** Tells whether a file that the base does not have would be on the tests' side. */
	readonly isTestWhenNew: (file: string) => boolean;
	/** Words of the checks' commands and of the scripts behind them. */
	readonly words: ReadonlySet<string>;
	/** Tells whether something that may decide how work is judged names a file: commands, scripts, settings, tests. */
	readonly isNamed: (file: string) => boolean;
	/**
	 * Words of the commands, and of all that may decide how work is judged and runs make; null where a line that runs it is put
	 * together.
	 */
	readonly wordsBesideMake: () => ReadonlySet<string> | null;
	/** Class of a path of the base or of a new one, with the code that the change adds. */
	readonly classOf: (file: string, grown: Grown) => PathClass;
	/** The files that are imported now, and instead of which a new file may be found: which one comes first is the loader's. */
	readonly displacedBy: (file: string) => readonly string[];
	/** The base's code on the tests' side that leads to one of the files by imports. */
	readonly testsOf: (files: readonly string[]) => readonly string[];
}

/**
 * Draws the line between product and tests.
 *
 * On the tests' side are: files that a check's `tests` names, or else files by name and place (`isTestByName`), helpers
 * that only tests import, and data that tests read and the product does not; always what the checks' commands run and
 * are configured by. In doubt a file is on the tests' side. The unit under test never is: what the product imports, what
 * a package starts with, and code that only tests import but that looks like no helper.
 */
export function drawSides(facts: SideFacts): Sides {
	const tests = new Map<string, SideReason>();
	const put = (file: string, reason: SideReason): void => {
		if (facts.files.has(file) && !tests.has(file)) tests.set(file, reason);
	};
	const named = facts.globs === undefined ? isTestByName : pathMatcher(facts.globs);
	for (const file of facts.files) if (named(file)) put(file, facts.globs ? "glob" : "name");
	for (const file of facts.followed) put(file, "command");
	if (facts.globs === undefined) {
		for (const file of besideRunners(facts, tests)) put(file, "command");
		for (const file of helpersOf(facts, tests)) put(file, "imported");
		for (const file of dataOf(facts, tests)) put(file, "read");
	}
	const places = testPlaces(facts.files, tests);
	const isTestWhenNew = (file: string): boolean =>
		named(file) ||
		(facts.globs !== undefined && isTestByName(file)) ||
		facts.followed.has(file) ||
		places.has(path.posix.dirname(file));
	const classes = drawClasses(facts, tests, entriesOf(facts.texts));
	const others = otherPlaces(facts);
	let importers: ReturnType<typeof importersIn> | undefined;
	const folders = new Set([...facts.files].flatMap(foldersOf)).add(".");
	// It would map names and settings for code that is there.
	const governs = (file: string): boolean =>
		isShared(file) && folders.has(path.posix.dirname(file));
	let known: Named | undefined;
	const naming = (): Named => {
		known ??= namedIn(facts, (one) => classes(one, NOTHING_GROWN) !== "product");
		return known;
	};
	return {
		tests,
		isTestWhenNew,
		words: facts.words,
		isNamed: (file) => isNamedBy(file, naming()),
		wordsBesideMake: () => wordsBesideMake(facts, naming()),
		classOf: (file, grown) => {
			if (facts.files.has(file)) return classes(file, grown);
			if (isTestWhenNew(file) || governs(file)) return "apparatus";
			// What imports of a part of the product may lead to now takes its place.
			const parts = [...(others.get(file) ?? [])];
			return parts.some((part) => classes(part, grown) === "product")
				? "product"
				: classes(file, grown);
		},
		displacedBy: (file) => {
			const known = others.get(file);
			if (known !== undefined) return [...known];
			return hidesLibrary(file, facts.files) ? [LIBRARY] : [];
		},
		testsOf: (wanted) => {
			importers ??= importersIn(facts);
			const found = new Set(wanted);
			for (const file of found) for (const one of importers.get(file) ?? []) found.add(one.file);
			return [...found].filter((file) => tests.has(file));
		},
	};
}

const NOTHING_GROWN: Grown = new Map();

/** Texts that may name a file: words of the commands, and all texts but the product's. */
interface Named {
	readonly words: ReadonlySet<string>;
	readonly others: readonly (readonly [path: string, text: string])[];
	/** Words of both. */
	readonly names: ReadonlySet<string>;
}

function namedIn(
	{ texts, words }: Pick<SideFacts, "texts" | "words">,
	isOther: (file: string) => boolean,
): Named {
	const others = [...texts].filter(([file]) => isOther(file) || isManifest(file));
	return { words, others, names: new Set([...words, ...mentionsOf(others)]) };
}

/** A folder counts where a command names it: lists of packages and of what is published name many. */
function isNamedBy(file: string, { words, others, names }: Named): boolean {
	const { base, name } = path.posix.parse(file);
	const folders = new Set([...words].map((word) => path.posix.basename(word)));
	const isRun = (program: RegExp): boolean =>
		[...words].some((word) => program.test(word)) ||
		others.some(
			([other, text]) =>
				other !== file && (isShell(other) || !isCode(other)) && runs(text, program),
		);
	const program = IMPLIED.find(([, by]) => by.test(base))?.[0];
	// Who publishes it names it, too.
	if (program !== undefined) return words.has(file) || isRun(program);
	return (
		names.has(base) ||
		names.has(name) ||
		foldersOf(file).some((folder) => folders.has(path.posix.basename(folder)))
	);
}

/** A name by which a text runs make. */
const MAKES = /make\b/i;
/** A part of a line that is put together, or that goes on. */
const PUT_TOGETHER = /[$*'"+(]|\\$/;

function wordsBesideMake(
	{ texts, words }: Pick<SideFacts, "texts" | "words">,
	{ others }: Named,
): ReadonlySet<string> | null {
	const shells = [...texts].filter(([file]) => isShell(file));
	const settings = others.filter(([file]) => !isCode(file) && !isProse(file));
	const saying = [...settings, ...shells].flatMap(([file, text]) => {
		const isMakefile = MAKEFILE.test(path.posix.basename(file));
		const lines = text.split("\n").filter((line) => !isComment(line) && MAKES.test(line));
		return isMakefile || lines.length === 0 ? [] : [{ text, lines }];
	});
	if (saying.some(({ lines }) => lines.some((line) => PUT_TOGETHER.test(line)))) return null;
	const found = saying.flatMap(({ text }) => text.replaceAll("./", " ").match(/[\w.:/-]+/g) ?? []);
	return new Set([...words, ...found]);
}

const isComment = (line: string): boolean => /^\s*(?:#|\/\/)/.test(line);

/** Tells whether a line of a text that is no comment has the name of a program as a word. */
function runs(text: string, program: RegExp): boolean {
	const lines = text.split("\n").filter((line) => !isComment(line));
	return lines.some((line) => line.match(/[\w-]+/g)?.some((word) => program.test(word)) === true);
}

function importersIn({ files, texts }: TreeTexts) {
	const pairs = [...texts.keys()]
		.filter(isCode)
		.flatMap((file) => importedBy(file, { files, texts }).map((target) => ({ file, target })));
	return Map.groupBy(pairs, ({ target }) => target);
}

const LIBRARY = "the library's module";

/** Tells whether Python would find a new module before one of its library, of which the base has no part. */
function hidesLibrary(file: string, files: ReadonlySet<string>): boolean {
	const bare = file.replace(/^(?:src|lib|tests?)\//, "");
	if (!file.endsWith(".py") || !isLibraryModule(bare)) return false;
	const place = file.slice(0, file.length - bare.length) + (bare.split("/")[0] ?? "");
	return ![...files].some(
		(other) => other === place || other.startsWith(`${place.replace(/\.py$/, "")}/`),
	);
}

const HELPER =
	/(?:^|[/._-])(?:helpers?|harness|mocks?|stubs?|fakes?|support|factor(?:y|ies)|builders?|asserts?|assertions?|expect|chai|should|matchers?|vendor|third_party|setup|runner|testkit|test[-_]?utils?|tap|tape|mini[-_]?test)(?:[/._-]|$)/i;

const TESTING =
	/["'](?:node:)?(?:assert(?:\/strict)?|test)["']|["'](?:vitest|@jest\/globals|chai|mocha|uvu|ava|tape)["']|^[ \t]*(?:import|from)[ \t]+(?:pytest|unittest)\b|\bAssertionError\b|^[ \t]*(?:function[ \t]+)?(?:assert|expect|check|fail|pass|ok|die|is)\w*[ \t]*\(\)/m;

const PRODUCT = /^(?:src|lib|app|apps|packages|server|client|pkg|cmd|internal|core|bin|dist)$/;

/** Files in the folder of a program that checks run, or below it, where that folder is not the product's. */
function besideRunners(
	{ files, texts, followed }: SideFacts,
	tests: ReadonlyMap<string, unknown>,
): string[] {
	const folders = [...followed]
		.filter((file) => isCode(file))
		.map((file) => path.posix.dirname(file))
		.filter((folder) => folder !== "." && !PRODUCT.test(path.posix.basename(folder)));
	const product = [...texts.keys()].filter(
		(file) =>
			isCode(file) && !tests.has(file) && !folders.some((folder) => file.startsWith(`${folder}/`)),
	);
	const used = new Set(product.flatMap((file) => importedBy(file, { files, texts })));
	return [...files].filter(
		(file) => folders.some((folder) => file.startsWith(`${folder}/`)) && !used.has(file),
	);
}

function* helpersOf({ files, texts }: SideFacts, tests: ReadonlyMap<string, unknown>) {
	const queue = [...tests.keys()].filter((file) => texts.has(file));
	const product = [...texts.keys()].filter((file) => isCode(file) && !tests.has(file));
	const targetsOf = (file: string): string[] => importedBy(file, { files, texts });
	const usedByProduct = new Set([...entriesOf(texts), ...product.flatMap(targetsOf)]);
	const seen = new Set<string>();
	for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
		for (const target of targetsOf(file)) {
			if (seen.has(target) || tests.has(target)) continue;
			seen.add(target);
			const looks = HELPER.test(target) || TESTING.test(texts.get(target) ?? "");
			if (!looks || usedByProduct.has(target)) continue;
			yield target;
			queue.push(target);
		}
	}
}

function entriesOf(texts: ReadonlyMap<string, string>): string[] {
	const manifest = parsePackage(texts.get("package.json") ?? null);
	return ["main", "module", "exports", "bin", "types"]
		.flatMap((key) => placesIn(manifest[key]))
		.map((place) => path.posix.normalize(place))
		.concat(modulesOfPython(texts));
}

/** The modules of a project of Python that is one file of its own name, or that lists some. */
function modulesOfPython(texts: ReadonlyMap<string, string>): string[] {
	const said = ["pyproject.toml", "setup.cfg", "setup.py"].map((file) => texts.get(file) ?? "");
	const named = said.flatMap((text) => [...text.matchAll(/\bname\s*=\s*["']?([\w.-]+)/g)]);
	const listed = said.flatMap((text) => [
		...text.matchAll(/\bpy[-_]modules\s*=\s*\[?([\w\s,"'.-]*)/g),
	]);
	return [...named, ...listed]
		.flatMap(([, names = ""]) => names.match(/[\w.-]+/g) ?? [])
		.map((name) => `${name.replaceAll("-", "_")}.py`)
		.flatMap((file) => [file, `src/${file}`]);
}

/** Data that files on the tests' side mention and the product does not; what is shown or read by people, only by its name. */
function dataOf({ files, texts }: SideFacts, tests: ReadonlyMap<string, unknown>): string[] {
	const ofTests = mentionsOf([...texts].filter(([file]) => tests.has(file)));
	const ofProduct = mentionsOf([...texts].filter(([file]) => !tests.has(file) && isCode(file)));
	const withProduct = directoriesOf([...files].filter((file) => isCode(file) && !tests.has(file)));
	const isNamed = (file: string, mentions: Mentions): boolean =>
		mentions.has(path.posix.basename(file)) ||
		foldersOf(file).some(
			(place) => !withProduct.has(place) && mentions.has(path.posix.basename(place)),
		);
	const testTexts = [...texts].flatMap(([file, text]) => (tests.has(file) ? [text] : []));
	// The name of a document at the root is also that of many a file that is made up.
	const isMeant = (file: string): boolean =>
		file.includes("/") ||
		!isProse(file) ||
		AT_ROOT.some((way) => testTexts.some((text) => text.includes(`${way}${file}${way.at(0)}`)));
	const isOfTests = (file: string): boolean =>
		isAsset(file)
			? ofTests.has(path.posix.basename(file))
			: isNamed(file, ofTests) && isMeant(file);
	return [...files].filter(
		(file) =>
			!isCode(file) &&
			!isShared(file) &&
			!LOCKED.test(file) &&
			isOfTests(file) &&
			!isNamed(file, ofProduct),
	);
}

/** Quotes and folders before the name of a file at the root, where code reads it. */
const AT_ROOT = ['"', "'", "`"].flatMap((quote) =>
	["", "/", "./", "../", "../../"].map((way) => quote + way),
);

/** Locked versions and the like: the product's, although tests may name them. */
const LOCKED =
	/(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|\.gitignore|\.gitattributes)$/;

/** Directories, other than the root, that hold files of the tests and no code of the product. */
function testPlaces(
	files: ReadonlySet<string>,
	tests: ReadonlyMap<string, unknown>,
): ReadonlySet<string> {
	const withProduct = directoriesOf([...files].filter((file) => isCode(file) && !tests.has(file)));
	const places = [...tests.keys()].map((file) => path.posix.dirname(file));
	return new Set(places.filter((place) => place !== "." && !withProduct.has(place)));
}

function directoriesOf(files: readonly string[]): ReadonlySet<string> {
	return new Set(files.flatMap(foldersOf));
}
