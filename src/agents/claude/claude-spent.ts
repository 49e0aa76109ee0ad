import { countAt, fieldAt, fieldsOf, textAt, tokensAt } from "../fields.ts";
import type { Spent } from "../harness/harness.ts";
import { sumKnown } from "../sum-known.ts";

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
		input: tokensAt(entry, "inputTokens"),
		cacheRead: tokensAt(entry, "cacheReadInputTokens"),
		cacheWrite: tokensAt(entry, "cacheCreationInputTokens"),
		output: tokensAt(entry, "outputTokens"),
		model: textAt(entry, "canonicalModel") ?? name.replace(VARIANT, ""),
	};
}

/** What Claude Code calls input leaves out what its cache held. */
function allInput({ input, cacheRead, cacheWrite }: ModelTokens): number | null {
	return sumKnown([input, cacheRead ?? 0, cacheWrite ?? 0]);
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
						input: tokensAt(usage, "input_tokens"),
						cacheRead: tokensAt(usage, "cache_read_input_tokens"),
						cacheWrite: tokensAt(usage, "cache_creation_input_tokens"),
						output: tokensAt(usage, "output_tokens"),
						model: null,
					},
				];
	const spent = {
		inputTokens: sumKnown(models.map(allInput)),
		cacheReadTokens: sumKnown(models.map(({ cacheRead }) => cacheRead)),
		cacheWriteTokens: sumKnown(models.map(({ cacheWrite }) => cacheWrite)),
		outputTokens: sumKnown(models.map(({ output }) => output)),
	};
	if ((spent.inputTokens ?? 0) === 0 && (spent.outputTokens ?? 0) === 0) return null;
	return { ...spent, costUsd: countAt(result, "total_cost_usd"), model: mainModel(models) };
}
