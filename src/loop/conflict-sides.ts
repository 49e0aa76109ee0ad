import { parseCoachReport } from "../agents/report.ts";
import { conflictTexts } from "../conflict/conflict-texts.ts";
import type { UpheldFinding } from "../conflict/open-conflicts.ts";
import { diffText } from "../git/changes.ts";
import { normaliseFindingId } from "../review/apply-disputes.ts";
import type { Site, TaskContext } from "./context.ts";
import type { TaskState } from "./state.ts";
import { turnRecord } from "./turn-record.ts";

/** Largest diff that both sides are shown with, in bytes; a prompt shows less. */
const MAX_DIFF_BYTES = 2_000_000;

/** Both sides of a disputed finding in words: the dispute with the work, and the finding with the coach's reasons. */
export async function conflictSides(
	context: TaskContext,
	state: TaskState,
	site: Site,
	finding: UpheldFinding,
): Promise<{ readonly developerOutput: string; readonly reviewerFeedback: string }> {
	const { text } = await diffText(context.vault, state.start, state.commit, {
		maxBytes: MAX_DIFF_BYTES,
	});
	const { rationale } = await turnRecord(context, site.turn);
	return conflictTexts({
		finding,
		diff: context.masker.mask(text),
		upheldBecause: await coachReason(context, site, finding.id),
		rationale,
	});
}

/** What the coach said in this turn of upholding the finding; null when it gave no reason. */
export async function coachReason(
	context: Pick<TaskContext, "records" | "run" | "task">,
	{ turn }: Pick<Site, "turn">,
	findingId: string,
): Promise<string | null> {
	const calls = await context.records.calls(context.run.runId, context.task.id, turn, "coach");
	const report = parseCoachReport(
		calls.findLast(({ outcome }) => outcome === "answered")?.report ?? null,
	);
	if (!report.ok) return null;
	const said = report.report.findings_status.filter(
		({ id }) => normaliseFindingId(id) === findingId,
	);
	return said.map(({ reason }) => reason?.trim() ?? "").find((text) => text !== "") ?? null;
}
