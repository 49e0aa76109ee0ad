import { posix } from "node:path";
import type { FileChange } from "../../git/file-change.ts";
import { withoutComments } from "../reading/strip-comments.ts";
import { isCode } from "../reading/test-places.ts";
import type { TreePair } from "../reading/tree-pair.ts";

const WORD = /[\p{L}_$][\p{L}\p{N}_$]+/gu;

/**
 * Tells of a text whether it names what the product no longer has: a word of its changed code, or a file of it, that is in
 * none of it now.
 *
 * @param product changes of the product
 */
export async function goneWords(
	product: readonly FileChange[],
	{ readBase, readHead }: Pick<TreePair, "readBase" | "readHead">,
): Promise<(text: string) => boolean> {
	const code = product.filter(({ path }) => isCode(path));
	const wordsIn = async (
		read: TreePair["readBase"],
		isOf: (change: FileChange) => boolean,
	): Promise<string[]> => {
		const some = code.filter(isOf);
		const texts = await Promise.all(
			some.map(async ({ path }) => withoutComments((await read(path)) ?? "", path)),
		);
		const names = some.map(({ path }) => posix.parse(path).name);
		return [...texts, ...names].flatMap((text) => text.match(WORD) ?? []);
	};
	const now = new Set(await wordsIn(readHead, ({ kind }) => kind !== "deleted"));
	const before = await wordsIn(readBase, ({ kind }) => kind !== "added");
	const gone = new Set(before.filter((word) => !now.has(word)));
	return (text) => (text.match(WORD) ?? []).some((word) => gone.has(word));
}
