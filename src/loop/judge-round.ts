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
	const ledger = updateLedger({
		open: before,
		sameIssue: same,
		nextNumber: (await records.findingCount(run.runId, task.id)) + 1,
		report,
		criteria,
		subtask: context.subtask?.id ?? null,
		turn: site.turn,
		changedFiles: state.reviewed === "" ? null : await changedSince(context, state, state.reviewed),
		changedSinceRuling: await changedSinceRulings(context, state, same),
		round: state.round + 1,
	});
	const isReview = task.formalReview === true;
	const evidence = await turnEvidence(context, site.turn);
	const turn = await turnRecord(context, site.turn);
	const repeated = overruledAgain(report, ledger, same);
	const verdict = effectiveVerdict({
		// A coach that has nothing to say but what was overruled has nothing to say.
		report: repeated.length === 0 ? report : { ...report, decision: "approve" },
		criteria,
		open: ledger.open,
		evidence: requiredEvidence(evidence),
		// A formal review judges what was checked when it merged.
		missing: isReview ? [] : missingEvidence(evidence, context.workflow.checks),
		changedNothing:
			state.start !== "" &&
			(await changesBetween(context.vault, state.start, state.commit)).length === 0,
	});
	const isOverruled = repeated.length > 0 && verdict.effective === "approve";
	const reasons = isOverruled ? [`overruled: ${repeated.join(", ")}`] : verdict.reasons;
	const judged: TurnRecord = {
		...turn,
		reviewedFrom: state.reviewed === "" ? null : state.reviewed,
		raw: report.decision,
		effective: verdict.effective,
		reasons,
		rationale: report.rationale,
		openIssues: ledger.open.map(findingKey).sort(),
		claims: criteria.map(({ criterion, met, tests }) => ({ criterion, met, tests })),
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
		...ledger.ignored.map((finding) =>
			eventWrite(context, site, "finding-ignored", { finding, reason: NO_NEW_GROUND }),
		),
		eventWrite(context, site, "turn-judged", {
			raw: report.decision,
			effective: verdict.effective,
			reasons: [...reasons],
			rationale: report.rationale,
		}),
		...(isReview ? reviewEvents(context, site, verdict.effective, report) : []),
	];
	return { writes, critical: isCritical(report, ledger, [...same, ...before]) };
}

/** Why a repeated finding stays closed. */
const NO_NEW_GROUND = "it was settled, and nothing that it is about has changed since";

/**
 * The overruled findings that a refusal repeats, where it rests on nothing else: no criterion is unmet, and nothing is
 * open. Else none.
 */
function overruledAgain(
	{ decision }: CoachReport,
	{ open, ignored }: LedgerUpdate,
	same: readonly Finding[],
): readonly string[] {
	if (decision === "approve" || open.length > 0) return [];
	const isOverruled = (id: string): boolean =>
		same.some((finding) => finding.id === id && finding.state === "overruled");
	return ignored.every(isOverruled) ? ignored : [];
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
	{ vault }: TaskContext,
	{ commit }: TaskState,
	from: string,
): Promise<ReadonlySet<string>> {
	const changes = from === commit ? [] : await changesBetween(vault, from, commit);
	return new Set(changes.map(({ path }) => path));
}

/** For findings that were overruled: the coach judges the work of now, and a ruling that of its turn. */
async function changedSinceRulings(
	context: TaskContext,
	state: TaskState,
	known: readonly Finding[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
	const changed = new Map<string, ReadonlySet<string>>();
	for (const { id, ruling } of known) {
		if (ruling?.decision !== "PASS") continue;
		const { commit } = await turnRecord(context, ruling.turn);
		changed.set(id, await changedSince(context, state, commit));
	}
	return changed;
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
