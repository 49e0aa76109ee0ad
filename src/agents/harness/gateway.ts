import type { Gateway, Harness, HarnessLook, SignIn } from "./harness.ts";

type Look = Pick<HarnessLook, "env" | "named">;

const isOn = ({ env }: Look, name: string): boolean =>
	!["", "0", "false"].includes((env[name] ?? "").toLowerCase());

const isPassed = (look: Look, name: string): boolean =>
	isOn(look, name) && look.named.includes(name);

/** Its variables that are set and that the workflow does not pass on. */
const unpassed = (look: Look, { variable, keys, others }: Gateway): readonly string[] =>
	[variable, ...keys, ...others].filter((name) => isOn(look, name) && !look.named.includes(name));

/**
 * What a gateway says of a sign-in: the first that is switched on by a variable that reaches the agent.
 *
 * It is a warning where it would take a key and none is passed on, which some gateways do not ask for, and where a
 * variable of it is set and does not reach the agent.
 *
 * @returns null when none is switched on for the agent
 */
export function throughGateway(look: Look, gateways: readonly Gateway[]): SignIn | null {
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

/** What to do about a gateway that is switched on where Sparring was started, and not for the agent; null without one. */
export function gatewayFix(look: Look, gateways: readonly Gateway[]): string | null {
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
	env: Look["env"],
	{ gateways, keyVariables }: Pick<Harness, "gateways" | "keyVariables">,
): readonly string[] {
	const look: Look = { env, named: [] };
	const gateway = gateways.find(({ variable }) => isOn(look, variable));
	if (gateway !== undefined) return unpassed(look, gateway);
	return keyVariables.filter((name) => (env[name] ?? "") !== "").slice(0, 1);
}
