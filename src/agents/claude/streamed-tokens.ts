import { textAt, tokensAt } from "../fields.ts";
import type { Spent } from "../harness/harness.ts";

/** More replies than any call has: a limit of memory for what floods. */
const MOST_REPLIES = 10_000;

/**
 * Tokens of a call that broke off, by its events `assistant`. They are told when a reply begins: what it was given to
 * read is known then, what it wrote is not.
 */
export class StreamedTokens {
	readonly #counted = new Set<string>();
	#input = 0;
	#cacheRead = 0;
	#cacheWrite = 0;
	#model: string | null = null;

	/** Takes one `message`; a reply comes in several with the same id, which count once. */
	add(message: unknown): void {
		const id = textAt(message, "id");
		const model = textAt(message, "model");
		const input = tokensAt(message, "usage", "input_tokens");
		// What Claude Code itself puts in a model's mouth, such as an error, has no model.
		if (id === null || input === null || model === null || model.startsWith("<")) return;
		if (this.#counted.has(id) || this.#counted.size >= MOST_REPLIES) return;
		this.#counted.add(id);
		const read = tokensAt(message, "usage", "cache_read_input_tokens") ?? 0;
		const written = tokensAt(message, "usage", "cache_creation_input_tokens") ?? 0;
		this.#input += input + read + written;
		this.#cacheRead += read;
		this.#cacheWrite += written;
		this.#model = model;
	}

	/** @returns null when no reply began */
	spent(): Spent | null {
		if (this.#counted.size === 0) return null;
		return {
			inputTokens: this.#input,
			cacheReadTokens: this.#cacheRead,
			cacheWriteTokens: this.#cacheWrite,
			outputTokens: null,
			costUsd: null,
			model: this.#model,
		};
	}
}
