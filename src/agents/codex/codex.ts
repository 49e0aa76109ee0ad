import type { Harness } from "../harness/harness.ts";
import { CODEX_KEYS } from "./codex-keys.ts";
import { codexLaunch } from "./codex-launch.ts";
import { CodexReader } from "./codex-reader.ts";
import { codexSignIn } from "./codex-sign-in.ts";

/** Codex, driven through `codex exec --json`; tried with 0.169.0. */
export const codex: Harness = {
	name: "codex",
	storeVariables: ["CODEX_HOME"],
	keyVariables: CODEX_KEYS,
	launch: codexLaunch,
	reader: () => new CodexReader(),
	signIn: codexSignIn,
};
