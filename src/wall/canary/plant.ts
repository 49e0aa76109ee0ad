import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import type { CopyRequest, SourceText, TestCopy } from "../language/language.ts";
import { languageOf } from "../language/languages.ts";
import { type Splice, spliced } from "../language/splice.ts";

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
	{ words }: Pick<CopyRequest, "words">,
): Planted | null {
	const language = languageOf(path);
	if (tree === null || language === null) return null;
	const { copies, helpers, nameOf, apart } = language.copiesIn(tree, text, { path, token, words });
	const chosen = chosenIn(copies);
	if (chosen.length === 0) return null;
	const names = chosen.map((_, at) => nameOf(at));
	const added = chosen.map(({ copy, splice }, at): Splice => {
		const own = (title: string): string =>
			spliced(text, [{ ...copy.title, text: title }, splice], copy);
		return { start: copy.at, end: copy.at, text: apart(own, nameOf(at)) };
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
