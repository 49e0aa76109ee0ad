import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import { type PythonRunner, pythonTrees } from "../../syntax/python-syntax.ts";

/** One text and its tree a line, as Python 3.11 printed them: the tests need no Python. */
const FILE = join(import.meta.dirname, "..", "fixtures", "python-trees.txt");

/** Trees by the text as JSON writes it. */
const recorded = new Map<string, string>(
	readFileSync(FILE, "utf8")
		.split("\n")
		.filter(Boolean)
		.map((line) => {
			const at = line.indexOf("\t");
			return [line.slice(0, at), line.slice(at + 1)];
		}),
);

/** Python's parser for one text. One that has no record yet is recorded by this machine's Python, and fails its test. */
export const recordedPython: PythonRunner = async (args, input) => {
	const text = input.slice(1, -1);
	const known = recorded.get(text);
	if (known !== undefined) return `[${known}]`;
	const printed = execFileSync("python3", args, { input, encoding: "utf8" });
	appendFileSync(FILE, `${text}\t${printed.slice(1, -1)}\n`);
	throw new Error(`recorded the tree of ${text}; run the test again`);
};

/** The recorded tree of a text. */
export async function recordedTree(text: string): Promise<SyntaxNode> {
	const [tree] = await pythonTrees([text], recordedPython);
	if (tree == null) throw new Error(`no tree: ${text}`);
	return tree;
}
