import type { HarnessLook, SignIn } from "./harness.ts";

/** Another way to a harness's models than its maker's account or key: a cloud, a gateway, a provider of the user's own. */
export interface Gateway {
	/** Such as `Amazon Bedrock`. */
	readonly name: string;
	/** Variable that switches it on; `0`, `false` and nothing leave it off. */
	readonly variable: string;
	/** Variables that hold a key for it; none: it is signed in to in a way of its own. */
	readonly keys: readonly string[];
	/** Further variables by which it is found and signed in to. */
	readonly others: readonly string[];
}

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
