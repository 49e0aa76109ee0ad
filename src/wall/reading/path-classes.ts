import path from "node:path";
import { isManifest } from "../../setups/setup-key.ts";
import { importedBy, type Mentions, mentionsOf, type TreeTexts } from "./imported.ts";
import { isShared } from "./shared-files.ts";
import { isAsset, isCode } from "./test-places.ts";

/**
 * Part that a path has in a change. `product`: what the base's product consists of, and what belongs to it by place and by
 * being imported or named. `prose`: documents and pictures, which nothing runs. `apparatus`: everything else, above all what
 * decides how work is judged or let in. In doubt a path is apparatus.
 */
export type PathClass = "product" | "apparatus" | "prose";

/** Code that a change adds or rewrites, by path. */
export type Grown = ReadonlyMap<string, string>;

const PROSE =
	/(?<!(?:^|\/)CMakeLists)\.txt$|\.(?:md|mdx|markdown|rst|adoc|example|sample|png|jpe?g|gif|webp|avif|ico|pdf|docx?|pptx?|mp4|webm)$|(?:^|\/)(?:LICENSE|LICENCE|COPYING|NOTICE|README|CHANGELOG|CHANGES|HISTORY|AUTHORS|CONTRIBUTORS)(?:-[\w-]+)?$/i;

/** Hidden files that people read: examples of settings, notes of changes, templates of issues. */
const SHOWN_HIDDEN =
	/(?:^|\/)\.env\.(?:example|sample|template|dist)$|^\.changeset\/[\w-]+\.md$|^\.github\/(?!AGENT|CLAUDE|GEMINI|COPILOT|INSTRUCT|PROMPT|CHATMODE|SKILL)[A-Z][A-Z_]+(?:\/[\w-]+)?\.md$|^\.(?!\w*(?:rules|instruct|prompt|agent|claude|gemini|codex|cursor))[\w-]+\.md$/i;

const ASIDE = /^(?:[^./][^/]*\/)*(?:bench(?:mark)?s?|examples?|docs?|demos?)\//i;

/** Tells whether a file lies in a folder of what people run, look at or read beside the product. */
export const isAside = (file: string): boolean => ASIDE.test(file);

/** Tells whether a file is a document or a picture by its name. */
export const isProse = (file: string): boolean => PROSE.test(file);

/** Documents that agents are given as instructions. */
export const INSTRUCTS = /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI)(?:\.local)?\.md$/i;

/** Folder of what is built from the product, and kept with it. */
const BUILT = "dist";

/** Tells whether a file or a folder above it begins with a dot. */
export const isHidden = (file: string): boolean =>
	file.split("/").some((part) => part.startsWith(".") && part !== "." && part !== "..");

const LISTS = /lock|\.sum$|shrinkwrap|\.resolved$|(?:^|\/)(?:requirements|constraints)[^/]*\.txt$/i;

/** Tells whether a file only lists dependencies, such as a lock file. */
function isDependencyList(file: string): boolean {
	return isManifest(file) && LISTS.test(path.posix.basename(file));
}

/** The first folder of a path; empty for a file at the root. */
const topOf = (file: string): string => (file.includes("/") ? (file.split("/")[0] ?? "") : "");

/**
 * Draws the classes of a base.
 *
 * Code is product if tests or the starts of packages lead to it, by import or by name, and so is other code in the folders of
 * the root to which they lead; in a language in which no import can be followed all code is. Another file is product if
 * product code names it or its folder, if it is shown, or if it is one more of its kind in a folder of the product.
 *
 * @param tests the base's files on the tests' side; they are apparatus
 * @param entries what packages start with
 */
export function drawClasses(
	tree: TreeTexts,
	tests: ReadonlyMap<string, unknown>,
	entries: readonly string[],
): (file: string, grown: Grown) => PathClass {
	const code = [...tree.files].filter(
		(file) => isCode(file) && !tests.has(file) && !isHidden(file),
	);
	const own = productCode(tree, code, tests, entries);
	const isOfProduct = productData(tree, own, tests);
	const importedByGrown = once((grown) => {
		const known = { files: new Set([...tree.files, ...grown.keys()]), texts: grown };
		return new Set([...grown.keys()].flatMap((from) => importedBy(from, known)));
	});
	const isProductCode = (file: string, grown: Grown): boolean => {
		if (own.files.has(file) || own.tops.has(topOf(file)) || topOf(file) === BUILT) return true;
		if (!own.followed.has(languageOf(file))) return true;
		return !tree.files.has(file) && importedByGrown(grown).has(file);
	};
	return (file, grown) => {
		const known = tests.has(file) ? "apparatus" : classByName(file);
		if (known !== null) return known;
		const isProduct = isCode(file) ? isProductCode : isOfProduct;
		return isProduct(file, grown) ? "product" : "apparatus";
	};
}

/** Reads something of the code of a change once, not for each of its paths. */
function once<T>(read: (grown: Grown) => T): (grown: Grown) => T {
	const known = new WeakMap<Grown, { readonly value: T }>();
	return (grown) => {
		const found = known.get(grown) ?? { value: read(grown) };
		known.set(grown, found);
		return found.value;
	};
}

/** Class of a path that its name alone tells; null for one that depends on the tree. */
function classByName(file: string): PathClass | null {
	if (isHidden(file)) return SHOWN_HIDDEN.test(file) ? "prose" : "apparatus";
	// Their parts about tests and commands are looked at one by one.
	if (isShared(file) || isDependencyList(file)) return "product";
	if (isManifest(file) || INSTRUCTS.test(file)) return "apparatus";
	return isProse(file) ? "prose" : null;
}

/** Tells which files that are no code belong to the product. */
function productData(
	tree: TreeTexts,
	own: ProductCode,
	tests: ReadonlyMap<string, unknown>,
): (file: string, grown: Grown) => boolean {
	const mentions = mentionsOf([...tree.texts].filter(([file]) => own.files.has(file)));
	const kindOf = (file: string): string => path.posix.dirname(file) + path.posix.extname(file);
	const kinds = new Set(
		[...tree.files].filter((file) => own.tops.has(topOf(file)) && !tests.has(file)).map(kindOf),
	);
	const packages = new Set(
		[...tree.files].filter(isManifest).map((file) => path.posix.dirname(file)),
	);
	const isOneMore = (file: string): boolean =>
		path.posix.extname(file) !== "" &&
		!packages.has(path.posix.dirname(file)) &&
		kinds.has(kindOf(file));
	const isNamed = (file: string, words: Mentions): boolean =>
		[file, ...foldersOf(file)].some((place) => words.has(path.posix.basename(place)));
	const mentionsOfGrown = once(mentionsOf);
	return (file, grown) =>
		isNamed(file, mentions) ||
		isNamed(file, mentionsOfGrown(grown)) ||
		isOneMore(file) ||
		(isAsset(file) && file.includes("/"));
}

interface ProductCode {
	readonly files: ReadonlySet<string>;
	/** Folders of the root with such files. */
	readonly tops: ReadonlySet<string>;
	/** Languages of which some import was followed. */
	readonly followed: ReadonlySet<string>;
}

function productCode(
	tree: TreeTexts,
	code: readonly string[],
	tests: ReadonlyMap<string, unknown>,
	entries: readonly string[],
): ProductCode {
	const named = mentionsOf([...tree.texts].filter(([file]) => tests.has(file)));
	const isCandidate = new Set(code);
	const files = new Set<string>();
	const queue = [
		...entries,
		...[...tests.keys()].flatMap((file) => importedBy(file, tree)),
		...code.filter((file) => named.has(path.posix.basename(file))),
	];
	const tops = new Set<string>();
	for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
		if (!isCandidate.has(file) || files.has(file)) continue;
		files.add(file);
		queue.push(...importedBy(file, tree));
		const top = topOf(file);
		if (top === "" || tops.has(top)) continue;
		tops.add(top);
		queue.push(...code.filter((other) => topOf(other) === top));
	}
	return { files, tops, followed: new Set([...files].map(languageOf)) };
}

const languageOf = (file: string): string =>
	path.posix.extname(file).replace(/^\.[cm]?[jt]sx?$/, ".js");

/** The folders above a file, without the root. */
export function foldersOf(file: string): string[] {
	const parts = file.split("/");
	return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join("/"));
}
