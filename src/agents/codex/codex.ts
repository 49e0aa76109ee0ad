import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gatewayFix, throughGateway } from "../harness/gateway.ts";
import type { Gateway, Harness, HarnessLook, SignIn } from "../harness/harness.ts";
import { signInByKey } from "../harness/key-sign-in.ts";
import { MODEL_HOSTS } from "../harness/model-hosts.ts";
import { CODEX_ADDRESS, CODEX_KEYS, codexLaunch } from "./codex-launch.ts";
import { CodexReader, codexTold } from "./codex-reader.ts";

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

/**
 * Whether Codex is signed in, by `codex login status`, which looks at its file only. A key that the workflow passes on
 * wins over that, and so does a provider or a gateway.
 */
async function codexSignIn(look: HarnessLook): Promise<SignIn> {
	const provider = providerSignIn(look);
	if (provider !== null) return provider;
	const through = throughGateway(look, CODEX_GATEWAYS);
	if (through?.ok === true) return through;
	const byKey = signInByKey(look, CODEX_KEYS);
	if (byKey !== null) return byKey.ok === true ? byKey : (through ?? byKey);
	const result = await look.run(["login", "status"]);
	const said = `${result.stdout}\n${result.stderr}`;
	const account = "Run `codex login`, or write login: key with env: [CODEX_API_KEY].";
	const fix = (await ownProviderFix(look)) ?? gatewayFix(look, CODEX_GATEWAYS) ?? account;
	if (/\bnot logged in\b/i.test(said)) {
		return through ?? { ok: false, detail: "not signed in", fix };
	}
	if (result.exitCode !== 0) {
		return { ok: "warn", detail: "cannot tell whether it is signed in", fix };
	}
	if (/api key/i.test(said)) return { ok: true, detail: "signed in by key", fix: null };
	return { ok: true, detail: "signed in with an account", fix: null };
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
	signIn: codexSignIn,
};
