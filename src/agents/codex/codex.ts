import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type {
	Gateway,
	Harness,
	HarnessLaunch,
	HarnessLook,
	HarnessSeat,
	SignIn,
} from "../harness/harness.ts";
import { MODEL_HOSTS } from "../harness/model-hosts.ts";
import { holdsOption, storeOf } from "../harness/seat-options.ts";
import { signInBy } from "../harness/sign-in.ts";
import { CodexReader, codexTold } from "./codex-reader.ts";

/** Variables that hold a key for Codex: its own, and the one of the API, which `codex exec` does not look at itself. */
const CODEX_KEYS = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

/** The variable with the address of a gateway, as OpenAI's own clients read it. */
const CODEX_ADDRESS = "OPENAI_BASE_URL";

/** Another address of the API; further providers are settings, see `providerSignIn`. */
const CODEX_GATEWAYS: readonly Gateway[] = [
	{ name: "a gateway", variable: CODEX_ADDRESS, keys: CODEX_KEYS, others: [] },
];

/** What a `model_provider` in the arguments says of a sign-in; null where they name none. */
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

/** What to do about a provider in the user's own settings, which no call reads; null without one. */
async function ownProviderFix({ env }: HarnessLook): Promise<string | null> {
	const home = env["CODEX_HOME"] ?? join(env["HOME"] ?? "/", ".codex");
	const settings = await readFile(join(home, "config.toml"), "utf8").catch(() => "");
	const [, provider] = /^\s*model_provider\s*=\s*["']([\w.-]+)["']/m.exec(settings) ?? [];
	return provider === undefined || provider === "openai"
		? null
		: `Your settings name the provider ${provider}, which Sparring does not read: write it into args, see "Custom providers" in docs/user-guide/agents.md.`;
}

/** The account, by `codex login status`, which looks at its file only. */
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

/** What Codex reads besides its command line: hooks and skills, of the user's and of the checkout. */
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

/** Instructions in the checkout are the player's to follow; to a judging role they are part of what is judged. */
const NO_INSTRUCTIONS = ["project_doc_max_bytes=0"];

/** The key is for Codex, not for the commands that it runs. */
const NO_KEYS = [`shell_environment_policy.exclude=${JSON.stringify(CODEX_KEYS)}`];

/** The call has a temporary directory of its own. */
const OWN_TMP = ["sandbox_workspace_write.exclude_slash_tmp=true"];

function sandbox({ confined, rights }: HarnessSeat): string {
	// Its own sandbox cannot be opened inside Sparring's, which gives the same rights.
	if (confined) return "danger-full-access";
	return rights === "read" ? "read-only" : "workspace-write";
}

/** Whether a user's arguments name the model, be it as an option or as a setting. */
function namesModel(args: readonly string[]): boolean {
	const sets = (text: string): boolean => /^(?:(?:-c|--config)[= ]?)?model\s*=/.test(text);
	return holdsOption(args, "--model", "-m") || args.some(sets);
}

const namesProvider = (args: readonly string[]): boolean =>
	args.some((text) => text === "--oss" || /\bmodel_provider\s*=/.test(text));

/** The file in which the user is signed in; undefined when nobody knows where. */
function credentials(seat: HarnessSeat): string | undefined {
	const home = seat.login === "key" ? undefined : storeOf(seat, "CODEX_HOME", ".codex");
	return home === undefined ? undefined : join(home, "auth.json");
}

function keyVariables({ keys = {} }: Pick<HarnessSeat, "keys">): Record<string, string> {
	const key = keys["CODEX_API_KEY"] ?? keys["OPENAI_API_KEY"];
	return key === undefined ? {} : { CODEX_API_KEY: key };
}

/**
 * The provider that a gateway's address stands for: Codex reads no address from its environment. The account's sign-in
 * does not go there, only a key that the workflow passes on. A provider of the user's own arguments comes first.
 */
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

/**
 * How `codex` is started for a seat: `codex exec` without a session that is kept, in its own sandbox, with the prompt
 * on standard input and the report's schema in a file.
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
		...(seat.rights === "write" ? [] : NO_INSTRUCTIONS),
		...gateway(seat),
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
	told: codexTold,
	signIn: signInBy({
		gateways: CODEX_GATEWAYS,
		keyVariables: CODEX_KEYS,
		before: providerSignIn,
		account: codexAccount,
		settingsFix: ownProviderFix,
	}),
};
