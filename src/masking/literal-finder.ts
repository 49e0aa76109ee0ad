/** In a text of the same length: a character beyond ASCII may have a longer lower case. */
const lower = (text: string): string =>
	text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Finds many literals in a text in one pass, whatever the case of their ASCII letters. */
export class LiteralFinder {
	/** By their text in lower case. */
	readonly #literals = new Map<string, number[]>();
	#pattern: RegExp | undefined;

	/** @param literals none of them empty */
	constructor(literals: readonly string[]) {
		for (const [literal, text] of literals.entries()) {
			const word = lower(text);
			this.#literals.set(word, [...(this.#literals.get(word) ?? []), literal]);
		}
	}

	/** Tells each occurrence in the order of their starts, and of those with one start the longest first. */
	find(text: string, found: (literal: number, start: number) => void): void {
		if (this.#literals.size === 0) return;
		// It takes no character, so that literals which overlap are found.
		this.#pattern ??= new RegExp(`(?=(${this.#longestFirst().map(escaped).join("|")}))`, "g");
		for (const { 1: word = "", index } of lower(text).matchAll(this.#pattern)) {
			for (let end = word.length; end > 0; end -= 1) {
				for (const literal of this.#literals.get(word.slice(0, end)) ?? []) found(literal, index);
			}
		}
	}

	#longestFirst(): string[] {
		return [...this.#literals.keys()].sort((a, b) => b.length - a.length);
	}
}
