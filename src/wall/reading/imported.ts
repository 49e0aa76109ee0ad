import path from "node:path";
import { languageOf } from "../language/languages.ts";
import { parsePackage } from "./runner-config.ts";
import { isCode, isShell } from "./test-places.ts";

/** Names of files and directories: the last part of each path that some texts mention. */
export type Mentions = ReadonlySet<string>;

const LITERALS = /"([^"\n\\]{1,200})"|'([^'\n\\]{1,200})'|`([^`\n\\]{1,200})`/g;
const WORDS = /[\w.@/+-]{2,200}/g;

/**
 * Words that files mention: of code the string literals, of scripts and lists every word.
 *
 * @example `readFileSync(join(here, "../data/rates.json"))` mentions `rates.json`
 * @example of `../locales/${language}.json` it is the folder that is mentioned
 */
export function mentionsOf(texts: Iterable<readonly [path: string, text: string]>): Mentions {
	const found = new Set<string>();
	for (const [file, text] of texts) {
		for (const word of isCode(file) && !isShell(file)
			? literalsOf(text)
			: (text.match(WORDS) ?? [])) {
			const name = path.posix.basename(fixedPart(word).replace(/\/+$/, ""));
			if (name !== "" && name !== "." && name !== "..") found.add(name);
		}
	}
	return found;
}

/** A path up to the first folder or name that is computed or a pattern; all of it where none is. */
function fixedPart(word: string): string {
	const computed = word.search(/[^/]*(?:\$\{|\*)/);
	return computed > 0 ? word.slice(0, computed) : word;
}

function literalsOf(text: string): string[] {
	return [...text.matchAll(LITERALS)].map(
		([, double, single, back]) => double ?? single ?? back ?? "",
	);
}

/** Files of a tree with the texts of its code and scripts; a file without a text is judged by its name. */
export interface TreeTexts {
	readonly files: ReadonlySet<string>;
	readonly texts: ReadonlyMap<string, string>;
}

/** The files of a tree that one of them imports, sources or maps to. */
export function importedBy(file: string, tree: TreeTexts): string[] {
	return candidatesIn(file, tree).flatMap(
		(places) => places.find((place) => tree.files.has(place)) ?? [],
	);
}

/** The places at which a new file may be found instead of one to which an import of the tree leads now; with these. */
export function otherPlaces({ files, texts }: TreeTexts): ReadonlyMap<string, ReadonlySet<string>> {
	const found = new Map<string, Set<string>>();
	for (const file of texts.keys()) {
		for (const places of isCode(file) ? candidatesIn(file, { files, texts }) : []) {
			const target = places.find((place) => files.has(place));
			if (target === undefined) continue;
			for (const place of places) found.set(place, (found.get(place) ?? new Set()).add(target));
		}
	}
	return found;
}

function candidatesIn(file: string, { files, texts }: TreeTexts): string[][] {
	const found = placesTriedBy(file, texts);
	return isShell(file) ? [...found, ...sourcedBy(texts.get(file) ?? "", files)] : found;
}

/** Each import of a file as the places at which its runtime looks, in order. */
function placesTriedBy(file: string, texts: TreeTexts["texts"]): string[][] {
	const text = texts.get(file) ?? "";
	const imported = languageOf(file)?.targetsIn(file, text) ?? [];
	const found = [...imported, ...byMap(text, texts.get("package.json"))];
	return file.endsWith(".py") ? [...found, ...fromRoots(text)] : found;
}

function sourcedBy(text: string, files: ReadonlySet<string>): string[][] {
	const names = new Set(text.match(/[\w.-]+\.(?:sh|bash|zsh|ksh)\b/g));
	return [...files].filter((file) => names.has(path.posix.basename(file))).map((file) => [file]);
}

const PYTHON_ROOTS = ["", "src/", "lib/", "tests/", "test/"];

function fromRoots(text: string): string[][] {
	const names = text.matchAll(/^[ \t]*(?:from|import)[ \t]+([A-Za-z_][\w.]*)/gm);
	return [...names].map(([, name = ""]) => {
		const place = name.replaceAll(".", "/");
		return PYTHON_ROOTS.flatMap((root) => [`${root}${place}.py`, `${root}${place}/__init__.py`]);
	});
}

function byMap(text: string, manifest: string | undefined): string[][] {
	const map = parsePackage(manifest ?? null)["imports"];
	if (typeof map !== "object" || map === null) return [];
	return Object.entries(map).flatMap(([name, target]) =>
		text.includes(`"${name}"`) || text.includes(`'${name}'`)
			? [placesIn(target).map((place) => path.posix.normalize(place))]
			: [],
	);
}

export function placesIn(value: unknown): string[] {
	if (typeof value === "string") return [value];
	return typeof value === "object" && value !== null ? Object.values(value).flatMap(placesIn) : [];
}
