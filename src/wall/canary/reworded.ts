import { nodesOf, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn } from "../../syntax/node-fields.ts";
import { type Splice, spliced } from "./test-copy.ts";

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
	const add = (at: number, part: string): void =>
		void added.push({ start: at, end: at, text: part });
	for (const { node } of nodesOf(tree)) {
		const body = FUNCTION.test(node.type) ? nodeIn(node, "body") : null;
		if (body === null) continue;
		const isBlock = body.type === "BlockStatement";
		add(isBlock ? body.start + 1 : body.start, isBlock ? `/* ${mark} */` : `(/* ${mark} */`);
		add(isBlock ? body.end - 1 : body.end, isBlock ? `/* ${mark} */` : ")");
	}
	return spliced(text, added);
}
