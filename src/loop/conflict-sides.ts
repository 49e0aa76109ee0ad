import { type CoachReport, parseCoachReport } from "../agents/report.ts";
import { parseVerifierReport } from "../agents/verifier-report.ts";
import { conflictTexts } from "../conflict/conflict-texts.ts";
import type { UpheldFinding } from "../conflict/open-conflicts.ts";
import { readFileAt } from "../git/changes.ts";
import { normaliseFindingId } from "../review/apply-disputes.ts";
import { coachReason } from "../review/coach-reason.ts";
import { criteriaStatus } from "../review/criteria.ts";
import type { Finding } from "../review/finding.ts";
import { titleOf } from "../verification/title-of.ts";
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
	if (finding.source === "verification") {
		const upheldBecause = await verifierWords(context, context.log.turn, finding);
		const test = await testText(context, finding);
		return conflictTexts({
			finding,
			diff,
			criterionEvidence: null,
			upheldBecause,
			test,
			rationale: "",
		});
	}
	const said = await coachWords(context, context.log.turn, finding);
	return conflictTexts({ finding, diff, ...said, test: null, rationale });
}

/** What the verifier said in a turn for upholding a test; null for nothing. */
async function verifierWords(
	{ read }: { readonly read: Pick<TaskReader, "calls"> },
	turn: number,
	{ id }: Finding,
): Promise<string | null> {
	for (const { report } of (await read.calls(turn, "verifier")).toReversed()) {
		const parsed = parseVerifierReport(report);
		const answers = parsed.ok ? parsed.report.disputes_status : [];
		const answer = answers.find((each) => normaliseFindingId(each.id) === id);
		if (answer !== undefined) return answer.reason === "" ? null : answer.reason;
	}
	return null;
}

/** The files that hold a verifier's test: those that name it, else all of them. */
async function testText(
	{ vault, masker, read }: Pick<Ground, "vault" | "masker" | "read">,
	{ test }: Finding,
): Promise<string> {
	const title = titleOf(test ?? "");
	const texts: string[] = [];
	for (const { commit, files } of await read.suites())
		for (const path of files) {
			const text = (await readFileAt(vault, commit, path))?.toString("utf8") ?? "";
			texts.push(masker.mask(`${path}\n${text}`));
		}
	const named = texts.filter((text) => title !== "" && text.includes(title));
	return (named.length > 0 ? named : texts).join("\n\n");
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
