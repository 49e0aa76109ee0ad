import { type CoachReport, parseCoachReport } from "../../agents/report.ts";
import type { Reason } from "../../human/reason.ts";
import { requiredOf } from "../../review/effective-verdict.ts";
import type { Write } from "../../store/records.ts";
import type { CoachCall } from "../coach-call.ts";
import { didNothing, isUnchanged, judged, judgeRound, roundFacts } from "../judge-round.ts";
import { halt, type NodeResult, passed } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { mergesNext } from "../present-task.ts";
import { reportRejected } from "../records/turn.ts";
import { heardTwice, whyFailed } from "../seat-call.ts";

type Input = Pick<NodeInput, "facts" | "state" | "read" | "log" | "commits" | "checks" | "seats">;

/**
 * `coach_turn`: the second seat judges the frozen commit in a checkout of its own, and code decides what its answer
 * amounts to.
 */
export async function coachTurn(input: Input): Promise<NodeResult<"go" | "halt">> {
	const { facts, state, log, seats } = input;
	const { task } = facts;
	const coach = task.formalReview === true ? task.player : task.pair?.challenger;
	if (coach === undefined) return passed("no pair: a single agent works");
	if (state.taken) return passed("a person took the player's word");
	const heard = await hearCoach(input, {
		coach,
		meanwhile: await mergePreparation(input),
		isUnchanged: await isUnchanged(input),
	});
	// What was refused before is found again, and told then.
	if (heard.kind === "unpaid")
		return { update: halt("budget", { kind: "budget_spent", why: heard.reason }) };
	if (heard.kind === "failed") {
		const reason: Reason = { kind: "role_failed", role: "coach", agent: coach, why: heard.reason };
		return {
			update: halt("role_error", reason),
			writes: [...heard.writes, await seats.endEpisode("coach")],
		};
	}
	const given = await roundFacts(input, heard.report);
	const round = judgeRound(given, heard.report);
	const { critical } = round;
	return {
		update: { next: "go", round: state.round + 1, reviewed: state.commit, critical },
		writes: [...heard.writes, ...judged(log, given, round, heard.report)],
	};
}

/** Begins the cold setup of a merge, once, where nothing but the coach's word stands in its way. */
async function mergePreparation(input: Input): Promise<CoachCall["meanwhile"]> {
	const { facts, state, read, log, checks } = input;
	const { short } = requiredOf(await read.evidence(log.turn), facts.workflow.checks);
	let due = mergesNext(facts) && short.length === 0 && !(await didNothing(input));
	return () => {
		if (due) checks.prepareAssembled(state.commit);
		due = false;
	};
}

type Heard =
	| { readonly kind: "report"; readonly report: CoachReport; readonly writes: readonly Write[] }
	| { readonly kind: "failed"; readonly reason: string; readonly writes: readonly Write[] }
	| { readonly kind: "unpaid"; readonly reason: string };

async function hearCoach(
	{ log, seats }: Input,
	seat: Omit<CoachCall, "nth" | "refused">,
): Promise<Heard> {
	const writes: Write[] = [];
	const heard = await heardTwice({
		ask: (nth, refused) => seats.coach({ ...seat, nth, refused }),
		parse: parseCoachReport,
		onRefused: ({ call, reason }) =>
			void writes.push(...reportRejected(log, "coach", call, reason)),
	});
	if (heard.kind === "unpaid") return heard;
	if (heard.kind === "report") return { kind: "report", report: heard.report, writes };
	const reason =
		heard.kind === "failed"
			? whyFailed(heard.call, seat.coach)
			: `its report was invalid twice: ${heard.reason}`;
	return { kind: "failed", reason, writes };
}
