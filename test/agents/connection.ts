import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessName } from "../../src/workflow/harnesses.ts";

/** How a harness is brought to a model of ours: what a workflow's agent says, and what its environment holds. */
export interface Connection {
	readonly model: string;
	readonly args: readonly string[];
	/** Variables that the agent's `env` names, with their values. */
	readonly env: Readonly<Record<string, string>>;
}

/** No provider has ever given it out. */
export const KEY = "dummy-key-of-a-test";

function codexProvider(url: string): string {
	const settings = {
		name: "scripted",
		base_url: `${url}/v1`,
		env_key: "SCRIPTED_KEY",
		wire_api: "responses",
	};
	const texts = Object.entries(settings).map(([name, value]) => `${name}="${value}"`);
	const retries = ["request_max_retries=1", "stream_max_retries=1"];
	return `model_providers.scripted={${[...texts, ...retries].join(",")}}`;
}

/** A file with a provider of ours, as a user who runs a model of his own would write it. */
function opencodeConfig(url: string): unknown {
	const cost = { input: 1, output: 2 };
	const limit = { context: 128_000, output: 8_192 };
	return {
		provider: {
			scripted: {
				npm: "@ai-sdk/openai-compatible",
				options: { baseURL: `${url}/v1`, apiKey: KEY },
				models: { "scripted-model": { limit, cost } },
			},
		},
	};
}

/**
 * The model of a server in place of the provider's, as the harness's own documentation says it is done.
 *
 * @param url of the server, without a path
 * @param dir an existing directory, for a file of settings
 */
export function connectionOf(name: HarnessName, url: string, dir: string): Connection {
	switch (name) {
		case "claude":
			return {
				model: "claude-sonnet-5",
				args: [],
				env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url },
			};
		case "codex":
			return {
				// A model that it knows: for others it offers fewer tools.
				model: "gpt-5.5",
				args: ["-c", 'model_provider="scripted"', "-c", codexProvider(url)],
				env: { SCRIPTED_KEY: KEY },
			};
		case "gemini":
			return {
				model: "gemini-2.5-pro",
				args: [],
				env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url },
			};
		case "opencode": {
			const file = join(dir, "opencode.json");
			writeFileSync(file, JSON.stringify(opencodeConfig(url)));
			return { model: "scripted/scripted-model", args: [], env: { OPENCODE_CONFIG: file } };
		}
	}
}
