import { join } from "node:path";
import { fieldAt, jsonIn, textAt } from "../../kernel/fields.ts";
import {
	type Gateway,
	type Harness,
	type HarnessLaunch,
	type HarnessLook,
	type HarnessSeat,
	MODEL_HOSTS,
	type SignIn,
} from "../harness/harness.ts";
import { modelOf, serversOf, storeOf } from "../harness/seat-options.ts";
import { signInBy } from "../harness/sign-in.ts";
import { lastJsonObject } from "../json-text.ts";
import type { Rights } from "../rights.ts";
import { ClaudeReader, claudeSteps } from "./claude-reader.ts";

const CLAUDE_KEYS = [
	"ANTHROPIC_API_KEY",
	"ANTHROPIC_AUTH_TOKEN",
	"CLAUDE_CODE_OAUTH_TOKEN",
] as const;

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

const METHODS: ReadonlyMap<string, string> = new Map([
	["claude.ai", "signed in with a Claude account"],
	["api_key", "signed in by key"],
	["oauth_token", "signed in by token"],
	["third_party", "signed in through another provider"],
]);

// It needs no network and does not know whether the account is still valid.
async function claudeAccount(look: HarnessLook): Promise<SignIn> {
	const found = jsonIn(lastJsonObject((await look.run(["auth", "status"])).stdout) ?? "");
	if (fieldAt(found, "loggedIn") === true) {
		const method = textAt(found, "authMethod") ?? "";
		return { ok: true, detail: METHODS.get(method) ?? "signed in", fix: null };
	}
	const fix = "Run `claude auth login`, or write login: key with env: [ANTHROPIC_API_KEY].";
	return fieldAt(found, "loggedIn") === false
		? { ok: false, detail: "not signed in", fix }
		: { ok: "warn", detail: "cannot tell whether it is signed in", fix };
}

// Without a rule nothing but Claude Code's own safe commands runs: it knows that `git diff --output=x` writes.
const READING = ["Read", "Grep", "Glob", "Bash"] as const;
const EDITING = [...READING, "Edit", "Write", "NotebookEdit"] as const;
const WORKING = [...EDITING, "Task", "TaskStop", "TodoWrite"] as const;

// Other places that may be read are not for writing.
const EDIT_HERE = "Edit(./**)";

const TOOLS: Readonly<Record<Rights, readonly string[]>> = {
	read: READING,
	restricted: EDITING,
	write: WORKING,
};

const ALLOWED: Readonly<Record<Rights, readonly string[]>> = {
	read: [],
	restricted: [EDIT_HERE],
	write: [EDIT_HERE, "Bash"],
};

const SHUT_OFF = ["--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"];

const QUIET = {
	// What it remembers of earlier sessions in the same directory is no part of a fresh context.
	CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
	CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
	DISABLE_AUTOUPDATER: "1",
	DISABLE_ERROR_REPORTING: "1",
	DISABLE_TELEMETRY: "1",
	// It would put each command into a sandbox of its own, which litters the checkout and cannot open inside
	// Sparring's.
	CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: "0",
	// The loop tries again itself, with pauses that it can end.
	CLAUDE_CODE_MAX_RETRIES: "2",
};

/**
 * Starts `claude` headless, on a session that is not kept, under the mode in which whatever no rule allows is refused.
 */
export function claudeLaunch(seat: HarnessSeat): HarnessLaunch {
	const mcpServers = serversOf(seat, (variable) => `\${${variable}}`);
	const names = Object.keys(mcpServers);
	const allowed = [...ALLOWED[seat.rights], ...names.map((name) => `mcp__${name}`)];
	const store = storeOf(seat, "CLAUDE_CONFIG_DIR", ".claude");
	const model = modelOf(seat, "--model");
	return {
		args: [
			"-p",
			"--output-format",
			"stream-json",
			"--verbose",
			"--no-session-persistence",
			...SHUT_OFF,
			"--tools",
			TOOLS[seat.rights].join(","),
			...(allowed.length === 0 ? [] : ["--allowedTools", allowed.join(",")]),
			...(names.length === 0 ? [] : ["--mcp-config", JSON.stringify({ mcpServers })]),
			"--add-dir",
			seat.workDir,
			"--permission-mode",
			"dontAsk",
			...(seat.schema === null ? [] : ["--json-schema", JSON.stringify(seat.schema)]),
			...(model === null ? [] : ["--model", model]),
			...seat.args,
		],
		model,
		env: {
			...QUIET,
			...(seat.login === "key" ? { CLAUDE_CONFIG_DIR: join(seat.home, ".claude") } : {}),
		},
		files: {},
		stdin: seat.prompt,
		writable:
			seat.login === "user" && store !== undefined ? [join(store, ".credentials.json")] : [],
	};
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
	steps: claudeSteps,
	signIn: signInBy({
		gateways: CLAUDE_GATEWAYS,
		keyVariables: CLAUDE_KEYS,
		account: claudeAccount,
	}),
};
