import type { Harness, HarnessLook, SignIn } from "../harness/harness.ts";
import { signInByKey } from "../harness/key-sign-in.ts";
import { CODEX_KEYS, codexLaunch } from "./codex-launch.ts";
import { CodexReader } from "./codex-reader.ts";

/**
 * Whether Codex is signed in, by `codex login status`, which looks at its file only. A key that the workflow passes on
 * wins over that.
 */
async function codexSignIn(look: HarnessLook): Promise<SignIn> {
	const byKey = signInByKey(look, CODEX_KEYS);
	if (byKey !== null) return byKey;
	const result = await look.run(["login", "status"]);
	const said = `${result.stdout}\n${result.stderr}`;
	const fix = "Run `codex login`, or write login: key with env: [CODEX_API_KEY].";
	if (/\bnot logged in\b/i.test(said)) return { ok: false, detail: "not signed in", fix };
	if (result.exitCode !== 0) {
		return { ok: "warn", detail: "cannot tell whether it is signed in", fix };
	}
	if (/api key/i.test(said)) return { ok: true, detail: "signed in by key", fix: null };
	return { ok: true, detail: "signed in with an account", fix: null };
}

/** Codex, driven through `codex exec --json`; tried with 0.169.0. */
export const codex: Harness = {
	name: "codex",
	storeVariables: ["CODEX_HOME"],
	keyVariables: CODEX_KEYS,
	launch: codexLaunch,
	reader: () => new CodexReader(),
	signIn: codexSignIn,
};
