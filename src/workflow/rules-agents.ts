import type { Path } from "../kernel/fields.ts";
import { quote } from "../kernel/quote.ts";
import { suggestion } from "../kernel/suggest.ts";
import { PROVIDERS } from "./complaints.ts";
import { entriesOf, type FileDraft, listOf, type TaskDraft, textOf } from "./draft.ts";
import { FACTS_OF_HARNESS, harnessNamed } from "./harnesses.ts";
import { type Agents, familyOf, LONGEST_CHAIN, shownName, withFallback } from "./kinship.ts";
import { findCycles } from "./order.ts";
import type { Reporter, RuleInput } from "./reporter.ts";
import { DEFAULT_TIE_BREAKER } from "./tie-breaker-of.ts";

export function reportAgentName(
	value: unknown,
	path: Path,
	{ agents, report }: RuleInput,
	hint?: string,
): void {
	const name = textOf(value);
	if (name === undefined || agents.names.includes(name)) return;
	report.error(path, `unknown agent ${quote(name)}`, hint ?? suggestion(name, agents.names));
}

type AgentDraft = NonNullable<NonNullable<FileDraft["agents"]>[string]>;

export function reportAgents({ file, report }: RuleInput): void {
	for (const [name, agent] of entriesOf(file.agents)) {
		if (agent?.login === "key") reportKey(name, agent, report);
		const isOpen = /^openai-compatible\/.*\S/s.test(textOf(agent?.model) ?? "");
		if (agent?.adapter === "model" && isOpen && agent.base_url === undefined)
			report.error(
				["agents", name, "model"],
				"a model of openai-compatible requires base_url",
				"add the address of the API, such as `base_url: http://127.0.0.1:11434/v1`",
			);
	}
}

function reportKey(name: string, agent: AgentDraft, report: Reporter): void {
	const adapter = textOf(agent.adapter);
	const harness = harnessNamed(adapter);
	const path = ["agents", name, "login"];
	if (adapter === undefined) return;
	if (harness === undefined && adapter !== "acp")
		report.error(
			path,
			`login: key is for coding agents, not for adapter ${shownName(adapter)}`,
			"remove it; `env` lists the variables that the agent may see",
		);
	else if (listOf(agent.env).length === 0)
		report.error(
			path,
			"login: key requires the name of the variable that holds the key",
			`add \`env: [${harness === undefined ? "MY_KEY" : FACTS_OF_HARNESS[harness].key}]\``,
		);
}

const fallbackOf = (name: string): Path => ["agents", name, "fallback"];

export function reportFallbacks(input: RuleInput): void {
	const { agents, tasks, report } = input;
	for (const [name, next] of agents.next) reportAgentName(next, fallbackOf(name), input);
	for (const cycle of findCycles(new Map([...agents.next].map(([name, next]) => [name, [next]])))) {
		const [first = ""] = cycle;
		report.error(
			fallbackOf(first),
			`the fallbacks form a cycle: ${[...cycle, first].map(shownName).join(" -> ")}`,
			"remove one of these fallbacks",
		);
	}
	for (const name of agents.names)
		if (agents.chain(name).length > LONGEST_CHAIN)
			report.error(
				fallbackOf(name),
				`more than ${LONGEST_CHAIN - 1} fallbacks in a row`,
				"remove some of them",
			);
	const said = new Set<string>();
	for (const task of tasks) {
		reportPlayer(task, agents, report);
		reportOwnJudge(task, said, agents, report);
	}
}

/** A model by API has no tools: it could change no file. */
function reportPlayer(
	{ player, playerKeys, at: placeOf }: TaskDraft,
	agents: Agents,
	report: Reporter,
): void {
	const chain = agents.chain(player);
	const at = chain.findIndex((name) => agents.adapter(name) === "model");
	const name = chain[at];
	if (name === undefined) return;
	const before = chain[at - 1];
	report.error(
		before === undefined ? placeOf(...playerKeys) : fallbackOf(before),
		`${before === undefined ? "agent" : "fallback"} ${quote(name)} cannot be the player: a model called by API has no tools`,
		"name a coding agent; a model called by API can be the coach",
	);
}

/** Two seats that may end up with the same agent, which would then judge its own work. */
function reportOwnJudge(
	{ id, player, coach }: TaskDraft,
	said: Set<string>,
	agents: Agents,
	report: Reporter,
): void {
	if (player === coach) return;
	const [players, coaches] = [agents.chain(player), agents.chain(coach)];
	const shared = players.find((name) => coaches.includes(name));
	if (shared === undefined) return;
	// Its predecessor in one of the chains brings it in; at the head of one it is the other's fallback.
	const before =
		coaches[coaches.indexOf(shared) - 1] ?? players[players.indexOf(shared) - 1] ?? shared;
	const key = JSON.stringify([before, shared]);
	if (said.has(key)) return;
	said.add(key);
	report.error(
		fallbackOf(before),
		`fallback ${quote(shared)} of agent ${quote(before)} would judge its own work in task ${quote(id)}`,
		"name an agent that the other seat does not use, not even as a fallback",
	);
}

function modelHint(name: string | undefined): string | undefined {
	if (!PROVIDERS.some((provider) => name?.startsWith(`${provider}/`))) return undefined;
	const define = `define an agent with \`adapter: model\` and \`model: ${shownName(name ?? "")}\`, and name that`;
	return name === DEFAULT_TIE_BREAKER.model
		? `remove \`tie_breaker\`, since this model is the default; or ${define}`
		: define;
}

/** Without `tie_breaker` the diagnostic stands at the first task concerned. */
export function reportTieBreaker(input: RuleInput): void {
	const { file, agents, report } = input;
	const named = textOf(file.tie_breaker);
	const path = ["tie_breaker"];
	reportAgentName(named, path, input, modelHint(named));
	const isNamed = file.tie_breaker !== undefined;
	const { name: model, ...usual } = DEFAULT_TIE_BREAKER;
	const arbiters = isNamed
		? agents.relatives(named)
		: [{ name: model, family: familyOf({ ...usual, run: [] }) }];
	const [head] = arbiters;
	if (head === undefined) return;
	const way = isNamed ? "" : " with `tie_breaker`";
	for (const { task, at, seat, agent } of stakesIn(input)) {
		const same = agents.chain(agent).find((name) => arbiters.some((each) => each.name === name));
		const kin = agents.kin(arbiters, agent);
		if (kin === null) continue;
		const arbiter = withFallback(head.name, same ?? kin.of);
		const seated = `${seat} ${withFallback(agent, same ?? kin.agent)} of task ${shownName(task)}`;
		if (same === undefined)
			report.warning(
				isNamed ? path : at,
				`the tie-breaker ${arbiter} is of the same family (${kin.family}) as the ${seated}`,
				`models of one family share their mistakes; name an agent of another family${way}`,
			);
		else
			report.error(
				path,
				`the tie-breaker ${arbiter} is also the ${seated}`,
				"who wrote, tested or judged the work does not decide a dispute about it; name an agent without a part in it, or remove `tie_breaker`",
			);
	}
}

interface Stake {
	readonly task: string;
	readonly at: Path;
	readonly seat: "player" | "coach" | "verifier";
	readonly agent: string;
}

/** Each agent with a part in a task in which a dispute can arise, where it has it first. */
function stakesIn({ file, tasks }: RuleInput): Iterable<Stake> {
	const seats = new Map<string, Stake>();
	const verifier = file.verifier === undefined ? file.verification?.agent : file.verifier;
	for (const { id: task, task: keys, isReview, pair, player, coach, at } of tasks) {
		const isVerified = verifier !== undefined && keys.requires_verification !== false && !isReview;
		if (!isVerified && pair === undefined) continue;
		const all = { player, coach, verifier: isVerified ? textOf(verifier) : undefined };
		for (const seat of ["player", "coach", "verifier"] as const) {
			const agent = all[seat];
			if (agent !== undefined && !seats.has(agent))
				seats.set(agent, { task, at: at(), seat, agent });
		}
	}
	return seats.values();
}
