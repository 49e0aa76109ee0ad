import { nodesOf, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn } from "../../syntax/node-fields.ts";
import { inserted, type Splice, spliced } from "../language/splice.ts";

/** Functions of each form, in the names of the tree. */
const FUNCTION = /Function|Method/;

/**
 * A file of the tests whose functions have other texts, and do the same. A product that is right only for functions of a
 * certain text shows: nobody writes one that is told what to do by comments.
 *
 * @param mark stands in a comment, and makes the texts longer by an amount that no product knows
 */
export function reworded(text: string, tree: SyntaxNode, mark: string): string {
	const added: Splice[] = [];
	for (const { node } of nodesOf(tree)) {
		const body = FUNCTION.test(node.type) ? nodeIn(node, "body") : null;
		if (body === null) continue;
		const isBlock = body.type === "BlockStatement";
		added.push(
			inserted(isBlock ? body.start + 1 : body.start, isBlock ? `/* ${mark} */` : `(/* ${mark} */`),
			inserted(isBlock ? body.end - 1 : body.end, isBlock ? `/* ${mark} */` : ")"),
		);
	}
	return spliced(text, added);
}

const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\\]*`/g;
const NAME = /^[a-z]{2,12}$/;

/**
 * Files of the tests in which each lower-case name has become another one of the same length, wherever a text holds it. A
 * program to which names mean nothing does the same with them; one that knows those of the tests does not.
 *
 * @example of `take("bob")` and `"no bob"` it may make `take("eud")` and `"no eud"`
 */
export function renamed(
	files: readonly (readonly [path: string, text: string])[],
): { readonly path: string; readonly text: string }[] {
	const names = new Set<string>();
	for (const [, text] of files)
		for (const { 0: whole, index } of text.matchAll(QUOTED)) {
			const name = whole.slice(1, -1);
			if (NAME.test(name) && !IMPORTS.test(text.slice(0, index))) names.add(name);
		}
	const other = (name: string): string => (names.has(name) ? otherName(name) : name);
	return files.flatMap(([path, text]) => {
		const now = text.replaceAll(QUOTED, (whole, at: number) =>
			whole.includes("/") || IMPORTS.test(text.slice(0, at))
				? whole
				: whole.replaceAll(WORD, other),
		);
		return now === text ? [] : [{ path, text: now }];
	});
}

const IMPORTS = /(?:\bfrom|\bimport|\brequire\()\s*$/;
const WORD = /(?<![\w.$-])[a-z]+(?![\w.$-])/g;

/** Each letter some letters further, at each place by another number, so that no form of the name is kept. */
function otherName(name: string): string {
	return name.replaceAll(/./g, (letter, at: number) =>
		String.fromCharCode(((letter.charCodeAt(0) - 97 + 3 + at * 7) % 26) + 97),
	);
}
