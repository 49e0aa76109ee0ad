import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../kernel/system-code.ts";
import type { AgentCall } from "../agent.ts";
import { homeVariables } from "../harness/harness-agent.ts";
import { removeHome } from "../remove-home.ts";

/** A directory that stands in for the user's home. */
export interface PrivateHome {
	readonly home: string;
	/** By which agents find it, with `login: key`. */
	readonly variables: Readonly<Record<string, string>>;
}

/** Where the private home of a call is. */
export const homeOf = ({ workDir }: Pick<AgentCall, "workDir">): string => join(workDir, "home");

/**
 * Makes the empty directory that stands in for the user's home, and names the variables by which agents find it. It
 * lies beside the temporary directory: one agent refuses to keep its own programs below that.
 *
 * @returns the system's code when it could not be made, such as `ENOTDIR`
 */
export async function privateHome(call: AgentCall): Promise<PrivateHome | string> {
	const home = homeOf(call);
	try {
		// What stays of a call that was killed would be in the way, and the next line says so.
		await removeHome(home);
		for (const path of [home, join(home, ".codex")]) await mkdir(path, { mode: 0o700 });
	} catch (error) {
		return systemCode(error);
	}
	const variables = {
		...homeVariables(home),
		CODEX_HOME: join(home, ".codex"),
		CLAUDE_CONFIG_DIR: join(home, ".claude"),
		GEMINI_CLI_HOME: home,
	};
	return { home, variables };
}
