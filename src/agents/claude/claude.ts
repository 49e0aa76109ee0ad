import { fieldAt, textAt } from "../fields.ts";
import type { Harness, HarnessLook, SignIn } from "../harness/harness.ts";
import { keySignIn } from "../harness/key-sign-in.ts";
import { lastJsonObject } from "../last-json.ts";
import { claudeLaunch } from "./claude-launch.ts";
import { ClaudeReader } from "./claude-reader.ts";

/** Variables that sign Claude Code in: a key of the API, a bearer token, a token of `claude setup-token`. */
const CLAUDE_KEYS = [
	"ANTHROPIC_API_KEY",
	"ANTHROPIC_AUTH_TOKEN",
	"CLAUDE_CODE_OAUTH_TOKEN",
] as const;

/** What `claude auth status` calls its ways of signing in, in words. */
const METHODS: ReadonlyMap<string, string> = new Map([
	["claude.ai", "signed in with a Claude account"],
	["api_key", "signed in by key"],
	["oauth_token", "signed in by token"],
	["third_party", "signed in through another provider"],
]);

function status(printed: string): unknown {
	const text = lastJsonObject(printed);
	try {
		return text === null ? null : JSON.parse(text);
	} catch {
		return null;
	}
}

/**
 * Whether Claude Code is signed in, by `claude auth status`, which needs no network. It does not know whether the key
 * or the account is still valid.
 */
async function claudeSignIn(look: HarnessLook): Promise<SignIn> {
	if (look.login === "key") return keySignIn(look, CLAUDE_KEYS);
	const result = await look.run(["auth", "status"]);
	const found = status(result.stdout);
	if (fieldAt(found, "loggedIn") === true) {
		const method = textAt(found, "authMethod") ?? "";
		return { ok: true, detail: METHODS.get(method) ?? "signed in", fix: null };
	}
	const fix = "Run `claude auth login`, or write login: key with env: [ANTHROPIC_API_KEY].";
	if (fieldAt(found, "loggedIn") === false) return { ok: false, detail: "not signed in", fix };
	return { ok: "warn", detail: "cannot tell whether it is signed in", fix };
}

/** Claude Code, driven through `claude -p` and its stream of JSON events; tried with 2.1.330. */
export const claude: Harness = {
	name: "claude",
	storeVariables: ["CLAUDE_CONFIG_DIR"],
	keyVariables: CLAUDE_KEYS,
	launch: claudeLaunch,
	reader: (clock) => new ClaudeReader(clock),
	signIn: claudeSignIn,
};
