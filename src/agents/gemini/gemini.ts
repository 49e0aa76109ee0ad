import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { assertNever } from "../../kernel/assert-never.ts";
import { systemCode } from "../../kernel/system-code.ts";
import { textOfFile } from "../call-files.ts";
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
import { holdsOption, modelOf, serversOf } from "../harness/seat-options.ts";
import { signInBy } from "../harness/sign-in.ts";
import type { Rights } from "../rights.ts";
import { GeminiReader, geminiSteps } from "./gemini-reader.ts";

const GEMINI_KEYS = ["GEMINI_API_KEY", "GOOGLE_API_KEY"] as const;

const FIX =
	"Run `gemini` and choose how to sign in, or write login: key with env: [GEMINI_API_KEY].";

const GEMINI_GATEWAYS: readonly Gateway[] = [
	{
		name: "Vertex AI",
		variable: "GOOGLE_GENAI_USE_VERTEXAI",
		keys: [],
		others: [
			"GOOGLE_API_KEY",
			"GOOGLE_CLOUD_PROJECT",
			"GOOGLE_CLOUD_LOCATION",
			"GOOGLE_APPLICATION_CREDENTIALS",
		],
	},
	{
		name: "Google Cloud",
		variable: "GOOGLE_GENAI_USE_GCA",
		keys: [],
		others: ["GOOGLE_CLOUD_ACCESS_TOKEN", "GOOGLE_CLOUD_PROJECT"],
	},
	{
		name: "a gateway",
		variable: "GOOGLE_GEMINI_BASE_URL",
		keys: GEMINI_KEYS,
		others: [],
	},
];

const ELSEWHERE: Readonly<Record<string, string>> = {
	"oauth-personal": "signs in with Google; its credentials are not in a file",
	"gemini-api-key": "signs in with a key that it stores itself",
	"vertex-ai": "signs in through Vertex AI",
};

// By its files: it has no command that tells.
async function geminiAccount({ env }: HarnessLook): Promise<SignIn> {
	const home = env["GEMINI_CLI_HOME"] ?? env["HOME"];
	if (home === undefined) {
		return { ok: "warn", detail: "cannot tell whether it is signed in", fix: FIX };
	}
	const { selectedType, files, envFile } = await geminiStore(home);
	if (selectedType === "oauth-personal" && files["oauth_creds.json"] !== undefined) {
		return { ok: true, detail: "signed in with a Google account", fix: null };
	}
	if (selectedType !== null) {
		const detail = ELSEWHERE[selectedType] ?? `signs in with ${selectedType}`;
		return { ok: "warn", detail: `${detail}: only a call can tell whether it works`, fix: null };
	}
	return envFile === null
		? { ok: false, detail: "not signed in", fix: FIX }
		: { ok: "warn", detail: `takes its key from ${envFile}, if it holds one`, fix: null };
}

const READING = ["read_file", "read_many_files", "list_directory", "glob", "grep_search"] as const;
const EDITING = ["write_file", "replace"] as const;

function rule(
	tools: readonly string[],
	decision: "allow" | "deny",
	priority: number,
	more = "",
): string {
	const names = JSON.stringify(tools);
	return `[[rule]]\ntoolName = ${names}\ndecision = "${decision}"\npriority = ${priority}\n${more}`;
}

// A tool that is denied without a condition is not even offered to the model.
const only = (tools: readonly string[]): string =>
	[rule(tools, "allow", 500), rule(["*"], "deny", 400)].join("\n");

/**
 * The rules of Gemini CLI's policy engine (TOML) for a seat, written for its approval mode `default`, in which it asks
 * nobody when it has no terminal: whatever is not allowed here is denied.
 *
 * Neither the restricted nor the reading seat has a shell: in a checkout that is not trusted Gemini CLI runs no git
 * command, whatever a rule says, and no other command is for them.
 */
function geminiPolicy(rights: Rights): string {
	switch (rights) {
		case "write":
			return [
				rule(EDITING, "allow", 500),
				rule(["run_shell_command"], "allow", 500, "allowRedirection = true\n"),
				// Leaving plan mode would change the approval mode.
				rule(["enter_plan_mode", "exit_plan_mode"], "deny", 900),
			].join("\n");
		case "restricted":
			return only([...READING, ...EDITING]);
		case "read":
			return only(READING);
		default:
			return assertNever(rights);
	}
}

// Without one Gemini CLI asks another model which to take, and may wait for that for minutes.
const DEFAULT_MODEL = "gemini-2.5-pro";

function signInType({ keys = {}, found = {} }: HarnessSeat): string | undefined {
	if (keys["GEMINI_API_KEY"] !== undefined) return "gemini-api-key";
	if (keys["GOOGLE_API_KEY"] !== undefined) return "vertex-ai";
	return found["selectedType"];
}

function settings(seat: HarnessSeat): string {
	const selectedType = signInType(seat);
	return JSON.stringify({
		security: {
			auth: selectedType === undefined ? undefined : { selectedType },
			// Else a checkout that is not trusted is refused; whether it is, a variable says.
			folderTrust: { enabled: false },
		},
		general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
		// A `.env` of the checkout holds what its tests need, or what somebody planted.
		advanced: { ignoreLocalEnv: true },
		context: { includeDirectories: [seat.workDir] },
		// In a checkout that it does not trust it starts none.
		mcpServers: serversOf(seat, (variable) => `$${variable}`),
		hooksConfig: { enabled: false },
		skills: { enabled: false },
		experimental: { enableAgents: false },
		ide: { enabled: false },
		privacy: { usageStatisticsEnabled: false },
		telemetry: { enabled: false },
	});
}

function signIn({ login, found = {} }: HarnessSeat, home: string): Record<string, string> {
	const links: Record<string, string> = {};
	if (login === "key") return links;
	for (const name of SIGN_IN_FILES) {
		const target = found[name];
		if (target !== undefined) links[join(home, ".gemini", name)] = target;
	}
	const { envFile } = found;
	if (envFile !== undefined) links[join(home, ".env")] = envFile;
	return links;
}

/**
 * Starts `gemini` headless, with rules of its own.
 *
 * Its settings, hooks, MCP servers, extensions, policies and memory all lie beside its sign-in, and no option shuts
 * hooks off. So each call has a private home (`GEMINI_CLI_HOME`), in which the files of the user's sign-in are linked.
 * Of a `.env` file there only keys and the project of Google Cloud are taken, unless the checkout is trusted. What lies
 * in the checkout is shut off by not trusting it; see `geminiSurvey` for the one exception. There is no schema option,
 * so the report is asked for in the prompt only.
 */
export function geminiLaunch(seat: HarnessSeat): HarnessLaunch {
	const { found = {}, home, args } = seat;
	const model = modelOf({ ...seat, model: seat.model ?? DEFAULT_MODEL }, "--model", "-m");
	const trusted = found["trusted"] === "yes";
	const links = signIn(seat, home);
	return {
		args: [
			...(model === null ? [] : ["--model", model]),
			...(holdsOption(args, "--approval-mode", "--yolo", "-y")
				? []
				: // In any other mode a shell refuses git in some places, and `rm -rf` in all.
					["--approval-mode", trusted ? "yolo" : "default"]),
			"--extensions",
			"none",
			"--output-format",
			"stream-json",
			"--prompt",
			"",
			...args,
		],
		model,
		env: {
			GEMINI_CLI_HOME: home,
			GEMINI_CLI_TRUST_WORKSPACE: String(trusted),
			GEMINI_CLI_NO_RELAUNCH: "1",
			GEMINI_TELEMETRY_ENABLED: "false",
			NO_BROWSER: "1",
		},
		files: {
			[join(home, ".gemini", "settings.json")]: settings(seat),
			[join(home, ".gemini", "policies", "seat.toml")]: geminiPolicy(seat.rights),
		},
		links,
		// A prompt that begins with a slash would be taken for a command.
		stdin: seat.prompt.startsWith("/") ? `\n${seat.prompt}` : seat.prompt,
		writable: Object.values(links).filter((path) => path !== found["envFile"]),
	};
}

/** Gemini CLI, driven headless. */
export const gemini: Harness = {
	name: "gemini",
	package: { name: "@google/gemini-cli", version: "0.61.0" },
	hosts: MODEL_HOSTS.google,
	homes: [".gemini"],
	storeVariables: ["GEMINI_CLI_HOME"],
	keyVariables: GEMINI_KEYS,
	gateways: GEMINI_GATEWAYS,
	survey: geminiSurvey,
	launch: geminiLaunch,
	reader: () => new GeminiReader(),
	steps: geminiSteps,
	signIn: signInBy({
		gateways: GEMINI_GATEWAYS,
		keyVariables: GEMINI_KEYS,
		account: geminiAccount,
	}),
};

// Settings, hooks or variables for Gemini CLI; whatever cannot be told counts as yes.
async function holdsSettings(cwd: string): Promise<boolean> {
	try {
		await lstat(join(cwd, ".gemini"));
		return true;
	} catch (error) {
		return systemCode(error) !== "ENOENT";
	}
}

// No setting keeps it from reading this file in a checkout that it trusts. So the file must hold what the prompt tells of
// the base, and no text that a player wrote.
async function isTold({ cwd, prompt }: HarnessSeat): Promise<boolean> {
	const text = textOfFile(join(cwd, "GEMINI.md"), SETTINGS_LIMIT);
	const memory = await text.catch((error: unknown) => (systemCode(error) === "ENOENT" ? "" : null));
	return memory !== null && prompt.includes(memory.trim());
}

/**
 * Looks at how the user is signed in, and whether the checkout may be trusted, which Gemini CLI asks for before a shell
 * runs all that it is told to. Trust also switches on what stands in the checkout's `.gemini`, so a checkout with one
 * is never trusted; nor is one whose `GEMINI.md` differs from the base's, or one for a seat that does not build.
 */
async function geminiSurvey(seat: HarnessSeat): Promise<HarnessSurvey> {
	const trusted =
		seat.rights === "write" && !(await holdsSettings(seat.cwd)) && (await isTold(seat));
	const found: Record<string, string> = trusted ? { trusted: "yes" } : {};
	const home = seat.store["GEMINI_CLI_HOME"] ?? seat.userHome;
	if (seat.login === "key" || home === undefined) return { found, refusal: null };
	const { selectedType, files, envFile } = await geminiStore(home);
	if (selectedType !== null) found["selectedType"] = selectedType;
	if (envFile !== null) found["envFile"] = envFile;
	return { found: { ...found, ...files }, refusal: null };
}

const SIGN_IN_FILES = [
	"oauth_creds.json",
	"google_accounts.json",
	"gemini-credentials.json",
] as const;

// In bytes.
const SETTINGS_LIMIT = 1_000_000;

interface GeminiStore {
	readonly selectedType: string | null;
	readonly files: Readonly<Record<string, string>>;
	// From which Gemini CLI takes a key.
	readonly envFile: string | null;
}

// The settings may hold comments, so only the one word is looked for that is needed.
async function geminiStore(home: string): Promise<GeminiStore> {
	const store = join(home, ".gemini");
	const settings = textOfFile(join(store, "settings.json"), SETTINGS_LIMIT).catch(() => null);
	const [, selectedType = null] =
		/"selected(?:Auth)?Type"\s*:\s*"([\w-]{1,40})"/.exec((await settings) ?? "") ?? [];
	const files: Record<string, string> = {};
	for (const name of SIGN_IN_FILES) {
		if (existsSync(join(store, name))) files[name] = join(store, name);
	}
	for (const envFile of [join(store, ".env"), join(home, ".env")]) {
		if (existsSync(envFile)) return { selectedType, files, envFile };
	}
	return { selectedType, files, envFile: null };
}
