import { Fault } from "../../kernel/fault.ts";

export type ProviderName = "google" | "anthropic" | "openai" | "openai-compatible";

export interface Provider {
	readonly name: ProviderName;
	readonly packageName: string;
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
		keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
		needsKey: true,
		addressVariable: "GOOGLE_GEMINI_BASE_URL",
		address: "https://generativelanguage.googleapis.com/v1beta",
		apiVersion: "v1beta",
	},
	anthropic: {
		name: "anthropic",
		packageName: "@ai-sdk/anthropic",
		keyVariables: ["ANTHROPIC_API_KEY"],
		needsKey: true,
		addressVariable: "ANTHROPIC_BASE_URL",
		address: "https://api.anthropic.com/v1",
		apiVersion: "v1",
	},
	openai: {
		name: "openai",
		packageName: "@ai-sdk/openai",
		keyVariables: ["OPENAI_API_KEY"],
		needsKey: true,
		addressVariable: "OPENAI_BASE_URL",
		address: "https://api.openai.com/v1",
		apiVersion: "v1",
	},
	"openai-compatible": {
		name: "openai-compatible",
		packageName: "@ai-sdk/openai-compatible",
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

/**
 * Takes `PROVIDER/NAME` apart.
 *
 * @throws Fault `workflow-invalid` for an unknown provider or a missing name
 */
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
