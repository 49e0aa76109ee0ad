import { type CoachReport, parseCoachReport } from "../agents/report.ts";
import { conflictTexts } from "../conflict/conflict-texts.ts";
import type { UpheldFinding } from "../conflict/open-conflicts.ts";
import { coachReason } from "../review/coach-reason.ts";
import { criteriaStatus } from "../review/criteria.ts";
import type { Finding } from "../review/finding.ts";
import type { Ground } from "./context.ts";
import { maskedDiff } from "./masked-diff.ts";
import type { TaskState } from "./state.ts";
import type { TaskReader } from "./task-reader.ts";

/** Largest diff that both sides are shown with, in bytes; a prompt shows less. */
const MAX_DIFF_BYTES = 2_000_000;

/** Both sides of a disputed finding in words: the dispute with the work, and the finding with the coach's reasons. */
export async function conflictSides(
	context: Pick<Ground, "vault" | "masker" | "task" | "read" | "log">,
	state: TaskState,
	finding: UpheldFinding,
): Promise<{ readonly developerOutput: string; readonly reviewerFeedback: string }> {
	const range = { from: state.start, to: state.commit, maxBytes: MAX_DIFF_BYTES };
	const diff = await maskedDiff(context, range);
	const { rationale } = await context.read.turn(context.log.turn);
	const said = await coachWords(context, context.log.turn, finding);
	return conflictTexts({ finding, diff, ...said, rationale });
}

/** The coach's report of a turn; null when it handed in none that can be used. */
export async function coachReportOf(
	read: Pick<TaskReader, "calls">,
	turn: number,
): Promise<CoachReport | null> {
	const calls = await read.calls(turn, "coach");
	const last = calls.findLast(({ outcome }) => outcome === "answered");
	const parsed = parseCoachReport(last?.report ?? null);
	return parsed.ok ? parsed.report : null;
}

/** What the coach said in a turn for upholding a finding, and against the criterion that it names; null for nothing. */
export async function coachWords(
	{ task, read }: Pick<Ground, "task"> & { readonly read: Pick<TaskReader, "calls"> },
	turn: number,
	finding: Finding,
): Promise<Pick<Parameters<typeof conflictTexts>[0], "criterionEvidence" | "upheldBecause">> {
	const report = await coachReportOf(read, turn);
	if (report === null) return { criterionEvidence: null, upheldBecause: null };
	const criteria = criteriaStatus(task.acceptanceCriteria, report);
	const named = criteria.find(({ criterion, met }) => !met && criterion === finding.criterion);
	const upheldBecause = coachReason(finding, report, criteria);
	const evidence = named?.evidence ?? null;
	return { criterionEvidence: evidence === upheldBecause ? null : evidence, upheldBecause };
}
