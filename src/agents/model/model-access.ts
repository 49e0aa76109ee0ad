import type { LanguageModel } from "ai";
import { assertNever } from "../../kernel/assert-never.ts";
import { Fault } from "../../kernel/fault.ts";
import { fetchEvents } from "./event-stream.ts";
import { modelName, type Provider } from "./provider.ts";

/**
 * Loads the provider's package. No request is made yet. The packages read nothing from the environment: key and address
 * are always handed over.
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

export type Variables = Readonly<Record<string, string | undefined>>;

export interface ModelOptions {
	readonly model: string;
	// Undefined: the environment's, else the provider's own.
	readonly baseUrl: string | undefined;
	// In the order of the workflow's `env`.
	readonly named: Readonly<Record<string, string>>;
	// Sparring's own, of which only the provider's standard variables are read.
	readonly env: Variables;
}

export interface FoundKey {
	readonly variable: string;
	readonly value: string;
}

const NO_KEY = /_(?:URL|PROXY)$/i;

// `fetch` would quote the key in its error for anything else.
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * The key of a model: the provider's standard variables among those that the workflow names, then any other that it
 * names, then the standard variables of Sparring's own environment. Names that end in `_URL` or `_PROXY` hold no key.
 *
 * @throws Fault `program-missing` naming a variable whose value cannot be sent; the value itself is not told
 */
export function modelKey({ model, named, env }: ModelOptions): FoundKey | null {
	const { keyVariables } = modelName(model).provider;
	const others = Object.keys(named).filter((name) => !NO_KEY.test(name));
	const looked = [
		...[...keyVariables, ...others].map((name) => [name, named[name]] as const),
		...keyVariables.map((name) => [name, env[name]] as const),
	];
	const found = looked
		.map(([variable, value = ""]) => ({ variable, value: value.trim() }))
		.find(({ value }) => value !== "");
	if (found === undefined) return null;
	if (SENDABLE.test(found.value)) return found;
	throw new Fault(`${found.variable} contains characters that a key for ${model} cannot have`, {
		code: "program-missing",
		hint: "Copy the key again: a key has no spaces, line breaks or non-ASCII characters.",
	});
}

function versioned(address: URL, provider: Provider): string {
	const path = address.pathname.replace(/\/+$/, "");
	// Compatible addresses have paths of all kinds: only a bare host is completed.
	const complete =
		provider.addressVariable === null ? path !== "" : /\/v\d+(?:(?:alpha|beta)\d*)?$/.test(path);
	address.pathname = complete ? path : `${path}/${provider.apiVersion}`;
	return address.href;
}

/**
 * The address of a model's API: the workflow's, else that of the environment, else the provider's own.
 *
 * @throws Fault `workflow-invalid` when there is none, or it is not an HTTP address
 * @example `http://127.0.0.1:11434` of `openai-compatible` gives `http://127.0.0.1:11434/v1`
 */
export function modelAddress({ model, baseUrl, named, env }: ModelOptions): string {
	const { provider } = modelName(model);
	const { addressVariable: variable } = provider;
	const set = variable === null ? "" : (named[variable] || env[variable] || "").trim();
	const address = baseUrl ?? (set === "" ? provider.address : set);
	const url = address === null ? null : URL.parse(address);
	if (url?.protocol === "http:" || url?.protocol === "https:") return versioned(url, provider);
	const found =
		address === null ? "needs an address" : `has an address that is not a URL: ${address}`;
	throw new Fault(`the model ${model} ${found}`, {
		code: "workflow-invalid",
		hint: "Set `base_url` for this agent, for example `base_url: http://127.0.0.1:11434/v1`.",
	});
}
