import { type CoachReport, parseCoachReport } from "../../agents/report.ts";
import type { Write } from "../../store/records.ts";
import { type CoachCall, coachRequest } from "../coach-call.ts";
import { eventWrite, type Site, type TaskContext } from "../context.ts";
import { halt } from "../halt.ts";
import { judgeRound } from "../judge-round.ts";
import { callSeat, endOfEpisode } from "../seat-call.ts";
import type { TaskState } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";

/**
 * `coach_turn`: the second seat judges the frozen commit in a checkout of its own, and code decides what its answer
 * amounts to.
 */
export async function coachTurn(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	const { task } = context;
	const coach = task.formalReview === true ? task.player : task.pair?.challenger;
	if (coach === undefined)
		return { update: { next: "go" }, passedThrough: "no pair: a single agent works" };
	const heard = await hearCoach(context, state, site, coach);
	if (heard.kind === "unpaid") {
		// What was refused before is found again, and told then.
		return { update: halt("budget", heard.reason, "coach_turn") };
	}
	if (heard.kind === "failed") {
		return {
			update: halt(
				"role_error",
				`the coach ${coach} gave no verdict: ${heard.reason}`,
				"coach_turn",
			),
			writes: [...heard.writes, await endOfEpisode(context, site, "coach")],
		};
	}
	const { writes, critical } = await judgeRound(context, state, site, heard.report);
	return {
		update: { next: "go", round: state.round + 1, reviewed: state.commit, critical },
		writes: [...heard.writes, ...writes],
	};
}

type Heard =
	| { readonly kind: "report"; readonly report: CoachReport; readonly writes: readonly Write[] }
	| { readonly kind: "failed"; readonly reason: string; readonly writes: readonly Write[] }
	| { readonly kind: "unpaid"; readonly reason: string };

/** Calls the coach, and once more with the error when its report is invalid. No turn is charged. */
async function hearCoach(
	context: TaskContext,
	state: TaskState,
	site: Site,
	coach: string,
): Promise<Heard> {
	const writes: Write[] = [];
	let refused: CoachCall["refused"] = null;
	for (const nth of [0, 1]) {
		const answer = await callSeat(
			context,
			coachRequest(context, state, site, { coach, nth, refused }),
		);
		if (answer.kind === "unpaid") return { kind: "unpaid", reason: answer.reason };
		if (answer.kind === "failed") {
			const { outcome, message, agent } = answer.call;
			const who = agent === coach ? "" : `its fallback ${agent}: `;
			return { kind: "failed", reason: `${who}${outcome}: ${message ?? ""}`, writes };
		}
		const parsed = parseCoachReport(answer.call.report, answer.call.reportProblem ?? undefined);
		if (parsed.ok) return { kind: "report", report: parsed.report, writes };
		refused = { call: answer.call, reason: parsed.reason };
		writes.push(
			eventWrite(context, site, "report-rejected", {
				role: "coach",
				agent: answer.call.agent,
				call: answer.call.call,
				reason: parsed.reason,
			}),
		);
	}
	return {
		kind: "failed",
		reason: `its report was invalid twice: ${refused?.reason ?? ""}`,
		writes,
	};
}
