import { quote } from "./diagnostic.ts";
import { type FallbackChains, LONGEST_CHAIN } from "./fallback-chains.ts";
import type { Field } from "./field.ts";
import { findCycles } from "./order.ts";
import type { Reporter } from "./reporter.ts";
import { reportAgentName } from "./rules-agents.ts";
import type { TaskField } from "./task-field.ts";
import { seatFields } from "./task-field.ts";

/** Rules about who stands in for whom: names, cycles, and seats that a stand-in must not take. */
export function reportFallbacks(
	chains: FallbackChains,
	tasks: readonly TaskField[],
	report: Reporter,
): void {
	const names = chains.names();
	for (const name of names) reportAgentName(fallbackOf(chains, name), names, report);
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
		const shown = [...cycle, first].map((name) => quote(name).slice(1, -1)).join(" -> ");
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
