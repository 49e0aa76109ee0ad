import { jsonIn } from "../fields.ts";

/** Longer lines hold nothing that is needed. In characters. */
const LONGEST_LINE = 16_000_000;

/**
 * Splits a stream of text into lines and hands over the JSON values in them. Lines that are no JSON, and lines of more
 * than 16,000,000 characters, are passed over: harnesses print warnings among their events.
 */
export class JsonLines {
	readonly #onValue: (value: unknown) => void;
	#parts: string[] = [];
	#length = 0;

	/** @param onValue told of each value in order */
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

	/** To be called once at the end: the last line may lack its newline. */
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
