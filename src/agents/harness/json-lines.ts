import { jsonIn } from "../../kernel/fields.ts";

const LONGEST_LINE = 16_000_000;

/**
 * Splits a stream of text into lines and hands over the JSON values in them. Lines that are no JSON are passed over,
 * since harnesses print warnings among their events, and so are lines of more than 16,000,000 characters.
 */
export class JsonLines {
	readonly #onValue: (value: unknown) => void;
	#parts: string[] = [];
	#length = 0;

	constructor(onValue: (value: unknown) => void) {
		this.#onValue = onValue;
	}

	add(text: string): void {
		let from = 0;
		for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
			this.#keep(text.slice(from, at));
			this.#flush();
			from = at + 1;
		}
		this.#keep(text.slice(from));
	}

	// The last line may lack its newline.
	end(): void {
		this.#flush();
	}

	#keep(part: string): void {
		this.#length += part.length;
		// Counted on, but not kept: memory is bounded, and the line will be passed over.
		if (this.#length > LONGEST_LINE) this.#parts = [];
		else if (part !== "") this.#parts.push(part);
	}

	#flush(): void {
		const line = this.#length <= LONGEST_LINE ? this.#parts.join("").trim() : "";
		this.#parts = [];
		this.#length = 0;
		const value = line.startsWith("{") ? jsonIn(line) : undefined;
		if (value !== undefined) this.#onValue(value);
	}
}
