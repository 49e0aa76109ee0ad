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

/** Calls the coach, and once more with the error when its report is invalid. No turn is charged. */
async function hearCoach(
	{ log, seats }: Input,
	seat: Omit<CoachCall, "nth" | "refused">,
): Promise<Heard> {
	const { coach } = seat;
	const writes: Write[] = [];
	let refused: CoachCall["refused"] = null;
	for (const nth of [0, 1]) {
		const answer = await seats.coach({ ...seat, nth, refused });
		if (answer.kind === "unpaid") return { kind: "unpaid", reason: answer.reason };
		const { call } = answer;
		if (answer.kind === "failed") {
			const who = call.agent === coach ? "" : `its fallback ${call.agent}: `;
			return { kind: "failed", reason: `${who}${call.outcome}: ${call.message ?? ""}`, writes };
		}
		const parsed = parseCoachReport(call.report, call.reportProblem ?? undefined);
		if (parsed.ok) return { kind: "report", report: parsed.report, writes };
		refused = { call, reason: parsed.reason };
		writes.push(...reportRejected(log, "coach", call, parsed.reason));
	}
	const reason = `its report was invalid twice: ${refused?.reason ?? ""}`;
	return { kind: "failed", reason, writes };
}
