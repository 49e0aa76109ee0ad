import { familyOf } from "./agent-family.ts";
import type { FallbackChains } from "./fallback-chains.ts";
import type { Field } from "./field.ts";
import { enabledOverlay } from "./file-facts.ts";
import { kinOf, type Relative, relativesOf, shownName, withFallback } from "./kinship.ts";
import type { Reporter } from "./reporter.ts";
import { PROVIDERS, reportAgentName } from "./rules-agents.ts";
import type { TaskField } from "./task-field.ts";
import { seatFields } from "./task-field.ts";
import { DEFAULT_TIE_BREAKER } from "./tie-breaker-of.ts";

/** Reports a tie-breaker that is not an agent; of a model's name the hint says how it is asked for. */
export function reportTieBreakerName(
	field: Field,
	agents: readonly string[],
	report: Reporter,
): void {
	reportAgentName(
		field,
		agents,
		report,
		field.text === undefined ? undefined : modelHint(field.text),
	);
}

/** How to get the model that was named in place of an agent; undefined for a name that is not a model's. */
function modelHint(name: string): string | undefined {
	if (!PROVIDERS.some((provider) => name.startsWith(`${provider}/`))) return undefined;
	const define = `define an agent with \`adapter: model\` and \`model: ${shownName(name)}\`, and name that`;
	return name === DEFAULT_TIE_BREAKER.model
		? `remove \`tie_breaker\`, since this model is the default; or ${define}`
		: define;
}

/**
 * A warning for each agent in a pair's seat that is of the tie-breaker's family, or could be the tie-breaker itself;
 * fallbacks of both count. Without `tie_breaker` it stands at the first such task.
 */
export function reportTieBreaker(
	root: Field,
	tasks: readonly TaskField[],
	chains: FallbackChains,
	report: Reporter,
): void {
	const named = root.at("tie_breaker");
	const arbiters = arbitersOf(named, chains);
	const [head] = arbiters;
	if (head === undefined) return;
	const way = named.present ? "" : " with `tie_breaker`";
	for (const { task, field, seat, agent } of seatsOf(tasks)) {
		const kin = kinOf(arbiters, chains.of(agent), chains);
		if (kin === null) continue;
		const arbiter = withFallback(head.name, kin.of);
		const seated = `${seat} ${withFallback(agent, kin.agent)} of task ${shownName(task)}`;
		report.warning(
			named.present ? named : field,
			`the tie-breaker ${arbiter} is of the same family (${kin.family}) as the ${seated}`,
			`models of one family share their mistakes; name an agent of another family${way}`,
		);
	}
}

/** The tie-breaker and its fallbacks; empty for a name that is not an agent's. */
function arbitersOf(named: Field, chains: FallbackChains): readonly Relative[] {
	if (!named.present) {
		const { name } = DEFAULT_TIE_BREAKER;
		return [{ name, family: familyOf({ ...DEFAULT_TIE_BREAKER, run: [] }) }];
	}
	return relativesOf(named.text, chains);
}

interface PairSeat {
	readonly task: string;
	readonly field: Field;
	readonly seat: "player" | "coach";
	readonly agent: string;
}

/** Each agent of a pair's seat, where it sits first. */
function seatsOf(tasks: readonly TaskField[]): readonly PairSeat[] {
	const seats = new Map<string, PairSeat>();
	for (const { id: task, field } of tasks) {
		if (enabledOverlay(field, "paired_workflow") === undefined) continue;
		const { player, coach } = seatFields(field);
		const both = [
			{ task, field, seat: "player", agent: player.text },
			{ task, field, seat: "coach", agent: coach.text },
		] as const;
		for (const { agent, ...rest } of both)
			if (agent !== undefined && !seats.has(agent)) seats.set(agent, { ...rest, agent });
	}
	return [...seats.values()];
}
