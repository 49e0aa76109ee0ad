/**
 * A sum of counts or costs, which is known when there is a part and each is.
 *
 * @example `sumKnown([1, 2])` is 3, `sumKnown([1, null])` is null
 */
export function sumKnown(parts: readonly (number | null)[]): number | null {
	let total = 0;
	for (const part of parts) {
		if (part === null) return null;
		total += part;
	}
	return parts.length === 0 ? null : total;
}

export interface PricedTokens {
	readonly inputTokens: number | null;
	readonly cacheReadTokens: number | null;
	readonly cacheWriteTokens: number | null;
	readonly outputTokens: number | null;
	/** As the provider or the harness calls it, such as `claude-sonnet-4-5`, `google/gemini-2.5-pro`. */
	readonly model: string | null;
}

// A reseller that passes requests on at list prices.
const HANDS_ON = "openrouter";

// In the order in which a model without one is looked for; the price table's own names.
const PROVIDERS = ["anthropic", "openai", "google"] as const;

// None's prices when somebody else answers to that name.
function listed(model: string): { readonly name: string; readonly providers: readonly string[] } {
	const parts = model.split("/");
	const name = parts.pop() ?? "";
	if (parts.length === 0) return { name, providers: PROVIDERS };
	if (parts.length === 2 && parts[0] === HANDS_ON) parts.shift();
	const [prefix] = parts;
	return { name, providers: parts.length > 1 ? [] : PROVIDERS.filter((own) => own === prefix) };
}

/**
 * Computes the US dollars of a call by a table of list prices that ships with the package; it is never fetched. Null,
 * never 0, for an unknown model, for one of another provider such as `ollama/gpt-4o`, or when either number of tokens
 * is unknown.
 *
 * @example 1000 input and 100 output tokens of `claude-sonnet-4-5` give 0.0045
 */
export async function costOf(tokens: PricedTokens): Promise<number | null> {
	const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, model } = tokens;
	if (model === null || inputTokens === null || outputTokens === null) return null;
	const { calcPrice } = await import("@pydantic/genai-prices");
	const usage = {
		input_tokens: inputTokens,
		output_tokens: outputTokens,
		cache_read_tokens: cacheReadTokens ?? 0,
		cache_write_tokens: cacheWriteTokens ?? 0,
	};
	const { name, providers } = listed(model);
	for (const providerId of providers) {
		try {
			const price = calcPrice(usage, name, { providerId });
			if (price !== null) return price.total_price;
		} catch {
			// Numbers that contradict each other, such as more cached tokens than tokens, have no price.
			return null;
		}
	}
	return null;
}
