import type { LanguageModel } from "ai";
import { assertNever } from "../../kernel/assert-never.ts";
import { fetchEvents } from "./event-stream.ts";
import { type ModelOptions, modelAddress, modelKey } from "./model-access.ts";
import { modelName } from "./provider.ts";

/**
 * The model behind its provider's package, which is loaded here and not before. No request is made yet. The packages
 * read nothing from the environment: key and address are always handed over.
 *
 * @throws Fault for an unknown provider or a missing address; an `Error` of the module loader for a missing package
 */
export async function languageModel(options: ModelOptions): Promise<LanguageModel> {
	const { provider, name } = modelName(options.model);
	const baseURL = modelAddress(options);
	const apiKey = modelKey(options)?.value;
	// An empty key is refused by the provider, while an undefined one would be looked up in the environment.
	const settings = { baseURL, apiKey: apiKey ?? "", fetch: fetchEvents };
	switch (provider.name) {
		case "google": {
			const { createGoogle } = await import("@ai-sdk/google");
			return createGoogle(settings)(name);
		}
		case "anthropic": {
			const { createAnthropic } = await import("@ai-sdk/anthropic");
			return createAnthropic(settings)(name);
		}
		case "openai": {
			const { createOpenAI } = await import("@ai-sdk/openai");
			return createOpenAI(settings)(name);
		}
		case "openai-compatible": {
			const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
			return createOpenAICompatible({
				name: provider.name,
				baseURL,
				fetch: fetchEvents,
				includeUsage: true,
				supportsStructuredOutputs: true,
				...(apiKey === undefined ? {} : { apiKey }),
			})(name);
		}
		default:
			return assertNever(provider.name);
	}
}
