import { type Fields, fieldsOf, listOf, tokensAt, wordsOf } from "../../kernel/fields.ts";
import type { Usage } from "../agent.ts";
import { costOf, type PricedTokens, sumKnown } from "../price.ts";

export interface SessionSpent {
	readonly agentName: string;
	readonly steps: number;
	readonly costUsd: number | null;
	readonly model: string | null;
}

// Its answer tells of the last step only.
const TELLS_LAST_STEP = /opencode/i;

// Agents that do not know say 0.
const tokensOf = (value: unknown): number | null => tokensAt(value) || null;

const COUNTS = [
	"inputTokens",
	"outputTokens",
	"totalTokens",
	"cachedReadTokens",
	"cachedWriteTokens",
	"thoughtTokens",
];

// A count that is not told is fine; one that cannot be makes the others doubtful.
const isOdd = (count: unknown): boolean => (count ?? null) !== null && tokensAt(count) === null;

function usageTokens(usage: Fields, model: string | null): PricedTokens | null {
	if (COUNTS.some((name) => isOdd(usage[name]))) return null;
	const of = (name: string): number => tokensAt(usage[name]) ?? 0;
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
		cacheReadTokens: tokensAt(usage["cachedReadTokens"]),
		cacheWriteTokens: tokensAt(usage["cachedWriteTokens"]),
		model,
	};
}

function quotaPart(count: unknown, model: string | null): PricedTokens {
	const tokens = fieldsOf(count);
	return {
		inputTokens: tokensOf(tokens["input_tokens"]),
		outputTokens: tokensOf(tokens["output_tokens"]),
		cacheReadTokens: null,
		cacheWriteTokens: null,
		model,
	};
}

function quotaParts(quota: Fields, model: string | null): readonly PricedTokens[] {
	const parts = listOf(quota["model_usage"])
		.map(fieldsOf)
		.map((part) => quotaPart(part["token_count"], wordsOf(part["model"]) ?? model));
	return parts.length > 0 ? parts : [quotaPart(quota["token_count"], model)];
}

function partsOf(
	answer: Fields,
	{ agentName, steps, model }: SessionSpent,
): readonly PricedTokens[] {
	const quota = fieldsOf(fieldsOf(answer["_meta"])["quota"]);
	if (Object.keys(quota).length > 0) return quotaParts(quota, model);
	if (steps > 1 && TELLS_LAST_STEP.test(agentName)) return [];
	return [usageTokens(fieldsOf(answer["usage"]), model) ?? []].flat();
}

/** The use of a call, from the agent's answer to the prompt, of any shape, and from what it told meanwhile. */
export async function usageOf(answer: unknown, session: SessionSpent): Promise<Usage | null> {
	const parts = partsOf(fieldsOf(answer), session);
	const total = (of: "inputTokens" | "outputTokens"): number | null =>
		sumKnown(parts.map((part) => part[of]));
	const model = parts.length === 1 ? (parts[0]?.model ?? null) : session.model;
	const costUsd = session.costUsd ?? sumKnown(await Promise.all(parts.map(costOf)));
	const usage = {
		inputTokens: total("inputTokens"),
		outputTokens: total("outputTokens"),
		costUsd,
		model,
	};
	return Object.values(usage).every((value) => value === null) ? null : usage;
}
