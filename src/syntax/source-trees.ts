import { isModulePath, loadModuleParser, type SyntaxNode } from "./module-syntax.ts";
import { type PythonRunner, pythonTrees } from "./python-syntax.ts";

/** A file with its text. */
export interface SourceText {
	readonly path: string;
	readonly text: string;
}

/** Gives the syntax trees of files, in their order; null for other languages and for texts that cannot be read. */
export type TreeReader = (files: readonly SourceText[]) => Promise<readonly (SyntaxNode | null)[]>;

/** True for a Python file, by its name. */
export function isPythonPath(path: string): boolean {
	return path.endsWith(".py");
}

/** Reads JavaScript and TypeScript here, and Python by its own parser. */
export function treeReader(run: PythonRunner): TreeReader {
	return async (files) => {
		const python = files.filter(({ path }) => isPythonPath(path));
		const trees = await pythonTrees(
			python.map(({ text }) => text),
			run,
		);
		const byFile = new Map(python.map((file, at) => [file, trees[at] ?? null]));
		const parse = files.some(({ path }) => isModulePath(path)) ? await loadModuleParser() : null;
		return files.map((file) => byFile.get(file) ?? parse?.(file.text, file.path) ?? null);
	};
}
