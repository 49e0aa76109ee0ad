import { isModulePath, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { isPythonPath, type SourceText } from "../../syntax/source-trees.ts";
import { moduleShape } from "./module-shape.ts";
import { pythonShape } from "./python-shape.ts";
import type { TestShape } from "./test-shape.ts";

/** Assertions of a test file, by its tree; null where it has none. */
export function shapeOf({ path, text }: SourceText, tree: SyntaxNode | null): TestShape | null {
	if (tree === null) return null;
	if (isPythonPath(path)) return pythonShape(tree, text);
	return isModulePath(path) ? moduleShape(tree, text) : null;
}
