export interface SecretSpot {
	readonly start: number;
	readonly end: number;
	readonly rule: string;
	/** Source of its mark: the same for every way in which the secret is written. */
	readonly value: string;
}

export const PLACE_RULE = "secret";

/** A pattern that matches at one place only, each part of it bounded: nothing searches, so that no text can make it hang. */
export const at = (pattern: string, flags = ""): RegExp => new RegExp(pattern, `y${flags}`);

export function endOf(pattern: RegExp, text: string, index: number): number {
	pattern.lastIndex = index;
	return pattern.test(text) ? pattern.lastIndex : index;
}

export function startOfRun(characters: RegExp, text: string, to: number, most: number): number {
	const least = Math.max(to - most, 0);
	let index = to;
	while (index > least && characters.test(text.charAt(index - 1))) index -= 1;
	return index;
}
