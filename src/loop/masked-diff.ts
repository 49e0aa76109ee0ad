import { type CommitPair, diffTexts } from "../git/diff-texts.ts";
import type { Ground } from "./context.ts";

/**
 * What changed between two commits, without secrets: for prompts, and for files that agents and people read. Mask it here
 * and cut it later; a secret that was cut is not recognised.
 *
 * @param maxBytes of the diff before it is masked; above it the text says what is left out
 */
export async function maskedDiff(
	ground: Pick<Ground, "vault" | "masker">,
	{ from, to, maxBytes }: { readonly from: string; readonly to: string; readonly maxBytes: number },
): Promise<string> {
	const [text = ""] = await maskedDiffs(ground, [{ from, to }], { maxBytes });
	return text;
}

/** Several of them, in one request. */
export async function maskedDiffs(
	{ vault, masker }: Pick<Ground, "vault" | "masker">,
	pairs: readonly CommitPair[],
	limits: { readonly maxBytes: number },
): Promise<readonly string[]> {
	return (await diffTexts(vault, pairs, limits)).map(({ text }) => masker.mask(text));
}
