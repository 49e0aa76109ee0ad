import type { LanguageModelUsage } from "ai";
import { tokensAt } from "../fields.ts";
import type { PricedTokens } from "../price.ts";

/** Tokens of a request and the model that answered it; null where the provider does not say. */
export function spentIn(usage: LanguageModelUsage, model: string): PricedTokens {
	return {
		inputTokens: tokensAt(usage.inputTokens),
		cacheReadTokens: tokensAt(usage.inputTokenDetails.cacheReadTokens),
		cacheWriteTokens: tokensAt(usage.inputTokenDetails.cacheWriteTokens),
		outputTokens: tokensAt(usage.outputTokens),
		model: model === "" ? null : model,
	};
}
