import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import type { PythonRunner } from "../../syntax/python-syntax.ts";
import type { ImportedName } from "./bound-names.ts";
import { javascript } from "./javascript.ts";
import type { Language, SourceText, TreeReader } from "./language.ts";
import { python } from "./python.ts";

const LANGUAGES: readonly Language[] = [javascript, python];

/** Language of a file, by its name; null for one that nobody reads here. */
export function languageOf(path: string): Language | null {
	return LANGUAGES.find(({ isOf }) => isOf(path)) ?? null;
}

/** Names that a file imports. A file of another language may hold a script, as components do. */
export function importedNames(path: string, text: string): ImportedName[] {
	return (languageOf(path) ?? javascript).importsIn(text);
}

/** Files that a file may mean by the name of a module, in the order in which they are looked for. */
export function placesOf(path: string, module: string): string[] {
	return (languageOf(path) ?? javascript).placesOf(path, module);
}

/** Reads each file by its language. */
export function treeReader(run: PythonRunner): TreeReader {
	return async (files) => {
		const found = new Map<SourceText, SyntaxNode | null>();
		for (const [language, own] of Map.groupBy(files, ({ path }) => languageOf(path))) {
			const trees = (await language?.trees(own, run)) ?? [];
			for (const [at, file] of own.entries()) found.set(file, trees[at] ?? null);
		}
		return files.map((file) => found.get(file) ?? null);
	};
}
