import type { HarnessLook, SignIn } from "./harness.ts";

/**
 * Whether a harness with `login: key` has a key: one of its variables is set, and the workflow passes it on.
 *
 * @param names the harness's `keyVariables`, the preferred one first; at least one
 */
export function keySignIn(look: HarnessLook, names: readonly string[]): SignIn {
	const isSet = (name: string): boolean => (look.env[name] ?? "") !== "";
	const passed = names.filter((name) => look.named.includes(name));
	const ready = passed.find(isSet);
	if (ready !== undefined) return { ok: true, detail: `login: key, ${ready} is set`, fix: null };
	const [preferred] = names;
	const [missing] = passed;
	if (missing !== undefined) {
		const fix = `Set ${missing}, or write login: user.`;
		return { ok: false, detail: `login: key, but ${missing} is not set`, fix };
	}
	const set = names.find(isSet);
	if (set === undefined) {
		const fix = `Set ${preferred} and write env: [${preferred}] for this agent, or login: user.`;
		return { ok: false, detail: `login: key, but no key is set`, fix };
	}
	const fix = `Write env: [${set}] for this agent.`;
	return { ok: false, detail: `login: key, but ${set} is not passed on to this agent`, fix };
}

/**
 * What a key says of a sign-in, for harnesses in which a key that the workflow passes on wins over an account.
 *
 * @returns null when it is up to the account
 */
export function signInByKey(look: HarnessLook, names: readonly string[]): SignIn | null {
	if (look.login === "key") return keySignIn(look, names);
	const passed = names.find((name) => look.named.includes(name) && (look.env[name] ?? "") !== "");
	return passed === undefined ? null : { ok: true, detail: `${passed} is set`, fix: null };
}
