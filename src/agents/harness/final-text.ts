// Of a longer message its end is kept, where the report stands. In characters.
const LONGEST = 16_000_000;

/** Collects the pieces of an agent's newest message. Memory is bounded, however much it says. */
export class FinalText {
	#text = "";

	add(piece: string): void {
		this.#text += piece;
		// Cut rarely: each cut copies.
		if (this.#text.length > 2 * LONGEST) this.#text = this.#text.slice(-LONGEST);
	}

	// A new message begins: what was said so far is not the final one.
	clear(): void {
		this.#text = "";
	}

	text(): string {
		return this.#text.slice(-LONGEST);
	}
}
