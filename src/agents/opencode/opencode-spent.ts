import { countAt, fieldAt } from "../harness/fields.ts";
import type { Spent } from "../harness/harness.ts";

/**
 * Sums up what the steps of a call used. A cost of 0 for tokens that were used is opencode's way to say that it knows
 * no price, so it counts as unknown; a model that is free shows as unknown too.
 */
export class OpencodeSpent {
	#input = 0;
	#output = 0;
	#read = 0;
	#written = 0;
	#cost = 0;
	/** Whether some step had tokens but no price: then the sum would be too small. */
	#unpriced = false;

	/** @param part of an event `step_finish`; its `input` leaves out what came from a cache or went into it */
	add(part: unknown): void {
		const tokens = fieldAt(part, "tokens");
		const read = countAt(tokens, "cache", "read") ?? 0;
		const written = countAt(tokens, "cache", "write") ?? 0;
		const input = (countAt(tokens, "input") ?? 0) + read + written;
		const output = (countAt(tokens, "output") ?? 0) + (countAt(tokens, "reasoning") ?? 0);
		const cost = countAt(part, "cost") ?? 0;
		this.#input += input;
		this.#output += output;
		this.#read += read;
		this.#written += written;
		this.#cost += cost;
		if (input + output > 0 && cost === 0) this.#unpriced = true;
	}

	/** @returns null when no token was used */
	sum(): Spent | null {
		if (this.#input + this.#output === 0) return null;
		return {
			inputTokens: this.#input,
			cacheReadTokens: this.#read,
			cacheWriteTokens: this.#written,
			outputTokens: this.#output,
			costUsd: this.#unpriced ? null : this.#cost,
			model: null,
		};
	}
}
