import type { GateArea } from "../gate/gate-report.ts";
import { reasonText } from "../human/reason.ts";
import { leftWorkLines } from "../kernel/left-work.ts";
import { mergeTroubleText } from "../loop/records/merge-trouble.ts";
import { leftBehindStep, refusedMergeStep, wallStep } from "../loop/records/task-steps.ts";
import { type VerdictReason, verdictReasonText } from "../review/verdict-reason.ts";
import type { Records, TaskRecord, TurnRecord } from "../store/records.ts";
import type { TaskReport } from "./report.ts";

// null where nothing is known to stand in the way, or the turn is still worked on.
export async function turnObstacles(
	records: Pick<Records, "turns" | "step">,
	{ runId, taskId }: Pick<TaskRecord, "runId" | "taskId">,
): Promise<Pick<TaskReport, "obstacles" | "blocked_changes"> | null> {
	const [last] = await records.turns(runId, taskId, 1);
	if (last === undefined || last.route === null) return null;
	if (last.route === "approve") {
		const refused = await records.step(refusedMergeStep(last, last.turn));
		if (refused === undefined) return null;
		return { obstacles: [mergeTroubleText(refused.trouble)], blocked_changes: [] };
	}
	const { violations: blocked = [] } = (await records.step(wallStep(last, last.turn))) ?? {};
	const { work = [] } = (await records.step(leftBehindStep(last, last.turn))) ?? {};
	const left = leftWorkLines(work).map((line) => `left outside of the files, kept: ${line}`);
	return { obstacles: [...obstaclesOf(last, blocked), ...left], blocked_changes: blocked };
}

function obstaclesOf(turn: TurnRecord, blocked: readonly string[]): string[] {
	const namesChecks = turn.reasons.some(({ kind }) => CHECKS.has(kind));
	const told = turn.reasons.filter((reason) => !(namesChecks && isOfAcceptance(reason)));
	const texts = told.flatMap((reason) =>
		isOfWall(reason) && blocked.length > 0
			? blocked.map((change) => `blocked change: ${change}`)
			: [verdictReasonText(reason)],
	);
	if (texts.length > 0 || turn.route === "escalate") return texts;
	return [reasonText({ kind: turn.effective === "feedback" ? "not_approved" : "no_exit_holds" })];
}

const CHECKS: ReadonlySet<VerdictReason["kind"]> = new Set(["check_missing", "check_short"]);

const ACCEPTANCE: GateArea = "acceptance_evidence";

const isOfAcceptance = (reason: VerdictReason): boolean =>
	reason.kind === "gate" && reason.area === ACCEPTANCE;

const isOfWall = (reason: VerdictReason): boolean =>
	reason.kind === "check_short" && reason.check === "integrity";
