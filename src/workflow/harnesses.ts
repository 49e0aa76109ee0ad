/** Coding agents that have an adapter of their own, in the order in which `spar init` prefers them. */
export const HARNESSES = ["claude", "codex", "gemini", "opencode"] as const;

export type HarnessName = (typeof HARNESSES)[number];

/** Facts of a coding agent for the workflow file; all else stands in its adapter. */
interface HarnessFacts {
	/** Maker of the models that it asks; null: the provider of its model says. */
	readonly maker: string | null;
	readonly key: string;
}

export const FACTS_OF_HARNESS: Readonly<Record<HarnessName, HarnessFacts>> = {
	claude: { maker: "anthropic", key: "ANTHROPIC_API_KEY" },
	codex: { maker: "openai", key: "CODEX_API_KEY" },
	gemini: { maker: "google", key: "GEMINI_API_KEY" },
	opencode: { maker: null, key: "OPENROUTER_API_KEY" },
};

/** The coding agent of this name; undefined for any other value. */
export function harnessNamed(name: unknown): HarnessName | undefined {
	return HARNESSES.find((each) => each === name);
}

export function isHarness<Agent extends { readonly adapter: string }>(
	agent: Agent,
): agent is Extract<Agent, { readonly adapter: HarnessName }> {
	return harnessNamed(agent.adapter) !== undefined;
}

/** Names of the variables that an agent, or a server of its own, may see. */
export function variablesOf({
	env,
	mcp = {},
}: {
	readonly env: readonly string[];
	readonly mcp?: Readonly<Record<string, { readonly env: readonly string[] }>> | undefined;
}): readonly string[] {
	return [...env, ...Object.values(mcp).flatMap((server) => server.env)];
}

/** Longest duration of one call of an agent that names no `timeout`, in milliseconds: 30 minutes. */
export const AGENT_TIMEOUT_MS = 1_800_000;
