import type { LanguageModelUsage } from "ai";
import type { PricedTokens } from "../price.ts";

/** What a provider cannot mean, such as a negative number, is unknown. */
const counted = (value: unknown): number | null =>
	typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Tokens of a request and the model that answered it; null where the provider does not say. */
export function spentIn(usage: LanguageModelUsage, model: string): PricedTokens {
	return {
		inputTokens: counted(usage.inputTokens),
		cacheReadTokens: counted(usage.inputTokenDetails.cacheReadTokens),
		cacheWriteTokens: counted(usage.inputTokenDetails.cacheWriteTokens),
		outputTokens: counted(usage.outputTokens),
		model: model === "" ? null : model,
	};
}
