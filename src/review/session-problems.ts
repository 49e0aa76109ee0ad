import { excerpt } from "./excerpt.ts";
import {
	MAX_SUMMARY,
	type PairIteration,
	type PairPlan,
	type PairSession,
	type Seats,
} from "./pair-session.ts";
import { switchSeats } from "./switch-seats.ts";

/** Problems are shown to people; more than these say nothing new. */
const MAX_PROBLEMS = 20;

const quoted = (text: string): string => JSON.stringify(excerpt(text, 60));

const isCount = (value: number, least: number): boolean =>
	Number.isSafeInteger(value) && value >= least;

function planProblems(session: PairSession, plan: PairPlan): string[] {
	const { driver, challenger } = session;
	const samePoints = JSON.stringify(session.checkpoints) === JSON.stringify(plan.checkpoints);
	return [
		...(driver === plan.driver && challenger === plan.challenger
			? []
			: [
					`the agents are ${quoted(driver)} and ${quoted(challenger)}, the workflow seats ${quoted(plan.driver)} and ${quoted(plan.challenger)}`,
				]),
		...(driver === challenger ? [`driver and challenger are both ${quoted(driver)}`] : []),
		...(session.roleSwitch === plan.roleSwitch && samePoints
			? []
			: ["role switch and checkpoints are not those of the workflow"]),
		...(isCount(session.maxIterations, 1)
			? []
			: [`max_iterations is ${session.maxIterations}, not a whole number from 1`]),
	];
}

function entryProblems(entry: PairIteration, index: number, after: number): string[] {
	const name = `history entry ${index + 1}`;
	return [
		...(entry.iteration === index + 1
			? []
			: [`${name} says that it is iteration ${entry.iteration}`]),
		...(isCount(entry.turn, after + 1)
			? []
			: [`${name} belongs to turn ${entry.turn}, which cannot follow turn ${after}`]),
		...(Math.max(entry.summary.length, entry.critique.length) <= MAX_SUMMARY
			? []
			: [`${name} holds a text of more than ${MAX_SUMMARY} characters`]),
	];
}

function historyProblems(session: PairSession): { problems: string[]; seats: Seats } {
	const problems: string[] = [];
	let seats: Seats = { player: session.driver, coach: session.challenger };
	let after = 0;
	for (const [index, entry] of session.history.entries()) {
		problems.push(...entryProblems(entry, index, after));
		if (entry.driver !== seats.player) {
			problems.push(
				`iteration ${index + 1} was driven by ${quoted(entry.driver)}, by the switches it is ${quoted(seats.player)}`,
			);
		}
		seats = switchSeats(seats, session, { ...entry, after });
		after = entry.turn;
	}
	return { problems, seats };
}

/**
 * What does not hold in a stored session: the history is as long as `iteration` says, its entries are numbered without
 * gaps and their turns grow, both agents are those of the workflow, each driver and the next one follow from the
 * switches, and the last verdict is that of the last entry. A loop does not go on with such a session.
 *
 * `iteration` may be above `maxIterations`: a person can grant more.
 *
 * @param plan the pair as the run's workflow has it
 * @returns sentences for a person, at most 20; empty for a sound session
 * @example `iteration: 3` with two entries gives `["iteration is 3, the history has 2"]`
 */
export function sessionProblems(session: PairSession, plan: PairPlan): string[] {
	const { history, iteration, currentDriver } = session;
	const { problems, seats } = historyProblems(session);
	const approved = history.at(-1)?.approved ?? false;
	return [
		...planProblems(session, plan),
		...(iteration === history.length
			? []
			: [`iteration is ${iteration}, the history has ${history.length}`]),
		...(currentDriver === seats.player
			? []
			: [
					`the current driver is ${quoted(currentDriver)}, by the switches it is ${quoted(seats.player)}`,
				]),
		...(session.challengerApproved === approved
			? []
			: [
					`challenger_approved is ${session.challengerApproved}, the last iteration says ${approved}`,
				]),
		...problems,
	].slice(0, MAX_PROBLEMS);
}
