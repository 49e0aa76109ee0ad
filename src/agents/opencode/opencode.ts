import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { assertNever } from "../../kernel/assert-never.ts";
import { systemCode } from "../../kernel/system-code.ts";
import { textOfFile } from "../call-files.ts";
import { homeVariables } from "../call-home.ts";
import {
	type Gateway,
	type Harness,
	type HarnessLaunch,
	type HarnessLook,
	type HarnessSeat,
	type HarnessSurvey,
	MODEL_HOSTS,
	type SignIn,
} from "../harness/harness.ts";
import { holdsOption, modelOf, serversOf, storeOf } from "../harness/seat-options.ts";
import { signInBy } from "../harness/sign-in.ts";
import { OpencodeReader, opencodeSteps } from "./opencode-reader.ts";

const OPENCODE_KEYS: readonly string[] = [
	"ANTHROPIC_API_KEY",
	"OPENAI_API_KEY",
	"GOOGLE_GENERATIVE_AI_API_KEY",
	"GEMINI_API_KEY",
	"OPENROUTER_API_KEY",
	"OPENCODE_API_KEY",
	"DEEPSEEK_API_KEY",
	"GROQ_API_KEY",
	"MISTRAL_API_KEY",
	"XAI_API_KEY",
];

const LIKE_KEY = /_API_?KEY$|^AWS_(?:PROFILE|ACCESS_KEY_ID|BEARER_TOKEN_BEDROCK)$/;

const OPENCODE_GATEWAYS: readonly Gateway[] = [
	{ name: "a provider of its own", variable: "OPENCODE_CONFIG", keys: [], others: [] },
];

async function ownProviderFix({ env }: HarnessLook): Promise<string | null> {
	const config = env["XDG_CONFIG_HOME"] ?? join(env["HOME"] ?? "/", ".config");
	for (const name of ["opencode.json", "opencode.jsonc"]) {
		const file = join(config, "opencode", name);
		const text = await readFile(file, "utf8").catch(() => "");
		if (!/"provider"\s*:/.test(text)) continue;
		return `Sparring does not read ${file}: to use its providers, set OPENCODE_CONFIG to it and write env: [OPENCODE_CONFIG] for this agent.`;
	}
	return null;
}

const FIX =
	"Run `opencode auth login`, or write login: key with env: [...] naming your provider's key.";

// It needs no network, and does not know whether one of the accounts is the provider of the agent's model.
async function opencodeAccount(look: HarnessLook): Promise<SignIn> {
	const result = await look.run(["auth", "list"]);
	const [, count] = /\b(\d{1,4}) credentials?\b/.exec(`${result.stdout}\n${result.stderr}`) ?? [];
	if (count === undefined || count === "0") {
		const detail =
			count === undefined
				? "cannot tell whether it is signed in"
				: "not signed in to any provider: only free models will work";
		return { ok: "warn", detail, fix: FIX };
	}
	const detail = count === "1" ? "signed in to 1 provider" : `signed in to ${count} providers`;
	return { ok: true, detail, fix: null };
}

type Decision = "allow" | "deny";

// By tool; of the patterns of one tool the last that fits decides. `edit` stands for every tool that writes files,
// `task` for agents below, whose tokens nobody would count.
type Permission = Readonly<Record<string, Decision | Readonly<Record<string, Decision>>>>;

const READING = { read: "allow", glob: "allow", grep: "allow", list: "allow" } as const;

const READING_GIT: Readonly<Record<string, Decision>> = {
	"*": "deny",
	...Object.fromEntries(
		["diff", "log", "show", "status", "blame"].flatMap((command) => [
			[`git ${command}`, "allow"],
			[`git ${command} *`, "allow"],
		]),
	),
	...Object.fromEntries(
		["--ou", ">", "<", '"', "'", "\\", "$", "`", "{", "|", "&", ";", "\n"].map((part) => [
			`*${part}*`,
			"deny",
		]),
	),
};

// Asking would end the turn: nobody is there to answer.
function outside({ rights, workDir, confined }: HarnessSeat): Permission {
	if (confined && rights === "write") return { external_directory: "allow" };
	const own = { [join(workDir, "*")]: "allow", [join(workDir, "**")]: "allow" } as const;
	return { external_directory: { "*": "deny", ...own } };
}

export function opencodePermission(seat: HarnessSeat): Permission {
	const { rights } = seat;
	switch (rights) {
		case "write":
			return {
				"*": "allow",
				task: "deny",
				webfetch: "deny",
				websearch: "deny",
				skill: "deny",
				question: "deny",
				plan_enter: "deny",
				plan_exit: "deny",
				...outside(seat),
			};
		case "restricted":
			return {
				"*": "deny",
				...READING,
				edit: "allow",
				bash: READING_GIT,
				...outside(seat),
			};
		case "read":
			return { "*": "deny", ...READING, ...outside(seat) };
		default:
			return assertNever(rights);
	}
}

const AGENT = "sparring";

const SWITCHED_OFF = [
	"PROJECT_CONFIG",
	"AUTOUPDATE",
	"MODELS_FETCH",
	"LSP_DOWNLOAD",
	"DEFAULT_PLUGINS",
	"SHARE",
	"CLAUDE_CODE",
	"EXTERNAL_SKILLS",
	"TERMINAL_TITLE",
] as const;

// It installs this package into its configuration's directory, from the network, unless it seems to be there.
const PLUGIN_API = "@opencode-ai/plugin";

function configuration(seat: HarnessSeat): string {
	const permission = opencodePermission(seat);
	const servers = Object.entries(serversOf(seat, (variable) => `{env:${variable}}`));
	const mcp = servers.map(([name, { command, args, env }]) => {
		const server = { type: "local", command: [command, ...args], environment: env, enabled: true };
		return [name, server] as const;
	});
	return JSON.stringify({
		$schema: "https://opencode.ai/config.json",
		autoupdate: false,
		share: "disabled",
		// Its copies of the checkout, for undoing, cost time and are never looked at.
		snapshot: false,
		default_agent: AGENT,
		mcp: Object.fromEntries(mcp),
		permission,
		agent: { [AGENT]: { mode: "primary", description: "Works for Sparring.", permission } },
	});
}

/**
 * Starts `opencode run` with an agent of its own: the built-in agent `plan` may run any command, so it is for no seat.
 *
 * Each call has a private home for configuration, sessions, caches and `~/.opencode`, in which the file of the user's
 * sign-in is linked; it is written in place. A provider of the user's own is known from `env: [OPENCODE_CONFIG]` only.
 * Without a model opencode chooses. What the checkout holds is not read, but for plugins: see `opencodeSurvey`.
 */
export function opencodeLaunch(seat: HarnessSeat): HarnessLaunch {
	const { found = {}, home, args } = seat;
	const model = modelOf(seat, "--model", "-m");
	// Commands still see the user's `HOME`.
	const { HOME: _, ...folders } = homeVariables(home);
	const { XDG_CONFIG_HOME: config = "", XDG_DATA_HOME: data = "" } = folders;
	const signIn = found["signIn"];
	const wanted = { dependencies: { [PLUGIN_API]: "*" } };
	const switches: Record<string, string> = {};
	for (const name of SWITCHED_OFF) switches[`OPENCODE_DISABLE_${name}`] = "1";
	return {
		args: [
			"run",
			"--format",
			"json",
			"--agent",
			AGENT,
			// With a title given it asks no model for one.
			"--title",
			AGENT,
			...(holdsOption(args, "--no-pure") ? [] : ["--pure"]),
			...(model === null ? [] : ["--model", model]),
			...args,
		],
		model,
		env: {
			...folders,
			// Only where it looks for `.opencode`; commands still see the user's `HOME`.
			OPENCODE_TEST_HOME: home,
			OPENCODE_CONFIG_CONTENT: configuration(seat),
			...switches,
		},
		files: {
			[join(config, "opencode/node_modules/.keep")]: "",
			[join(config, "opencode/package.json")]: JSON.stringify(wanted),
			[join(config, "opencode/package-lock.json")]: JSON.stringify({ packages: { "": wanted } }),
		},
		links: signIn === undefined ? {} : { [join(data, "opencode/auth.json")]: signIn },
		stdin: seat.prompt,
		writable: signIn === undefined ? [] : [signIn],
	};
}

/** opencode, driven through `opencode run`. */
export const opencode: Harness = {
	name: "opencode",
	package: { name: "opencode-ai", version: "1.18.33" },
	hosts: [
		...Object.values(MODEL_HOSTS).flat(),
		"openrouter.ai",
		"opencode.ai",
		"models.dev",
		"api.githubcopilot.com",
		"api.github.com",
	],
	homes: [".config/opencode", ".local/share/opencode"],
	storeVariables: ["XDG_DATA_HOME"],
	keyVariables: OPENCODE_KEYS,
	gateways: OPENCODE_GATEWAYS,
	survey: opencodeSurvey,
	launch: opencodeLaunch,
	reader: () => new OpencodeReader(),
	steps: opencodeSteps,
	signIn: signInBy({
		gateways: OPENCODE_GATEWAYS,
		keyVariables: OPENCODE_KEYS,
		isKey: (name, { login }) => login === "key" || LIKE_KEY.test(name),
		account: opencodeAccount,
		settingsFix: ownProviderFix,
	}),
};

function storedSignIn(seat: HarnessSeat): string | undefined {
	const shared = seat.login === "key" ? undefined : storeOf(seat, "XDG_DATA_HOME", ".local/share");
	return shared === undefined ? undefined : join(shared, "opencode", "auth.json");
}

const CONFIGURATIONS = [
	"opencode.json",
	"opencode.jsonc",
	".opencode/opencode.json",
	".opencode/opencode.jsonc",
] as const;

// A longer configuration counts as naming a plugin. In bytes.
const LIMIT = 1_000_000;

async function folderOfPlugins(cwd: string): Promise<string | null> {
	const folder = join(cwd, ".opencode");
	try {
		const names = await readdir(folder);
		const found = names.find((name) => /^plugins?$/i.test(name));
		return found === undefined ? null : `.opencode/${found}`;
	} catch {
		return null;
	}
}

async function namesPlugin(path: string): Promise<boolean> {
	try {
		const text = await textOfFile(path, LIMIT + 1);
		// What is not a plain file of a plain size was put there by somebody who knows why.
		if (text === null || Buffer.byteLength(text) > LIMIT) return true;
		// JSON may spell a letter as \u0070.
		return /plugin|\\u/i.test(text);
	} catch (error) {
		const code = systemCode(error);
		return code !== "ENOENT" && code !== "ENOTDIR";
	}
}

async function plugins(cwd: string): Promise<string | null> {
	const folder = await folderOfPlugins(cwd);
	if (folder !== null) return folder;
	for (const path of CONFIGURATIONS) {
		if (await namesPlugin(join(cwd, path))) return path;
	}
	return null;
}

/**
 * Looks for plugins in the checkout. opencode 1.18 runs them in its own process whatever its switches say, with the
 * user's sign-in at hand; another agent may have planted them, so the call is refused then. A user who trusts them
 * writes `args: ["--no-pure"]`.
 */
async function opencodeSurvey(seat: HarnessSeat): Promise<HarnessSurvey> {
	const path = storedSignIn(seat);
	const found: Record<string, string> =
		path !== undefined && existsSync(path) ? { signIn: path } : {};
	const plugin = holdsOption(seat.args, "--no-pure") ? null : await plugins(seat.cwd);
	if (plugin === null) return { found, refusal: null };
	const refusal = `opencode would run plugins from the checkout (${plugin}); remove them, or write args: ["--no-pure"] for this agent`;
	return { found, refusal };
}
