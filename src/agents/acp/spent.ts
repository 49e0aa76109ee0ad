import type { Usage } from "../agent.ts";
import { costOf, type PricedTokens } from "../price.ts";
import { amountOf, listOf, type Shape, shapeOf, textOf } from "./shape.ts";

/** What is known of a session besides the agent's last answer. */
export interface SessionSpent {
	/** The agent's name for itself. */
	readonly agentName: string;
	/** Steps of the model's, at least 1. */
	readonly steps: number;
	/** By the agent's own words; null when it does not say. */
	readonly costUsd: number | null;
	/** The model that was set; null when nobody knows. */
	readonly model: string | null;
}

/** Its answer tells of the last step only. */
const TELLS_LAST_STEP = /opencode/i;

/** Agents that do not know say 0. */
const tokensOf = (value: unknown): number | null => amountOf(value) || null;

/** The tokens of the protocol's `usage`. Some agents count cached tokens among the input, some besides it. */
function usageTokens(usage: Shape, model: string | null): PricedTokens | null {
	const of = (name: string): number => amountOf(usage[name]) ?? 0;
	const [input, output, total] = [
		of("inputTokens"),
		of("outputTokens"),
		of("totalTokens"),
	] as const;
	if (input + output === 0) return null;
	const cached = of("cachedReadTokens") + of("cachedWriteTokens");
	const isBesides = cached > input || total >= input + output + cached;
	const cachedBesides = isBesides ? cached : 0;
	const thought = of("thoughtTokens");
	const thoughtBesides = total >= input + output + cachedBesides + thought ? thought : 0;
	return {
		inputTokens: input + cachedBesides || null,
		outputTokens: output + thoughtBesides || null,
		cacheReadTokens: amountOf(usage["cachedReadTokens"]),
		cacheWriteTokens: amountOf(usage["cachedWriteTokens"]),
		model,
	};
}

function quotaPart(count: unknown, model: string | null): PricedTokens {
	const tokens = shapeOf(count);
	return {
		inputTokens: tokensOf(tokens["input_tokens"]),
		outputTokens: tokensOf(tokens["output_tokens"]),
		...{ cacheReadTokens: null, cacheWriteTokens: null, model },
	};
}

/** The tokens of `_meta.quota`, by model. */
function quotaParts(quota: Shape, model: string | null): readonly PricedTokens[] {
	const parts = listOf(quota["model_usage"])
		.map(shapeOf)
		.map((part) => quotaPart(part["token_count"], textOf(part["model"]) ?? model));
	return parts.length > 0 ? parts : [quotaPart(quota["token_count"], model)];
}

/** A sum of which one part is not known is not known. */
function sum(numbers: readonly (number | null)[]): number | null {
	return numbers.reduce(
		(whole, part) => (whole === null || part === null ? null : whole + part),
		0,
	);
}

function partsOf(
	answer: Shape,
	{ agentName, steps, model }: SessionSpent,
): readonly PricedTokens[] {
	const quota = shapeOf(shapeOf(answer["_meta"])["quota"]);
	if (Object.keys(quota).length > 0) return quotaParts(quota, model);
	if (steps > 1 && TELLS_LAST_STEP.test(agentName)) return [];
	return [usageTokens(shapeOf(answer["usage"]), model) ?? []].flat();
}

/**
 * What a call used up, from the agent's answer to the prompt and from what it told meanwhile; a cost that it does not
 * tell comes from a table of prices.
 *
 * @param answer of any shape; null when the prompt was not answered
 * @returns null when nothing at all is known
 * @example `usage: { inputTokens: 1000, outputTokens: 50 }` gives just these, and no cost for an unknown model
 */
export async function usageOf(answer: unknown, session: SessionSpent): Promise<Usage | null> {
	const parts = partsOf(shapeOf(answer), session);
	const isUnknown = parts.length === 0;
	const total = (of: "inputTokens" | "outputTokens"): number | null =>
		isUnknown ? null : sum(parts.map((part) => part[of]));
	const model = parts.length === 1 ? (parts[0]?.model ?? null) : session.model;
	const costUsd = session.costUsd ?? (isUnknown ? null : sum(await Promise.all(parts.map(costOf))));
	const usage = {
		inputTokens: total("inputTokens"),
		outputTokens: total("outputTokens"),
		costUsd,
		model,
	};
	return Object.values(usage).every((value) => value === null) ? null : usage;
}
