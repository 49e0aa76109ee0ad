import { Fault } from "../../kernel/fault.ts";
import type { CallRecord } from "../../store/records.ts";
import { chainOf } from "../../workflow/tie-breaker-of.ts";
import type { TaskDefinition, Workflow } from "../../workflow/workflow.ts";

/** The seats of a task as they were and as they are to be, with the calls that were made in them. */
export interface NewSeats {
	readonly before: TaskDefinition;
	readonly after: TaskDefinition;
	readonly calls: readonly Pick<CallRecord, "role" | "agent">[];
}

/**
 * Checks of the new seats of a task what the rules of a file check of its own, and that nobody judges what it wrote
 * before it was replaced, or writes what its hidden tests are about.
 *
 * @throws Fault `usage`
 */
export function requireApart(workflow: Workflow, { before, after, calls }: NewSeats): void {
	const { agents, verification, tieBreaker } = workflow;
	const { id, player, pair, formalReview } = after;
	const coach = formalReview === true ? player : pair?.challenger;
	const switches = (pair?.roleSwitch ?? "session") !== "session";
	const isVerified = after.requiresVerification !== "false";
	const namesOf = (head: string | undefined): readonly string[] =>
		head === undefined ? [] : chainOf(agents, head).map(({ name }) => name);
	const coaches = namesOf(coach);
	const drivers = formalReview === true ? [] : namesOf(player);
	const players = switches ? [...drivers, ...coaches] : drivers;
	const called = (role: CallRecord["role"]): readonly string[] =>
		calls.filter((call) => call.role === role).map(({ agent }) => agent);
	const isNewCoach = pair !== undefined && pair.challenger !== before.pair?.challenger;
	const refusals: readonly (readonly [string | undefined, string])[] = [
		[drivers.find((name) => coaches.includes(name)), "would judge its own work"],
		[
			players.find((name) => agents[name]?.adapter === "model"),
			"cannot be the player: a model called by API has no tools",
		],
		[
			isVerified ? players.find((name) => name === verification.agent) : undefined,
			"would test its own work: it is the verifier",
		],
		[
			[...players, ...coaches].find((name) => name === tieBreaker),
			"would settle its own disputes: it is the tie_breaker",
		],
		[
			isNewCoach && !switches ? coaches.find((name) => called("player").includes(name)) : undefined,
			"would judge what it wrote in an earlier turn",
		],
		[
			player === before.player
				? undefined
				: drivers.find((name) => called("verifier").includes(name)),
			"wrote the hidden tests",
		],
	];
	const [name, why] = refusals.find(([found]) => found !== undefined) ?? [];
	if (name === undefined) return;
	throw new Fault(`in task ${id} agent ${name} ${why}`, {
		code: "usage",
		hint: "Name another agent, or give both seats: --player and --coach.",
	});
}
