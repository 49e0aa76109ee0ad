import { fieldAt, textAt } from "../fields.ts";
import { gatewayFix, throughGateway } from "../harness/gateway.ts";
import type { Gateway, Harness, HarnessLook, SignIn } from "../harness/harness.ts";
import { keySignIn } from "../harness/key-sign-in.ts";
import { MODEL_HOSTS } from "../harness/model-hosts.ts";
import { lastJsonObject } from "../last-json.ts";
import { claudeLaunch } from "./claude-launch.ts";
import { ClaudeReader, claudeTold } from "./claude-reader.ts";

/** Variables that sign Claude Code in: a key of the API, a bearer token, a token of `claude setup-token`. */
const CLAUDE_KEYS = [
	"ANTHROPIC_API_KEY",
	"ANTHROPIC_AUTH_TOKEN",
	"CLAUDE_CODE_OAUTH_TOKEN",
] as const;

/** Other ways to Claude Code's models. */
const CLAUDE_GATEWAYS: readonly Gateway[] = [
	{
		name: "Amazon Bedrock",
		variable: "CLAUDE_CODE_USE_BEDROCK",
		keys: [],
		others: [
			"AWS_REGION",
			"AWS_PROFILE",
			"AWS_ACCESS_KEY_ID",
			"AWS_SECRET_ACCESS_KEY",
			"AWS_SESSION_TOKEN",
			"AWS_BEARER_TOKEN_BEDROCK",
			"ANTHROPIC_BEDROCK_BASE_URL",
		],
	},
	{
		name: "Google Vertex AI",
		variable: "CLAUDE_CODE_USE_VERTEX",
		keys: [],
		others: [
			"CLOUD_ML_REGION",
			"ANTHROPIC_VERTEX_PROJECT_ID",
			"GOOGLE_APPLICATION_CREDENTIALS",
			"ANTHROPIC_VERTEX_BASE_URL",
		],
	},
	{
		name: "Microsoft Foundry",
		variable: "CLAUDE_CODE_USE_FOUNDRY",
		keys: [],
		others: [
			"ANTHROPIC_FOUNDRY_RESOURCE",
			"ANTHROPIC_FOUNDRY_BASE_URL",
			"ANTHROPIC_FOUNDRY_API_KEY",
		],
	},
	{
		name: "a gateway",
		variable: "ANTHROPIC_BASE_URL",
		keys: ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"],
		others: ["ANTHROPIC_CUSTOM_HEADERS"],
	},
];

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
 * or the account is still valid. A cloud or a gateway that the workflow passes on is as good.
 */
async function claudeSignIn(look: HarnessLook): Promise<SignIn> {
	const through = throughGateway(look, CLAUDE_GATEWAYS);
	if (through?.ok === true) return through;
	if (look.login === "key") {
		const byKey = keySignIn(look, CLAUDE_KEYS);
		return byKey.ok === true ? byKey : (through ?? byKey);
	}
	const result = await look.run(["auth", "status"]);
	const found = status(result.stdout);
	if (fieldAt(found, "loggedIn") === true) {
		const method = textAt(found, "authMethod") ?? "";
		return { ok: true, detail: METHODS.get(method) ?? "signed in", fix: null };
	}
	if (through !== null) return through;
	const account = "Run `claude auth login`, or write login: key with env: [ANTHROPIC_API_KEY].";
	const fix = gatewayFix(look, CLAUDE_GATEWAYS) ?? account;
	if (fieldAt(found, "loggedIn") === false) return { ok: false, detail: "not signed in", fix };
	return { ok: "warn", detail: "cannot tell whether it is signed in", fix };
}

/** Claude Code, driven through `claude -p` and its stream of JSON events. */
export const claude: Harness = {
	name: "claude",
	package: { name: "@anthropic-ai/claude-code", version: "2.1.330" },
	hosts: MODEL_HOSTS.anthropic,
	homes: [".claude", ".claude.json"],
	storeVariables: ["CLAUDE_CONFIG_DIR"],
	keyVariables: CLAUDE_KEYS,
	gateways: CLAUDE_GATEWAYS,
	launch: claudeLaunch,
	reader: (clock) => new ClaudeReader(clock),
	told: claudeTold,
	signIn: claudeSignIn,
};
