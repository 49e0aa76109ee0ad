import { expect, test } from "vitest";
import { findSecrets } from "../../src/masking/find-secrets.ts";
import { keywordTexts } from "../../src/masking/worst-texts.fixture.ts";

/** Longer than what a rule reads beyond its keyword, for all but keys. In characters. */
const LENGTH = 6_000;

/** Of the time that this process computes; the worst text of ordinary runs takes less than 2. */
const MICROSECONDS_PER_CHARACTER = 8;

function timeOf(text: string): number {
	const before = process.cpuUsage();
	findSecrets(text);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / text.length;
}

test("each keyword without end, with each separator between: the time for a character is bounded", () => {
	const tooMuch = [...keywordTexts(LENGTH)].filter(
		// A run in which memory was tidied up is tried again.
		([, text]) => Math.min(timeOf(text), timeOf(text)) >= MICROSECONDS_PER_CHARACTER,
	);
	expect(tooMuch.map(([name]) => name)).toEqual([]);
});
