import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AgentCall } from "../agent.ts";
import { homeVariables } from "../harness/harness-agent.ts";

/**
 * Makes the empty directory that stands in for the user's home, and names the variables by which agents find it. It
 * lies beside the temporary directory: one agent refuses to keep its own programs below that.
 *
 * @returns the directory, and variables for `login: key`
 */
export async function privateHome(
	call: AgentCall,
): Promise<{ readonly home: string; readonly variables: Readonly<Record<string, string>> }> {
	const home = join(call.workDir, "home");
	await rm(home, { recursive: true, force: true });
	for (const path of [home, join(home, ".codex")]) await mkdir(path, { mode: 0o700 });
	const variables = {
		...homeVariables(home),
		CODEX_HOME: join(home, ".codex"),
		CLAUDE_CONFIG_DIR: join(home, ".claude"),
		GEMINI_CLI_HOME: home,
	};
	return { home, variables };
}
