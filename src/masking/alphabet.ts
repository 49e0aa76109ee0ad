/** A set of ASCII characters: 1 for each that is in it. */
export type Alphabet = Uint8Array;

/** @param characters single ones and ranges such as `a-z`; a `-` that is meant itself stands last */
export function alphabet(characters: string): Alphabet {
	const set = new Uint8Array(128);
	for (let index = 0; index < characters.length; index += 1) {
		const first = characters.charCodeAt(index);
		const isRange = characters[index + 1] === "-" && index + 2 < characters.length;
		const last = isRange ? characters.charCodeAt(index + 2) : first;
		for (let code = first; code <= last; code += 1) set[code] = 1;
		if (isRange) index += 2;
	}
	return set;
}

export const ALNUM: Alphabet = alphabet("A-Za-z0-9");
export const WORD: Alphabet = alphabet("A-Za-z0-9_");
export const BASE64: Alphabet = alphabet("A-Za-z0-9+/=");
export const BASE64URL: Alphabet = alphabet("A-Za-z0-9_-");

/** Whether the character at an index is in the set; past the end it is not. */
export function isIn(set: Alphabet, text: string, index: number): boolean {
	return set[text.charCodeAt(index)] === 1;
}

/** The end of the run of characters of a set that starts at `from`, `limit` at most. */
export function endOfRun(set: Alphabet, text: string, from: number, limit: number): number {
	const most = Math.min(limit, text.length);
	let index = from;
	while (index < most && isIn(set, text, index)) index += 1;
	return index;
}

/** The start of the run that ends before `to`, `limit` at least. */
export function startOfRun(set: Alphabet, text: string, to: number, limit: number): number {
	const least = Math.max(limit, 0);
	let index = to;
	while (index > least && isIn(set, text, index - 1)) index -= 1;
	return index;
}
