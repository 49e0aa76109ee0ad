import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import type { PythonRunner } from "../../syntax/python-syntax.ts";
import { javascript } from "./javascript.ts";
import type { Language, SourceText, TreeReader } from "./language.ts";
import { python } from "./python.ts";

const LANGUAGES: readonly Language[] = [javascript, python];

/** Language of a file, by its name; null for one that nobody reads here. */
export function languageOf(path: string): Language | null {
	return LANGUAGES.find(({ isOf }) => isOf(path)) ?? null;
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
