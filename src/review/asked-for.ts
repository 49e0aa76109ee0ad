import { isCode } from "../wall/reading/test-places.ts";
import type { Suspicion } from "../wall/suspicion.ts";

/** Words that say nothing of what is tested. */
const PLAIN = new Set(
	"the and for are not all any has its can but was one new now with that this from into when then than must should assert equal equals expect test tests strict deep code work change changes changed".split(
		" ",
	),
);

/**
 * Tells whether quoted words ask for what a test expects now: they stand in a text of the task, and share a word or a number
 * with the changed lines: with those that are gone, or what stands in their place.
 *
 * @param told the task's description and criteria
 * @example `"the least fee is 30"` asks for `+ assert.equal(fee(10), 30);` where the task says so
 */
export function isAskedFor(
	words: string,
	{ text, file }: Pick<Suspicion, "text" | "file">,
	told: readonly string[],
): boolean {
	const quoted = plain(words);
	if (quoted.split(" ").length < 2 || !told.some((each) => plain(each).includes(quoted)))
		return false;
	// Of code the lines say what is expected; a file of data may say by its name alone whose it is.
	const changed = changedLines(text);
	const shown = wordsIn(isCode(file) ? changed : `${changed}\n${file}`);
	return wordsIn(words).some((word) => shown.some((other) => isSame(word, other)));
}

/**
 * The lines that are gone, each with the new one that has most of its words. Other new lines, such as those of a further test, say
 * nothing of what became another expectation. All lines where none is gone.
 */
function changedLines(text: string): string {
	const linesOf = (sign: string): string[] =>
		text.split("\n").filter((line) => line.startsWith(sign));
	const gone = linesOf("-");
	if (gone.length === 0) return text;
	const left = new Set(linesOf("+"));
	const partners = gone.flatMap((line) => {
		const words = new Set(allWordsIn(line));
		const shared = (other: string): number =>
			allWordsIn(other).filter((word) => words.has(word)).length;
		const best = [...left].toSorted((one, other) => shared(other) - shared(one)).slice(0, 1);
		for (const one of best) left.delete(one);
		return best;
	});
	return [...gone, ...partners].join("\n");
}

const allWordsIn = (line: string): readonly string[] =>
	[...line.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word);

const plain = (text: string): string =>
	text
		.toLowerCase()
		.replaceAll(/[\s"'`\u2018-\u201f]+/g, " ")
		.trim();

/** Numbers, and words of three letters and more, also those that a name is made of. */
function wordsIn(text: string): readonly string[] {
	const parts = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
	return (parts.match(/\p{N}+|\p{L}{3,}/gu) ?? []).filter((word) => !PLAIN.has(word));
}

/** `fee` and `fees`, `round` and `rounded` are one word; numbers are themselves. */
function isSame(one: string, other: string): boolean {
	if (/\p{N}/u.test(one)) return one === other;
	return one.startsWith(other) || other.startsWith(one);
}
