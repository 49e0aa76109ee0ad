import { expect, test } from "vitest";
import { findSecrets } from "../../src/masking/find-secrets.ts";
import type { Work } from "../../src/masking/finding.ts";
import { keywordTexts } from "../../src/masking/worst-texts.contract.ts";

/** Longer than what a rule reads beyond its keyword, for all but keys. In characters. */
const LENGTH = 6_000;

/** Characters that rules look at for each character of a text, at most: a short keyword such as `pwd_` stands densest. */
const MOST_LOOKS = 80;

function looks(text: string): number {
	const work: Work = { characters: 0, windows: 0 };
	findSecrets(text, work);
	return work.characters / text.length;
}

test("each keyword without end, with each separator between: what is looked at is bounded", () => {
	const tooMuch = [...keywordTexts(LENGTH)].filter(([, text]) => looks(text) >= MOST_LOOKS);
	expect(tooMuch.map(([name]) => name)).toEqual([]);
});
