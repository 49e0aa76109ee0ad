import type { HarnessLook, SignIn } from "../harness/harness.ts";
import { signInByKey } from "../harness/key-sign-in.ts";
import { OPENCODE_KEYS } from "./opencode-keys.ts";

const FIX =
	"Run `opencode auth login`, or write login: key with env: [...] naming your provider's key.";

/**
 * Whether opencode is signed in anywhere, by `opencode auth list`, which needs no network. It does not know whether
 * that is the provider of the agent's model.
 */
export async function opencodeSignIn(look: HarnessLook): Promise<SignIn> {
	const byKey = signInByKey(look, OPENCODE_KEYS);
	if (byKey !== null) return byKey;
	const result = await look.run(["auth", "list"]);
	const said = `${result.stdout}\n${result.stderr}`;
	const [, count] = /\b(\d{1,4}) credentials?\b/.exec(said) ?? [];
	if (count === undefined) {
		return { ok: "warn", detail: "cannot tell whether it is signed in", fix: FIX };
	}
	if (count === "0") {
		return { ok: "warn", detail: "signed in nowhere: only free models will do", fix: FIX };
	}
	const detail = count === "1" ? "signed in at 1 provider" : `signed in at ${count} providers`;
	return { ok: true, detail, fix: null };
}
