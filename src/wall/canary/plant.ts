import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import { isPythonPath, type SourceText } from "../../syntax/source-trees.ts";
import { copiesInPython, pythonHelpers } from "./python-copies.ts";
import { copiesInScript, type Runners, scriptHelpers } from "./script-copies.ts";
import type { Splice, TestCopy } from "./test-copy.ts";

/** A test file with canaries: copies of its own tests in which one expected value is wrong. */
export interface Planted {
	readonly text: string;
	readonly names: readonly string[];
}

const MAX = 12;

/**
 * Adds canaries to a test file of a known runner: node:test, vitest, jest, mocha, pytest or unittest.
 *
 * They make the product's own calls and compare with the file's own assertions, so that a disarmed runner shows, and a
 * value that answers comparisons itself. A copy stands where its test stands, behind all others.
 *
 * @param token part of each name; random, so that no product can know it
 * @returns null for a file of no known runner, or without a test that can be copied
 */
export function plant(
	{ path, text, tree }: SourceText & { readonly tree: SyntaxNode | null },
	token: string,
	{ words }: Runners,
): Planted | null {
	if (tree === null) return null;
	const isPython = isPythonPath(path);
	const copies = isPython
		? copiesInPython(tree, text, token)
		: copiesInScript(tree, text, { token, words });
	const chosen = chosenIn(copies);
	if (chosen.length === 0) return null;
	const names = chosen.map((_, at) =>
		isPython ? `test_z_canary_${token}_${at}` : `canary ${token} ${at}`,
	);
	const helpers = isPython ? pythonHelpers(tree, text, token) : scriptHelpers(text, token, path);
	const added = chosen.map(({ copy, splice }, at): Splice => {
		const title = isPython ? names[at] : JSON.stringify(names[at]);
		const own = spliced(text, [{ ...copy.title, text: title ?? "" }, splice], copy);
		return { start: copy.at, end: copy.at, text: isPython ? `\n\n${own}\n` : `\n;${own};\n` };
	});
	return { text: spliced(text, [...added, helpers]), names };
}

interface Chosen {
	readonly copy: TestCopy;
	readonly splice: Splice;
}

function chosenIn(copies: readonly TestCopy[]): Chosen[] {
	const found = new Map<string, Chosen>();
	for (const copy of copies)
		for (const { kind, splice } of copy.wrongs)
			if (!found.has(kind)) found.set(kind, { copy, splice });
	if (found.size > 0) return [...found.values()].slice(0, MAX);
	return copies
		.flatMap((copy) => (copy.thrown === null ? [] : [{ copy, splice: copy.thrown }]))
		.slice(0, 1);
}

function spliced(
	text: string,
	splices: readonly Splice[],
	{ start, end } = { start: 0, end: text.length },
): string {
	let [made, at] = ["", start];
	for (const splice of splices.toSorted((one, other) => one.start - other.start)) {
		made += text.slice(at, splice.start) + splice.text;
		at = splice.end;
	}
	return made + text.slice(at, end);
}
