import { fieldAt, fieldsOf, tokensAt } from "../fields.ts";
import type { Spent } from "../harness/harness.ts";

/** The model that said most: a flash model may have helped out. */
function mainModel(models: unknown): string | null {
	let main: string | null = null;
	let most = -1;
	for (const [name, stats] of Object.entries(fieldsOf(models))) {
		const tokens = tokensAt(stats, "total_tokens") ?? 0;
		if (tokens > most) [main, most] = [name, tokens];
	}
	return main;
}

/**
 * What a call used up, by the `stats` of its last event. Thoughts are counted in the total only, and are paid for as
 * output is.
 *
 * @returns null when no token was counted: nothing was used, or nobody knows
 */
export function geminiSpent(stats: unknown): Spent | null {
	const input = tokensAt(stats, "input_tokens");
	const output = tokensAt(stats, "output_tokens");
	const total = tokensAt(stats, "total_tokens");
	if ((input ?? 0) + (output ?? 0) + (total ?? 0) === 0) return null;
	const rest = total === null || input === null ? null : total - input;
	return {
		inputTokens: input,
		cacheReadTokens: tokensAt(stats, "cached"),
		cacheWriteTokens: null,
		outputTokens: rest === null ? output : Math.max(rest, output ?? 0),
		costUsd: null,
		model: mainModel(fieldAt(stats, "models")),
	};
}
