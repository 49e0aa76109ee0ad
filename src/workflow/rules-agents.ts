import { quote } from "../kernel/quote.ts";
import { suggestion } from "../kernel/suggest.ts";
import { type Field, seatFields, type TaskField } from "./field.ts";
import { enabledOverlay, type RuleInput } from "./file-facts.ts";
import { FACTS_OF_HARNESS, harnessNamed } from "./harnesses.ts";
import {
	type FallbackChains,
	familyOf,
	kinOf,
	LONGEST_CHAIN,
	type Relative,
	relativesOf,
	shownName,
	withFallback,
} from "./kinship.ts";
import { findCycles } from "./order.ts";
import type { Reporter } from "./reporter.ts";
import { DEFAULT_TIE_BREAKER } from "./tie-breaker-of.ts";

/** Sellers of models by API, as `model` names them before the slash. */
const PROVIDERS: readonly string[] = ["google", "anthropic", "openai", "openai-compatible"];

export function reportAgentName(field: Field, { chains, report }: RuleInput, hint?: string): void {
	const name = field.text;
	const agents = chains.names();
	if (name === undefined || agents.includes(name)) return;
	report.error(field, `unknown agent ${quote(name)}`, hint ?? suggestion(name, agents));
}

export function reportAgents({ root, report }: RuleInput): void {
	for (const { field: agent } of root.at("agents").entries()) {
		reportLogin(agent, report);
		for (const { key, field } of agent.at("mcp").entries()) reportServer(key, field, report);
		if (agent.at("adapter").value === "model") reportModel(agent, report);
	}
}

// Coding agents make the names of tools of it, in which some of them part it at an underscore.
function reportServer(name: string, field: Field, report: Reporter): void {
	if (/^[A-Za-z][A-Za-z0-9-]{0,39}$/.test(name)) return;
	report.keyError(
		field,
		`${quote(name)} is no name of a server`,
		"at most 40 letters, digits and dashes, a letter first",
	);
}

function reportLogin(agent: Field, report: Reporter): void {
	const login = agent.at("login");
	const adapter = agent.at("adapter").text;
	if (login.value !== "key" || adapter === undefined) return;
	const harness = harnessNamed(adapter);
	if (harness === undefined && adapter !== "acp")
		report.error(
			login,
			`login: key is for coding agents, not for adapter ${quote(adapter).slice(1, -1)}`,
			"remove it; `env` lists the variables that the agent may see",
		);
	else if (agent.at("env").items().length === 0)
		report.error(
			login,
			"login: key requires the name of the variable that holds the key",
			`add \`env: [${harness === undefined ? "MY_KEY" : FACTS_OF_HARNESS[harness].key}]\``,
		);
}

function reportModel(agent: Field, report: Reporter): void {
	const model = agent.at("model");
	const address = agent.at("base_url");
	if (address.text !== undefined) reportAddress(address, address.text, report);
	if (model.text === undefined) return;
	const slash = model.text.indexOf("/");
	const provider = model.text.slice(0, Math.max(0, slash));
	if (provider === "" || model.text.slice(slash + 1).trim() === "")
		report.error(
			model,
			`model ${quote(model.text)} must be PROVIDER/NAME`,
			`such as google/gemini-flash-latest; providers: ${PROVIDERS.join(", ")}`,
		);
	else if (!PROVIDERS.includes(provider))
		report.error(model, `unknown provider ${quote(provider)}`, suggestion(provider, PROVIDERS));
	else if (provider === "openai-compatible" && !address.present)
		report.error(
			model,
			"a model of openai-compatible requires base_url",
			"add the address of the API, such as `base_url: http://127.0.0.1:11434/v1`",
		);
}

function reportAddress(field: Field, address: string, report: Reporter): void {
	const url = URL.parse(address);
	if (url === null || !["http:", "https:"].includes(url.protocol))
		report.error(
			field,
			`base_url ${quote(address)} is not an http or https URL`,
			"such as http://127.0.0.1:11434/v1",
		);
	else if (url.username !== "" || url.password !== "")
		report.error(
			field,
			"base_url must not contain a user name or password",
			"name the variable that holds the key in `env`",
		);
}

export function reportFallbacks(input: RuleInput): void {
	const { chains, tasks, report } = input;
	const names = chains.names();
	for (const name of names) reportAgentName(fallbackOf(chains, name), input);
	reportCycles(chains, report);
	for (const name of names) reportLength(chains, name, report);
	const said = new Set<string>();
	for (const { id, field } of tasks) {
		reportPlayer(chains, field, report);
		reportOwnJudge(chains, { id, field }, said, report);
	}
}

const fallbackOf = (chains: FallbackChains, name: string): Field =>
	chains.agent(name).at("fallback");

function reportCycles(chains: FallbackChains, report: Reporter): void {
	const graph = new Map([...chains.next].map(([name, next]) => [name, [next]]));
	for (const cycle of findCycles(graph)) {
		const [first = ""] = cycle;
		const shown = [...cycle, first].map(shownName).join(" -> ");
		report.error(
			fallbackOf(chains, first),
			`the fallbacks form a cycle: ${shown}`,
			"remove one of these fallbacks",
		);
	}
}

function reportLength(chains: FallbackChains, name: string, report: Reporter): void {
	if (chains.of(name).length > LONGEST_CHAIN)
		report.error(
			fallbackOf(chains, name),
			`more than ${LONGEST_CHAIN - 1} fallbacks in a row`,
			"remove some of them",
		);
}

/** A model by API has no tools: it could change no file. */
function reportPlayer(chains: FallbackChains, task: Field, report: Reporter): void {
	const { player } = seatFields(task);
	const chain = chains.of(player.text);
	const at = chain.findIndex((name) => chains.adapter(name) === "model");
	const name = chain[at];
	if (name === undefined) return;
	const before = chain[at - 1];
	report.error(
		before === undefined ? player : fallbackOf(chains, before),
		`${before === undefined ? "agent" : "fallback"} ${quote(name)} cannot be the player: a model called by API has no tools`,
		"name a coding agent; a model called by API can be the coach",
	);
}

/** Two seats that may end up with the same agent, which would then judge its own work. */
function reportOwnJudge(
	chains: FallbackChains,
	{ id, field }: TaskField,
	said: Set<string>,
	report: Reporter,
): void {
	const { player, coach } = seatFields(field);
	if (player.text === undefined || player.text === coach.text) return;
	const [players, coaches] = [chains.of(player.text), chains.of(coach.text)];
	const shared = players.find((name) => coaches.includes(name));
	if (shared === undefined) return;
	// Its predecessor in one of the chains brings it in; at the head of one it is the other's fallback.
	const before =
		coaches[coaches.indexOf(shared) - 1] ?? players[players.indexOf(shared) - 1] ?? shared;
	const key = JSON.stringify([before, shared]);
	if (said.has(key)) return;
	said.add(key);
	report.error(
		fallbackOf(chains, before),
		`fallback ${quote(shared)} of agent ${quote(before)} would judge its own work in task ${quote(id)}`,
		"name an agent that the other seat does not use, not even as a fallback",
	);
}

function modelHint(name: string): string | undefined {
	if (!PROVIDERS.some((provider) => name.startsWith(`${provider}/`))) return undefined;
	const define = `define an agent with \`adapter: model\` and \`model: ${shownName(name)}\`, and name that`;
	return name === DEFAULT_TIE_BREAKER.model
		? `remove \`tie_breaker\`, since this model is the default; or ${define}`
		: define;
}

/** Without `tie_breaker` the diagnostic stands at the first task concerned. */
export function reportTieBreaker(input: RuleInput): void {
	const { root, tasks, chains, report } = input;
	const named = root.at("tie_breaker");
	reportAgentName(named, input, named.text === undefined ? undefined : modelHint(named.text));
	const arbiters = arbitersOf(named, chains);
	const [head] = arbiters;
	if (head === undefined) return;
	const way = named.present ? "" : " with `tie_breaker`";
	for (const { task, field, seat, agent } of seatsOf(root, tasks)) {
		const chain = chains.of(agent);
		const same = chain.find((name) => arbiters.some((each) => each.name === name));
		const kin = kinOf(arbiters, chain, chains);
		if (kin === null) continue;
		const arbiter = withFallback(head.name, same ?? kin.of);
		const seated = `${seat} ${withFallback(agent, same ?? kin.agent)} of task ${shownName(task)}`;
		if (same === undefined)
			report.warning(
				named.present ? named : field,
				`the tie-breaker ${arbiter} is of the same family (${kin.family}) as the ${seated}`,
				`models of one family share their mistakes; name an agent of another family${way}`,
			);
		else
			report.error(
				named,
				`the tie-breaker ${arbiter} is also the ${seated}`,
				"who wrote, tested or judged the work does not decide a dispute about it; name an agent without a part in it, or remove `tie_breaker`",
			);
	}
}

function arbitersOf(named: Field, chains: FallbackChains): readonly Relative[] {
	if (!named.present) {
		const { name } = DEFAULT_TIE_BREAKER;
		return [{ name, family: familyOf({ ...DEFAULT_TIE_BREAKER, run: [] }) }];
	}
	return relativesOf(named.text, chains);
}

interface Stake {
	readonly task: string;
	readonly field: Field;
	readonly seat: "player" | "coach" | "verifier";
	readonly agent: string;
}

/** Each agent with a part in a task in which a dispute can arise, where it has it first. */
function seatsOf(root: Field, tasks: readonly TaskField[]): readonly Stake[] {
	const seats = new Map<string, Stake>();
	const named = root.at("verifier");
	const verifier = named.present ? named : root.at("verification").at("agent");
	for (const { id: task, field } of tasks) {
		const isVerified =
			verifier.present &&
			field.at("requires_verification").value !== false &&
			field.at("formal_review").value !== true;
		if (!isVerified && enabledOverlay(field, "paired_workflow") === undefined) continue;
		const { player, coach } = seatFields(field);
		const all = [
			{ task, field, seat: "player", agent: player.text },
			{ task, field, seat: "coach", agent: coach.text },
			{ task, field, seat: "verifier", agent: isVerified ? verifier.text : undefined },
		] as const;
		for (const { agent, ...rest } of all)
			if (agent !== undefined && !seats.has(agent)) seats.set(agent, { ...rest, agent });
	}
	return [...seats.values()];
}
