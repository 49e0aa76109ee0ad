import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gatewayFix, throughGateway } from "../harness/gateway.ts";
import type { Gateway, Harness, HarnessLook, SignIn } from "../harness/harness.ts";
import { signInByKey } from "../harness/key-sign-in.ts";
import { MODEL_HOSTS } from "../harness/model-hosts.ts";
import { opencodeLaunch } from "./opencode-launch.ts";
import { OpencodeReader, opencodeTold } from "./opencode-reader.ts";
import { opencodeSurvey } from "./opencode-survey.ts";

/** Variables that hold a key of a provider of opencode's, the common ones; it knows many more. */
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

/** Names of variables that sign in to a provider of which nothing else is known here. */
const LIKE_KEY = /_API_?KEY$|^AWS_(?:PROFILE|ACCESS_KEY_ID|BEARER_TOKEN_BEDROCK)$/;

/** A configuration of the user's, with providers in it. */
const OPENCODE_GATEWAYS: readonly Gateway[] = [
	{ name: "a provider of its own", variable: "OPENCODE_CONFIG", keys: [], others: [] },
];

/** What to do about providers in the user's own configuration, which no call reads; null without one. */
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

/**
 * Whether opencode is signed in anywhere, by `opencode auth list`, which needs no network. It does not know whether
 * that is the provider of the agent's model.
 */
async function opencodeSignIn(look: HarnessLook): Promise<SignIn> {
	const through = throughGateway(look, OPENCODE_GATEWAYS);
	if (through !== null) return through;
	const further = look.named.filter((name) => look.login === "key" || LIKE_KEY.test(name));
	const byKey = signInByKey(look, [...OPENCODE_KEYS, ...further]);
	if (byKey !== null) return byKey;
	const fix = (await ownProviderFix(look)) ?? gatewayFix(look, OPENCODE_GATEWAYS) ?? FIX;
	const result = await look.run(["auth", "list"]);
	const said = `${result.stdout}\n${result.stderr}`;
	const [, count] = /\b(\d{1,4}) credentials?\b/.exec(said) ?? [];
	if (count === undefined) {
		return { ok: "warn", detail: "cannot tell whether it is signed in", fix };
	}
	if (count === "0") {
		return {
			ok: "warn",
			detail: "not signed in to any provider: only free models will work",
			fix,
		};
	}
	const detail = count === "1" ? "signed in to 1 provider" : `signed in to ${count} providers`;
	return { ok: true, detail, fix: null };
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
	told: opencodeTold,
	signIn: opencodeSignIn,
};
