import { countAt, fieldAt, tokensAt } from "../fields.ts";
import type { Spent } from "../harness/harness.ts";
import { sumKnown } from "../sum-known.ts";

/** Tokens that are not told of are none; such that cannot be are unknown. */
function partAt(tokens: unknown, ...path: readonly string[]): number | null {
	return (fieldAt(tokens, ...path) ?? null) === null ? 0 : tokensAt(tokens, ...path);
}

/**
 * Sums up what the steps of a call used. A cost of 0 for tokens that were used is opencode's way to say that it knows
 * no price, so it counts as unknown; a model that is free shows as unknown too.
 */
export class OpencodeSpent {
	#input: number | null = 0;
	#output: number | null = 0;
	#read: number | null = 0;
	#written: number | null = 0;
	#cost = 0;
	/** Whether some step had tokens but no price: then the sum would be too small. */
	#unpriced = false;

	/** @param part of an event `step_finish`; its `input` leaves out what came from a cache or went into it */
	add(part: unknown): void {
		const tokens = fieldAt(part, "tokens");
		const read = partAt(tokens, "cache", "read");
		const written = partAt(tokens, "cache", "write");
		const input = sumKnown([partAt(tokens, "input"), read, written]);
		const output = sumKnown([partAt(tokens, "output"), partAt(tokens, "reasoning")]);
		const cost = countAt(part, "cost") ?? 0;
		this.#input = sumKnown([this.#input, input]);
		this.#output = sumKnown([this.#output, output]);
		this.#read = sumKnown([this.#read, read]);
		this.#written = sumKnown([this.#written, written]);
		this.#cost += cost;
		if (sumKnown([input, output]) !== 0 && cost === 0) this.#unpriced = true;
	}

	/** @returns null when no token was used */
	sum(): Spent | null {
		if (sumKnown([this.#input, this.#output]) === 0) return null;
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
