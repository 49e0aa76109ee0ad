import type { CoachReport } from "../agents/report.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { changesBetween } from "../git/changes.ts";
import { findingKey } from "../review/claim.ts";
import { coachReason } from "../review/coach-reason.ts";
import { type CriterionStatus, criteriaStatus } from "../review/criteria.ts";
import {
	effectiveVerdict,
	missingEvidence,
	requiredEvidence,
} from "../review/effective-verdict.ts";
import type { Finding } from "../review/finding.ts";
import { escalates, wasUpheld } from "../review/finding-state.ts";
import { type LedgerUpdate, reportKeys, updateLedger } from "../review/ledger.ts";
import { settledCriteria } from "../review/overruled.ts";
import type { TurnRecord, Write } from "../store/records.ts";
import type { FindingArgument } from "../trace/event.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "./context.ts";
import { findingWrites } from "./finding-writes.ts";
import { openNow } from "./open-findings.ts";
import type { TaskState } from "./state.ts";
import { turnEvidence } from "./turn-evidence.ts";
import { turnRecord } from "./turn-record.ts";

/** What a round of the coach amounts to. */
export interface JudgedRound {
	readonly writes: readonly Write[];
	/** True when a person has to decide about a critical finding now. */
	readonly critical: boolean;
}

/** Enters the coach's round into the ledger and computes what its verdict amounts to. */
export async function judgeRound(
	context: TaskContext,
	state: TaskState,
	site: Site,
	report: CoachReport,
): Promise<JudgedRound> {
	const { records, run, task } = context;
	const criteria = criteriaStatus(task.acceptanceCriteria, report);
	const before = await openNow(context);
	const same = await records.findingsByIssue(run.runId, task.id, reportKeys(report, criteria));
	const subtask = context.subtask?.id ?? null;
	const ledger = updateLedger({
		open: before,
		sameIssue: same,
		nextNumber: (await records.findingCount(run.runId, task.id)) + 1,
		report,
		criteria,
		settled: settledCriteria(await records.findings(run.runId, task.id), subtask),
		subtask,
		turn: site.turn,
		changedFiles: await changedSince(context, state),
		round: state.round + 1,
	});
	const isReview = task.formalReview === true;
	const evidence = await turnEvidence(context, site.turn);
	const turn = await turnRecord(context, site.turn);
	const verdict = effectiveVerdict({
		report,
		criteria: ledger.criteria,
		open: ledger.open,
		evidence: requiredEvidence(evidence),
		// A formal review judges what was checked when it merged.
		missing: isReview ? [] : missingEvidence(evidence, context.workflow.checks),
		changedNothing:
			state.start !== "" &&
			(await changesBetween(context.vault, state.start, state.commit)).length === 0,
	});
	const judged: TurnRecord = {
		...turn,
		reviewedFrom: state.reviewed === "" ? null : state.reviewed,
		raw: verdict.raw,
		effective: verdict.effective,
		reasons: verdict.reasons,
		rationale: report.rationale,
		openIssues: ledger.open.map(findingKey).sort(),
		claims: ledger.criteria.map(({ criterion, met, tests }) => ({ criterion, met, tests })),
		exempt: isExempt(evidence, ledger.open, site.turn),
	};
	const writes: Write[] = [
		...ledger.changed.flatMap((finding) =>
			findingWrites(context, site, finding, argumentFor(finding, report, criteria)),
		),
		{ kind: "turn", turn: judged },
		taskWrite(context, {
			challengerApproved: verdict.effective === "approve",
			openFindings: ledger.open.length,
		}),
		eventWrite(context, site, "turn-judged", {
			raw: verdict.raw,
			effective: verdict.effective,
			reasons: [...verdict.reasons],
			rationale: report.rationale,
		}),
		...(isReview ? reviewEvents(context, site, verdict.effective, report) : []),
	];
	return { writes, critical: isCritical(report, ledger, [...same, ...before]) };
}

/** What the coach says for the state that a finding has now. */
function argumentFor(
	finding: Finding,
	report: CoachReport,
	criteria: readonly CriterionStatus[],
): FindingArgument | null {
	const text = coachReason(finding, report, criteria);
	return text === null ? null : { by: "coach", text, evidence: null };
}

/** The word of a formal review; none where there was no verdict. */
function reviewEvents(
	context: TaskContext,
	site: Site,
	decision: CoachReport["decision"] | null,
	{ rationale }: CoachReport,
): Write[] {
	return decision === null
		? []
		: [eventWrite(context, site, "review-decided", { decision, rationale })];
}

/** Raised or reopened in this round, also by a rise in severity, or approved over: harm that only a person may accept. */
function isCritical(
	report: CoachReport,
	{ changed, open }: LedgerUpdate,
	known: readonly Finding[],
): boolean {
	const before = new Map(known.map((finding) => [finding.id, finding]));
	const raised = changed.some((finding) => escalates(finding, before.get(finding.id)));
	const standing = open.some(({ severity }) => severity === "critical");
	return raised || (report.decision === "approve" && standing);
}

async function changedSince(
	context: TaskContext,
	state: TaskState,
): Promise<ReadonlySet<string> | null> {
	if (state.reviewed === "") return null;
	const changes = await changesBetween(context.vault, state.reviewed, state.commit);
	return new Set(changes.map(({ path }) => path));
}

/** A turn that counts in no stall: a dispute was upheld, or required evidence says nothing. */
export function isExempt(
	evidence: readonly Evidence[],
	open: readonly Finding[],
	turn: number,
): boolean {
	const silent = requiredEvidence(evidence).some(
		({ status }) => status === "absent" || status === "error",
	);
	return silent || open.some((finding) => wasUpheld(finding, turn));
}
