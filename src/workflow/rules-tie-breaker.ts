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
 * An error for each agent that has a stake in a task and could be its tie-breaker, a warning for each that is of the
 * tie-breaker's family; fallbacks of both count. Without `tie_breaker` it stands at the first such task.
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

/** The tie-breaker and its fallbacks; empty for a name that is not an agent's. */
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

/** Each agent that has a part in a task in which a dispute can arise, where it has it first. */
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
