import { gatewayFix, throughGateway } from "../harness/gateway.ts";
import type { Gateway, Harness, HarnessLook, SignIn } from "../harness/harness.ts";
import { signInByKey } from "../harness/key-sign-in.ts";
import { MODEL_HOSTS } from "../harness/model-hosts.ts";
import { geminiLaunch } from "./gemini-launch.ts";
import { GeminiReader, geminiTold } from "./gemini-reader.ts";
import { geminiStore, geminiSurvey } from "./gemini-store.ts";

/** Variables that hold a key for Gemini CLI: of Google AI Studio, and of Vertex AI. */
const GEMINI_KEYS = ["GEMINI_API_KEY", "GOOGLE_API_KEY"] as const;

const FIX =
	"Run `gemini` and choose how to sign in, or write login: key with env: [GEMINI_API_KEY].";

/** Other ways to Gemini CLI's models. */
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

/** What can be told of a sign-in that is not in a file. */
const ELSEWHERE: Readonly<Record<string, string>> = {
	"oauth-personal": "signs in with Google; its credentials are not in a file",
	"gemini-api-key": "signs in with a key that it stores itself",
	"vertex-ai": "signs in through Vertex AI",
};

/**
 * Whether Gemini CLI is signed in, by its files: it has no command that tells. A key that the workflow passes on wins
 * over them, and so does a cloud or a gateway.
 */
async function geminiSignIn(look: HarnessLook): Promise<SignIn> {
	const through = throughGateway(look, GEMINI_GATEWAYS);
	if (through?.ok === true) return through;
	const byKey = signInByKey(look, GEMINI_KEYS);
	if (byKey !== null) return byKey.ok === true ? byKey : (through ?? byKey);
	const home = look.env["GEMINI_CLI_HOME"] ?? look.env["HOME"];
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
	if (envFile !== null) {
		return { ok: "warn", detail: `takes its key from ${envFile}, if it holds one`, fix: null };
	}
	if (through !== null) return through;
	return { ok: false, detail: "not signed in", fix: gatewayFix(look, GEMINI_GATEWAYS) ?? FIX };
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
	told: geminiTold,
	signIn: geminiSignIn,
};
