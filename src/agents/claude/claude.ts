import type { Harness } from "../harness/harness.ts";
import { CLAUDE_KEYS } from "./claude-keys.ts";
import { claudeLaunch } from "./claude-launch.ts";
import { ClaudeReader } from "./claude-reader.ts";
import { claudeSignIn } from "./claude-sign-in.ts";

/** Claude Code, driven through `claude -p` and its stream of JSON events; tried with 2.1.330. */
export const claude: Harness = {
	name: "claude",
	storeVariables: ["CLAUDE_CONFIG_DIR"],
	keyVariables: CLAUDE_KEYS,
	launch: claudeLaunch,
	reader: (clock) => new ClaudeReader(clock),
	signIn: claudeSignIn,
};
