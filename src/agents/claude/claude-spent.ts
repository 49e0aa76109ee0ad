import { countAt, fieldAt, fieldsOf, textAt } from "../harness/fields.ts";
import type { Spent } from "../harness/harness.ts";

/** Tokens of one model. */
interface ModelTokens {
	readonly input: number | null;
	readonly cacheRead: number | null;
	readonly cacheWrite: number | null;
	readonly output: number | null;
	readonly model: string | null;
}

/** Such as `claude-opus-4-8[1m]`, whose brackets name a size of context and no model. */
const VARIANT = /\[[^\]]*\]$/;

function modelTokens(name: string, entry: unknown): ModelTokens {
	return {
		input: countAt(entry, "inputTokens"),
		cacheRead: countAt(entry, "cacheReadInputTokens"),
		cacheWrite: countAt(entry, "cacheCreationInputTokens"),
		output: countAt(entry, "outputTokens"),
		model: textAt(entry, "canonicalModel") ?? name.replace(VARIANT, ""),
	};
}

/** A sum is known when each part is. */
function sum(counts: readonly (number | null)[]): number | null {
	let total = 0;
	for (const count of counts) {
		if (count === null) return null;
		total += count;
	}
	return counts.length === 0 ? null : total;
}

/** What Claude Code calls input leaves out what its cache held. */
function allInput({ input, cacheRead, cacheWrite }: ModelTokens): number | null {
	return sum([input, cacheRead ?? 0, cacheWrite ?? 0]);
}

/** Of several models, such as those of subagents, the one that wrote the most. */
function mainModel(models: readonly ModelTokens[]): string | null {
	const [most] = models.toSorted((a, b) => (b.output ?? 0) - (a.output ?? 0));
	return most?.model ?? null;
}

/**
 * What a call used up, by its event `result`: `modelUsage` counts every model, those of subagents included, while
 * `usage` knows the main one alone and stands in when an older version prints no other.
 *
 * @returns null when the event tells nothing, or that no model answered at all
 */
export function claudeSpent(result: unknown): Spent | null {
	const listed = Object.entries(fieldsOf(fieldAt(result, "modelUsage")));
	const usage = fieldAt(result, "usage");
	const models =
		listed.length > 0
			? listed.map(([name, entry]) => modelTokens(name, entry))
			: [
					{
						input: countAt(usage, "input_tokens"),
						cacheRead: countAt(usage, "cache_read_input_tokens"),
						cacheWrite: countAt(usage, "cache_creation_input_tokens"),
						output: countAt(usage, "output_tokens"),
						model: null,
					},
				];
	const spent = {
		inputTokens: sum(models.map(allInput)),
		cacheReadTokens: sum(models.map(({ cacheRead }) => cacheRead)),
		cacheWriteTokens: sum(models.map(({ cacheWrite }) => cacheWrite)),
		outputTokens: sum(models.map(({ output }) => output)),
	};
	if ((spent.inputTokens ?? 0) === 0 && (spent.outputTokens ?? 0) === 0) return null;
	return { ...spent, costUsd: countAt(result, "total_cost_usd"), model: mainModel(models) };
}
