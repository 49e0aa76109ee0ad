import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { countAt, fieldAt, jsonIn, listOf, textAt, tokensAt } from "../../kernel/fields.ts";
import { providerFailure } from "../failure-of.ts";
import { type AgentStep, step, toolStep } from "../harness/agent-step.ts";
import {
	type Gateway,
	type Harness,
	type HarnessEnd,
	type HarnessExit,
	type HarnessLaunch,
	type HarnessLook,
	type HarnessReader,
	type HarnessSeat,
	MODEL_HOSTS,
	type SignIn,
	type Spending,
} from "../harness/harness.ts";
import { endedWithoutResult } from "../harness/program-end.ts";
import { holdsOption, serversOf, storeOf } from "../harness/seat-options.ts";
import { signInBy } from "../harness/sign-in.ts";
import { lastLine } from "../quote.ts";

// `last status: 429 Too Many Requests`, `unexpected status 401 Unauthorized`.
const STATUS = /\bstatus:? ([45]\d\d)\b/i;

function spentBy(usage: unknown): Spending | null {
	const inputTokens = tokensAt(usage, "input_tokens");
	const outputTokens = tokensAt(usage, "output_tokens");
	if (inputTokens === null && outputTokens === null) return null;
	return {
		inputTokens,
		cacheReadTokens: tokensAt(usage, "cached_input_tokens"),
		cacheWriteTokens: tokensAt(usage, "cache_write_input_tokens"),
		outputTokens,
		costUsd: null,
		model: null,
	};
}

const plainMessage = (message: string): string =>
	textAt(jsonIn(message), "error", "message") ?? message;

// Text before these may still be the final message.
const NO_TOOLS: ReadonlySet<string> = new Set(["reasoning", "todo_list", "error"]);

/**
 * Reads the events of `codex exec --json`.
 *
 * Answered is a call whose turn ended with `turn.completed` and whose program then exited with 0; the last
 * `agent_message` of this turn, after its last tool, is its final message. An event `error` ends nothing: Codex tells
 * of each of its own retries so. Codex names neither model nor cost, and no tokens of a turn that failed.
 */
class CodexReader implements HarnessReader {
	#message = "";
	#end: "completed" | "failed" | null = null;
	#said = "";
	#spent: Spending | null = null;

	read(event: unknown): void {
		const type = textAt(event, "type") ?? "";
		// A turn that failed is over as well, but for another one that begins.
		if (this.#end === "completed" || (this.#end === "failed" && type !== "turn.started")) return;
		switch (type) {
			case "turn.started":
				this.#end = null;
				this.#message = "";
				break;
			case "item.started":
			case "item.updated":
			case "item.completed":
				this.#item(event, type);
				break;
			case "error":
				this.#said = textAt(event, "message") ?? this.#said;
				break;
			case "turn.completed":
				this.#end = "completed";
				this.#spent = spentBy(fieldAt(event, "usage"));
				break;
			case "turn.failed":
				this.#end = "failed";
				this.#message = "";
				this.#said = textAt(event, "error", "message") ?? this.#said;
				break;
			default:
		}
	}

	#item(event: unknown, news: string): void {
		const kind = textAt(event, "item", "type") ?? "";
		if (kind === "agent_message") {
			if (news === "item.completed") this.#message = textAt(event, "item", "text") ?? "";
		} else if (!NO_TOOLS.has(kind)) this.#message = "";
	}

	end(exit: HarnessExit): HarnessEnd {
		if (this.#end === "completed" && exit.exitCode === 0) {
			return { kind: "answered", message: { text: this.#message }, spent: this.#spent };
		}
		if (this.#end !== "failed") {
			const when = this.#end === null ? "without a result" : "after its result";
			return endedWithoutResult("codex", exit, this.#spent, when);
		}
		const text = this.#said.slice(0, 10_000);
		const [, status] = STATUS.exec(text) ?? [];
		const failure = providerFailure({
			status: status === undefined ? undefined : Number(status),
			text,
		});
		const line = lastLine(plainMessage(text));
		const message = `codex failed${line === "" ? "" : `: ${line}`}`;
		return { kind: "failed", ...failure, message, spent: this.#spent };
	}
}

function commandResult(item: unknown): readonly AgentStep[] {
	const code = countAt(item, "exit_code");
	const said = lastLine(textAt(item, "aggregated_output") ?? "");
	if (code === null || code === 0) return step("result", said);
	return step("result", `failed: exit code ${code}${said === "" ? "" : `: ${said}`}`);
}

function codexSteps(event: unknown): readonly AgentStep[] {
	const item = fieldAt(event, "item");
	const isDone = textAt(event, "type") === "item.completed";
	switch (textAt(item, "type") ?? "") {
		case "agent_message":
		case "reasoning":
			return isDone ? step("says", textAt(item, "text")) : [];
		case "command_execution":
			return isDone ? commandResult(item) : step("runs", textAt(item, "command"));
		case "file_change":
			return isDone
				? []
				: listOf(fieldAt(item, "changes")).flatMap((change) => toolStep("edit", change));
		case "mcp_tool_call":
			return isDone ? [] : step("uses", textAt(item, "tool"));
		case "web_search":
			return isDone ? [] : step("reads", textAt(item, "query"));
		default:
			return [];
	}
}

// Its own, and the one of the API, which `codex exec` does not look at itself.
const CODEX_KEYS = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

const CODEX_ADDRESS = "OPENAI_BASE_URL";

const CODEX_GATEWAYS: readonly Gateway[] = [
	{ name: "a gateway", variable: CODEX_ADDRESS, keys: CODEX_KEYS, others: [] },
];

function providerSignIn({ args = [], env, named }: HarnessLook): SignIn | null {
	const said = args.join("\n");
	if (args.includes("--oss")) return { ok: true, detail: "local models by --oss", fix: null };
	const [, provider] = /\bmodel_provider\s*=\s*["']?([\w.-]+)/.exec(said) ?? [];
	if (provider === undefined || provider === "openai") return null;
	const through = `through the provider ${provider} of args`;
	const [, key] = /\benv_key\s*=\s*["'](\w+)["']/.exec(said) ?? [];
	if (key === undefined) return { ok: true, detail: through, fix: null };
	const isSet = (env[key] ?? "") !== "";
	if (isSet && named.includes(key)) {
		return { ok: true, detail: `${through}, ${key} is set`, fix: null };
	}
	const detail = `${through}, but ${key} is not ${isSet ? "passed on to this agent" : "set"}`;
	const fix = `${isSet ? "Write" : `Set ${key} and write`} env: [${key}] for this agent.`;
	return { ok: false, detail, fix };
}

async function ownProviderFix({ env }: HarnessLook): Promise<string | null> {
	const home = env["CODEX_HOME"] ?? join(env["HOME"] ?? "/", ".codex");
	const settings = await readFile(join(home, "config.toml"), "utf8").catch(() => "");
	const [, provider] = /^\s*model_provider\s*=\s*["']([\w.-]+)["']/m.exec(settings) ?? [];
	return provider === undefined || provider === "openai"
		? null
		: `Your settings name the provider ${provider}, which Sparring does not read: write it into args, see "Custom providers" in docs/user-guide/agents.md.`;
}

// Codex looks at its file only.
async function codexAccount(look: HarnessLook): Promise<SignIn> {
	const result = await look.run(["login", "status"]);
	const said = `${result.stdout}\n${result.stderr}`;
	const fix = "Run `codex login`, or write login: key with env: [CODEX_API_KEY].";
	if (/\bnot logged in\b/i.test(said)) return { ok: false, detail: "not signed in", fix };
	if (result.exitCode !== 0) {
		return { ok: "warn", detail: "cannot tell whether it is signed in", fix };
	}
	const how = /api key/i.test(said) ? "by key" : "with an account";
	return { ok: true, detail: `signed in ${how}`, fix: null };
}

const SHUT_OFF = [
	"features.hooks=false",
	// Else it asks outside for a catalogue of plugins at every start.
	"features.plugins=false",
	"skills.include_instructions=false",
];

const QUIET = [
	"check_for_update_on_startup=false",
	"analytics.enabled=false",
	'otel.exporter="none"',
	'web_search="disabled"',
];

// A player gets those of the base in its prompt; in its checkout stand those that it may have written itself.
const NO_INSTRUCTIONS = ["project_doc_max_bytes=0"];

// The key is for Codex, not for the commands that it runs.
const NO_KEYS = [`shell_environment_policy.exclude=${JSON.stringify(CODEX_KEYS)}`];

const OWN_TMP = ["sandbox_workspace_write.exclude_slash_tmp=true"];

function sandbox({ confined, rights }: HarnessSeat): string {
	// Its own sandbox cannot be opened inside Sparring's, which gives the same rights.
	if (confined) return "danger-full-access";
	return rights === "read" ? "read-only" : "workspace-write";
}

function namesModel(args: readonly string[]): boolean {
	const sets = (text: string): boolean => /^(?:(?:-c|--config)[= ]?)?model\s*=/.test(text);
	return holdsOption(args, "--model", "-m") || args.some(sets);
}

const namesProvider = (args: readonly string[]): boolean =>
	args.some((text) => text === "--oss" || /\bmodel_provider\s*=/.test(text));

function credentials(seat: HarnessSeat): string | undefined {
	const home = seat.login === "key" ? undefined : storeOf(seat, "CODEX_HOME", ".codex");
	return home === undefined ? undefined : join(home, "auth.json");
}

function keyVariables({ keys = {} }: Pick<HarnessSeat, "keys">): Record<string, string> {
	const key = keys["CODEX_API_KEY"] ?? keys["OPENAI_API_KEY"];
	return key === undefined ? {} : { CODEX_API_KEY: key };
}

// Codex reads no address from its environment. The account's sign-in does not go there, only a key that the workflow
// passes on. A provider of the user's own arguments comes first.
function gateway({ keys = {}, args }: HarnessSeat): string[] {
	const address = keys[CODEX_ADDRESS] ?? "";
	if (address === "" || namesProvider(args)) return [];
	const settings = [
		'name="gateway"',
		`base_url=${JSON.stringify(address)}`,
		'wire_api="responses"',
		...("CODEX_API_KEY" in keyVariables({ keys }) ? ['env_key="CODEX_API_KEY"'] : []),
	];
	return ['model_provider="gateway"', `model_providers.gateway={${settings.join(",")}}`];
}

// Nobody is there to be asked for each call of a tool.
function servers(seat: HarnessSeat): string[] {
	return Object.entries(serversOf(seat, String)).map(([name, { command, args, env }]) => {
		const settings = [
			`command=${JSON.stringify(command)}`,
			`args=${JSON.stringify(args)}`,
			`env_vars=${JSON.stringify(Object.keys(env))}`,
			'default_tools_approval_mode="approve"',
		];
		return `mcp_servers.${name}={${settings.join(",")}}`;
	});
}

/**
 * Starts `codex exec` without a session that is kept, in its own sandbox.
 *
 * It has to write to its home directory, where settings, hooks, rules and instructions lie as well. So each call has a
 * private one, in which the user's sign-in, and nothing else, is linked. The home does not lie below `TMPDIR`: Codex
 * puts no programs there, and without them no command of its sandbox runs.
 */
export function codexLaunch(seat: HarnessSeat): HarnessLaunch {
	const home = join(seat.home, ".codex");
	const schemaPath = join(seat.home, "report.schema.json");
	const signedIn = credentials(seat);
	const model = namesModel(seat.args) ? null : (seat.model ?? null);
	const settings = [
		...QUIET,
		...SHUT_OFF,
		...NO_KEYS,
		...OWN_TMP,
		...NO_INSTRUCTIONS,
		...gateway(seat),
		...servers(seat),
	];
	return {
		args: [
			"exec",
			"--json",
			"--ephemeral",
			"--skip-git-repo-check",
			"--ignore-user-config",
			"--ignore-rules",
			"--sandbox",
			sandbox(seat),
			...settings.flatMap((setting) => ["-c", setting]),
			...(seat.schema === null ? [] : ["--output-schema", schemaPath]),
			...(model === null ? [] : ["--model", model]),
			...seat.args,
		],
		model,
		env: { CODEX_HOME: home, ...keyVariables(seat) },
		files: {
			[join(home, "config.toml")]: "",
			...(seat.schema === null ? {} : { [schemaPath]: JSON.stringify(seat.schema) }),
		},
		links: signedIn === undefined ? {} : { [join(home, "auth.json")]: signedIn },
		stdin: seat.prompt,
		// Codex replaces the file of its sign-in; a sandbox would have to open the whole directory for that.
		writable: [],
	};
}

/** Codex, driven through `codex exec --json`. */
export const codex: Harness = {
	name: "codex",
	package: { name: "@openai/codex", version: "0.169.0" },
	hosts: MODEL_HOSTS.openai,
	homes: [".codex"],
	storeVariables: ["CODEX_HOME"],
	keyVariables: CODEX_KEYS,
	gateways: CODEX_GATEWAYS,
	launch: codexLaunch,
	reader: () => new CodexReader(),
	steps: codexSteps,
	signIn: signInBy({
		gateways: CODEX_GATEWAYS,
		keyVariables: CODEX_KEYS,
		before: providerSignIn,
		account: codexAccount,
		settingsFix: ownProviderFix,
	}),
};
