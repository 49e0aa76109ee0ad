import type { Harness, HarnessLook, SignIn } from "../harness/harness.ts";
import { signInByKey } from "../harness/key-sign-in.ts";
import { opencodeLaunch } from "./opencode-launch.ts";
import { OpencodeReader } from "./opencode-reader.ts";
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

const FIX =
	"Run `opencode auth login`, or write login: key with env: [...] naming your provider's key.";

/**
 * Whether opencode is signed in anywhere, by `opencode auth list`, which needs no network. It does not know whether
 * that is the provider of the agent's model.
 */
async function opencodeSignIn(look: HarnessLook): Promise<SignIn> {
	const byKey = signInByKey(look, OPENCODE_KEYS);
	if (byKey !== null) return byKey;
	const result = await look.run(["auth", "list"]);
	const said = `${result.stdout}\n${result.stderr}`;
	const [, count] = /\b(\d{1,4}) credentials?\b/.exec(said) ?? [];
	if (count === undefined) {
		return { ok: "warn", detail: "cannot tell whether it is signed in", fix: FIX };
	}
	if (count === "0") {
		return {
			ok: "warn",
			detail: "not signed in to any provider: only free models will work",
			fix: FIX,
		};
	}
	const detail = count === "1" ? "signed in to 1 provider" : `signed in to ${count} providers`;
	return { ok: true, detail, fix: null };
}

/** opencode, driven through `opencode run`; tried with 1.18.33. */
export const opencode: Harness = {
	name: "opencode",
	storeVariables: ["XDG_DATA_HOME"],
	keyVariables: OPENCODE_KEYS,
	survey: opencodeSurvey,
	launch: opencodeLaunch,
	reader: () => new OpencodeReader(),
	signIn: opencodeSignIn,
};
