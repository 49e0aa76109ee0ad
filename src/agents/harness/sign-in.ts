import type { Gateway, Harness, HarnessLook, SignIn } from "./harness.ts";

type SignInLook = Pick<HarnessLook, "env" | "named">;

const isOn = ({ env }: SignInLook, name: string): boolean =>
	!["", "0", "false"].includes((env[name] ?? "").toLowerCase());

const isPassed = (look: SignInLook, name: string): boolean =>
	isOn(look, name) && look.named.includes(name);

const unpassed = (look: SignInLook, { variable, keys, others }: Gateway): readonly string[] =>
	[variable, ...keys, ...others].filter((name) => isOn(look, name) && !look.named.includes(name));

/**
 * The sign-in through the first gateway that is switched on by a variable that reaches the agent. It is a warning where
 * the gateway would take a key and none is passed on, which some do not ask for, and where a variable of it is set and
 * does not reach the agent.
 */
export function throughGateway(look: SignInLook, gateways: readonly Gateway[]): SignIn | null {
	const gateway = gateways.find(({ variable }) => isPassed(look, variable));
	if (gateway === undefined) return null;
	const { name, variable, keys } = gateway;
	const detail = `through ${name}, ${variable} is set`;
	const left = unpassed(look, gateway);
	if (left.length > 0) {
		const what = `${left.join(", ")} not passed on to this agent`;
		const fix = `Write env: [${[...look.named, ...left].join(", ")}] for this agent.`;
		return { ok: "warn", detail: `${detail}; ${what}`, fix };
	}
	if (keys.length === 0 || keys.some((key) => isPassed(look, key))) {
		return { ok: true, detail, fix: null };
	}
	return { ok: "warn", detail: `${detail}; without a key, if it asks for none`, fix: null };
}

export function gatewayFix(look: SignInLook, gateways: readonly Gateway[]): string | null {
	const gateway = gateways.find(({ variable }) => isOn(look, variable));
	if (gateway === undefined) return null;
	const names = [...look.named, ...unpassed(look, gateway)];
	return `To go through ${gateway.name}, write env: [${names.join(", ")}] for this agent.`;
}

/**
 * The variables of an environment by which a harness signs in: those of the gateway that is switched on, else the
 * preferred key. A set `ANTHROPIC_BASE_URL` with a key gives both; nothing that is set gives none.
 */
export function signInVariables(
	env: SignInLook["env"],
	{ gateways, keyVariables }: Pick<Harness, "gateways" | "keyVariables">,
): readonly string[] {
	const look: SignInLook = { env, named: [] };
	const gateway = gateways.find(({ variable }) => isOn(look, variable));
	if (gateway !== undefined) return unpassed(look, gateway);
	return keyVariables.filter((name) => (env[name] ?? "") !== "").slice(0, 1);
}

/** The sign-in of a harness with `login: key`: one of its variables is set, and the workflow passes it on. */
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

interface WaysIn extends Pick<Harness, "gateways" | "keyVariables"> {
	readonly isKey?: (name: string, look: HarnessLook) => boolean;
	readonly before?: (look: HarnessLook) => SignIn | null;
	readonly account: (look: HarnessLook) => Promise<SignIn>;
	// For settings of the user's that no call reads.
	readonly settingsFix?: (look: HarnessLook) => Promise<string | null>;
}

// A key that the workflow passes on wins over an account. Null: it is up to the account.
function byKey(look: HarnessLook, { keyVariables, isKey = () => false }: WaysIn): SignIn | null {
	const keys = [...keyVariables, ...look.named.filter((name) => isKey(name, look))];
	if (look.login === "key") return keySignIn(look, keys);
	const passed = keys.find((name) => look.named.includes(name) && (look.env[name] ?? "") !== "");
	return passed === undefined ? null : { ok: true, detail: `${passed} is set`, fix: null };
}

/** A look for a sign-in: through a gateway, else by a key that the workflow passes on, else with an account. */
export function signInBy(ways: WaysIn): (look: HarnessLook) => Promise<SignIn> {
	const { gateways, before = () => null, account, settingsFix = async () => null } = ways;
	return async (look) => {
		const first = before(look);
		if (first !== null) return first;
		const through = throughGateway(look, gateways);
		if (through?.ok === true) return through;
		const keyed = byKey(look, ways);
		if (keyed !== null) return keyed.ok === true ? keyed : (through ?? keyed);
		const own = await account(look);
		if (own.fix === null) return own;
		if (through !== null) return through;
		const fix = (await settingsFix(look)) ?? gatewayFix(look, gateways) ?? own.fix;
		return { ...own, fix };
	};
}
