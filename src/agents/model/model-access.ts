import { findPackageJSON } from "node:module";
import type { LanguageModel } from "ai";
import { attempt } from "../../kernel/attempt.ts";
import { Fault } from "../../kernel/fault.ts";
import { fetchEvents } from "./event-stream.ts";

const CORE = "ai";

const needs = (agent: string, model: string, what: string): string =>
	agent === model
		? `the model ${model} needs ${what}`
		: `agent ${agent} needs ${what} for the model ${model}`;

// Optional peer dependencies; they are not loaded.
export function requireModelPackages(
	agent: string,
	model: string,
	from: string = import.meta.url,
): void {
	const wanted = [CORE, modelName(model).provider.packageName];
	const missing = wanted.filter(
		(packageName) => attempt(() => findPackageJSON(packageName, from), undefined) === undefined,
	);
	if (missing.length === 0) return;
	const what = `npm package${missing.length > 1 ? "s" : ""} ${missing.join(" and ")}`;
	throw new Fault(needs(agent, model, `the ${what}`), {
		code: "program-missing",
		hint: `Run \`npm install ${wanted.join(" ")}\` where Sparring is installed.`,
	});
}

/**
 * Looks for all that a model needs before anything runs: its packages, its address and its key. Makes no request.
 *
 * @param agent its name in the workflow; the model's own where it is nobody's agent
 * @returns the variable that holds the key; null for a provider that needs none and has none
 * @throws Fault `program-missing` for a package or a key, `workflow-invalid` for an unknown provider or no address
 */
export function requireUsable(agent: string, options: ModelOptions): string | null {
	const { model, named } = options;
	requireModelPackages(agent, model);
	modelAddress(options);
	const { provider } = modelName(model);
	const key = modelKey(options);
	if (key !== null || !provider.needsKey) return key?.variable ?? null;
	const [preferred] = provider.keyVariables;
	const looked = [...new Set([...Object.keys(named), ...provider.keyVariables])];
	const none =
		looked.length === 1 ? `${preferred} is not set` : `none of these is set: ${looked.join(", ")}`;
	const elsewhere =
		agent === model ? "" : ", or name the variable that holds the key under `env` of the agent";
	throw new Fault(`${needs(agent, model, "a key")}, and ${none}`, {
		code: "program-missing",
		hint: `Set ${preferred}${elsewhere}.`,
	});
}

interface ProviderSettings {
	readonly baseURL: string;
	readonly apiKey: string;
	readonly fetch: typeof fetchEvents;
}

export type ProviderName = "google" | "anthropic" | "openai" | "openai-compatible";

export interface Provider {
	readonly name: ProviderName;
	readonly packageName: string;
	readonly load: (settings: ProviderSettings) => Promise<(name: string) => LanguageModel>;
	readonly keyVariables: readonly string[];
	readonly needsKey: boolean;
	readonly addressVariable: string | null;
	readonly address: string | null;
	// Last part of the path under which its API lies. Variables are listed with the preferred one first; a null address
	// has to be said by the workflow.
	readonly apiVersion: string;
}

const PROVIDERS: Readonly<Record<ProviderName, Provider>> = {
	google: {
		name: "google",
		packageName: "@ai-sdk/google",
		load: async (settings) => (await import("@ai-sdk/google")).createGoogle(settings),
		keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
		needsKey: true,
		addressVariable: "GOOGLE_GEMINI_BASE_URL",
		address: "https://generativelanguage.googleapis.com/v1beta",
		apiVersion: "v1beta",
	},
	anthropic: {
		name: "anthropic",
		packageName: "@ai-sdk/anthropic",
		load: async (settings) => (await import("@ai-sdk/anthropic")).createAnthropic(settings),
		keyVariables: ["ANTHROPIC_API_KEY"],
		needsKey: true,
		addressVariable: "ANTHROPIC_BASE_URL",
		address: "https://api.anthropic.com/v1",
		apiVersion: "v1",
	},
	openai: {
		name: "openai",
		packageName: "@ai-sdk/openai",
		load: async (settings) => (await import("@ai-sdk/openai")).createOpenAI(settings),
		keyVariables: ["OPENAI_API_KEY"],
		needsKey: true,
		addressVariable: "OPENAI_BASE_URL",
		address: "https://api.openai.com/v1",
		apiVersion: "v1",
	},
	"openai-compatible": {
		name: "openai-compatible",
		packageName: "@ai-sdk/openai-compatible",
		load: async ({ apiKey, ...settings }) =>
			(await import("@ai-sdk/openai-compatible")).createOpenAICompatible({
				...settings,
				name: "openai-compatible",
				includeUsage: true,
				supportsStructuredOutputs: true,
				...(apiKey === "" ? {} : { apiKey }),
			}),
		keyVariables: ["OPENAI_COMPATIBLE_API_KEY"],
		needsKey: false,
		addressVariable: null,
		address: null,
		apiVersion: "v1",
	},
};

export interface ModelName {
	readonly provider: Provider;
	/** As the provider calls it; may hold slashes, such as `meta-llama/Llama-3.3-70B`. */
	readonly name: string;
}

// Takes `PROVIDER/NAME` apart.
export function modelName(model: string): ModelName {
	const slash = model.indexOf("/");
	const wanted = model.slice(0, Math.max(0, slash));
	const provider = Object.values(PROVIDERS).find((known) => known.name === wanted);
	const name = model.slice(slash + 1).trim();
	if (provider !== undefined && name !== "") return { provider, name };
	throw new Fault(`the model ${JSON.stringify(model)} is not PROVIDER/NAME of a known provider`, {
		code: "workflow-invalid",
		hint: `Known providers: ${Object.keys(PROVIDERS).join(", ")}. For example google/gemini-flash-latest.`,
	});
}

// The packages read nothing from the environment: key and address are always handed over.
export async function languageModel(options: ModelOptions): Promise<LanguageModel> {
	const { provider, name } = modelName(options.model);
	const baseURL = modelAddress(options);
	// An empty key is refused by the provider, while an undefined one would be looked up in the environment.
	const apiKey = modelKey(options)?.value ?? "";
	return (await provider.load({ baseURL, apiKey, fetch: fetchEvents }))(name);
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
 * The provider's standard variables among those that the workflow names, then any other that it names, then the
 * standard variables of Sparring's own environment. The value of one that cannot be sent is not told.
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
 * The workflow's address, else that of the environment, else the provider's own.
 *
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
