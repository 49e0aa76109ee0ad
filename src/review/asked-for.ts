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
 * with the changed lines.
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
	const shown = wordsIn(isCode(file) ? text : `${text}\n${file}`);
	return wordsIn(words).some((word) => shown.some((other) => isSame(word, other)));
}

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
