import { parseCoachReport } from "../../agents/report.ts";
import { requiredOf } from "../../review/effective-verdict.ts";
import { didNothing, isUnchanged, judged, judgeRound, roundFacts } from "../judge-round.ts";
import { type NodeResult, passed, roleFailed, unpaid } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { mergesNext } from "../present-task.ts";
import { reportsRejected } from "../records/turn.ts";
import { heardTwice } from "../seat-call.ts";
import type { CoachQuestion } from "../told-judges.ts";

export async function coachTurn(input: NodeInput): Promise<NodeResult<"go" | "halt">> {
	const { facts, state, log, seats } = input;
	const { task } = facts;
	const coach = task.formalReview === true ? task.player : task.pair?.challenger;
	if (coach === undefined) return passed("no pair: a single agent works");
	if (state.taken) return passed("a person took the player's word");
	const question = {
		agent: coach,
		meanwhile: await mergePreparation(input),
		isUnchanged: await isUnchanged(input),
	};
	const heard = await heardTwice(
		coach,
		(nth, refused) => seats.coach({ ...question, nth, refused }),
		parseCoachReport,
	);
	// What was refused before is found again, and told then.
	if (heard.kind === "unpaid") return { update: unpaid(heard.reason) };
	const rejected = reportsRejected(log, "coach", heard.refused);
	if (heard.kind === "failed")
		return {
			update: roleFailed("coach", { ...heard, agent: coach }),
			writes: [...rejected, await seats.endEpisode("coach")],
		};
	const given = await roundFacts(input, heard.report);
	const round = judgeRound(given, heard.report);
	const { critical } = round;
	return {
		update: { next: "go", round: state.round + 1, reviewed: state.commit, critical },
		writes: [...rejected, ...judged(log, given, round, heard.report)],
	};
}

/** Begins the cold setup of a merge, once, where nothing but the coach's word stands in its way. */
async function mergePreparation(input: NodeInput): Promise<CoachQuestion["meanwhile"]> {
	const { facts, state, read, log, checks } = input;
	const { short } = requiredOf(await read.evidence(log.turn), facts.workflow.checks);
	let due = mergesNext(facts) && short.length === 0 && !(await didNothing(input));
	return () => {
		if (due) checks.prepareAssembled(state.commit);
		due = false;
	};
}
