import { join } from "node:path";

/** Variables by which users move the stores of agents that speak the Agent Client Protocol. */
const STORE_VARIABLES = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"] as const;

/** Where such agents keep their sign-in, below the home directory. */
const STORES = [
	".claude",
	".claude.json",
	".codex",
	".gemini",
	".qwen",
	".copilot",
	".config/opencode",
	".local/share/opencode",
	".config/github-copilot",
] as const;

/**
 * What an agent that speaks the Agent Client Protocol is told of the user's stores, and may read of them in a sandbox
 * with `login: user`. Which program needs which is not known, and none may write there.
 */
export function acpStores(env: Readonly<Record<string, string | undefined>>): {
	readonly store: Readonly<Record<string, string>>;
	readonly readable: readonly string[];
} {
	const store = STORE_VARIABLES.flatMap((name) => {
		const value = env[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	const home = env["HOME"];
	const usual = home === undefined ? [] : STORES.map((place) => join(home, place));
	return {
		store: Object.fromEntries(store),
		readable: [...store.map(([, path]) => path), ...usual],
	};
}
