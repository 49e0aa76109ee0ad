import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import { pythonTrees } from "../../syntax/python-syntax.ts";

/** One text and its tree a line, as Python 3.11 printed them: the tests need no Python. */
const FILE = join(import.meta.dirname, "..", "fixtures", "python-trees.txt");

const recorded = new Map<string, string>(
	readFileSync(FILE, "utf8")
		.split("\n")
		.filter(Boolean)
		.map((line) => {
			const at = line.indexOf("\t");
			return [JSON.parse(line.slice(0, at)), line.slice(at + 1)];
		}),
);

/** The recorded tree of a text. A text that has none yet is recorded by this machine's Python, and fails its test. */
export async function recordedTree(text: string): Promise<SyntaxNode> {
	const [tree] = await pythonTrees([text], async (args, input) => {
		const known = recorded.get(text);
		if (known !== undefined) return `[${known}]`;
		const printed = execFileSync("python3", args, { input, encoding: "utf8" });
		appendFileSync(FILE, `${JSON.stringify(text)}\t${printed.slice(1, -1)}\n`);
		throw new Error(`recorded the tree of ${JSON.stringify(text)}; run the test again`);
	});
	if (tree == null) throw new Error(`no tree: ${text}`);
	return tree;
}
