import type { CoachReport, PlayerReport } from "../../agents/report.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { GateReport } from "../../gate/gate-report.ts";
import type { Snapshot } from "../../git/snapshot.ts";
import { type Reason, toldReason } from "../../human/reason.ts";
import type { BlockedPlace } from "../../judge/blocked-places.ts";
import type { LeftWork } from "../../kernel/left-work.ts";
import type { Role } from "../../kernel/roles.ts";
import { concernsOf } from "../../review/concerns.ts";
import { verdictReasonText } from "../../review/verdict-reason.ts";
import {
	type CallRecord,
	gateReportStep,
	stepWrite,
	type TurnRecord,
	type Write,
} from "../../store/records.ts";
import type { CriterionStatement } from "../../trace/criterion-statement.ts";
import type { EventData } from "../../trace/event.ts";
import { falseClaimText } from "../../wall/false-claim.ts";
import { leftOutOf } from "../../wall/integrity/left-out.ts";
import type { Integrity } from "../../wall/reading/tree-pair.ts";
import type { ConfidencePolicy } from "../../workflow/workflow.ts";
import { shortened } from "./findings.ts";
import type { Journal } from "./task-log.ts";
import { leftBehindStep, leftOutStep, scoreStep, type TurnScore, wallStep } from "./task-steps.ts";
import { type AuditedClaims, auditStep, claimsStep, type ReportedClaims } from "./turn-claims.ts";

export function newTurn(
	{ runId, taskId, turn }: Pick<Journal, "runId" | "taskId" | "turn">,
	{ commit, tree, notes, concerns }: Pick<TurnRecord, "commit" | "tree" | "notes" | "concerns">,
): TurnRecord {
	return {
		runId,
		taskId,
		turn,
		commit,
		tree,
		notes,
		concerns,
		reviewedFrom: null,
		raw: null,
		effective: null,
		reasons: [],
		claims: null,
		rationale: "",
		openIssues: [],
		exempt: false,
		restarted: false,
		route: null,
	};
}

export function turnBegun(log: Journal): Write[] {
	return [log.task({ turns: log.turn, status: "running" })];
}

export function workLost(
	log: Journal,
	{ call: { role, agent, call }, reason }: { readonly call: CallRecord; readonly reason: string },
): Write {
	return log.event("work-lost", { role, agent, call, reason });
}

export function turnTakenBack(log: Journal): Write[] {
	return [log.task({ turns: log.turn - 1 })];
}

export function snapshotTaken(
	log: Journal,
	snapshot: Snapshot,
	{
		notes,
		concerns,
		...counts
	}: Pick<EventData["snapshot-taken"], "changed" | "lines"> &
		Pick<TurnRecord, "notes" | "concerns">,
): Write[] {
	const { commit, tree, empty } = snapshot;
	return [
		log.task({ commit }),
		stepWrite(leftOutStep(log, log.turn), leftOutOf(snapshot)),
		log.event("snapshot-taken", { commit, tree, empty, ...counts }),
		{ kind: "turn", turn: newTurn(log, { commit, tree, notes, concerns }) },
	];
}

export function leftBehind(
	log: Journal,
	{ userIgnored }: Pick<Snapshot, "userIgnored">,
	work: readonly LeftWork[],
): Write[] {
	if (work.length + userIgnored.length === 0) return [];
	const step = stepWrite(leftBehindStep(log, log.turn), {
		work,
		ignored: userIgnored.slice(0, LISTED),
	});
	return work.length === 0 ? [step] : [step, log.event("work-left", { work })];
}

export function reviewTurnBegun(log: Journal, commit: string, tree: string): Write[] {
	const turn = newTurn(log, { commit, tree, notes: "", concerns: [] });
	return [log.task({ turns: log.turn, status: "running", commit }), { kind: "turn", turn }];
}

const LISTED = 200;

const listed = (texts: readonly string[]): string[] => texts.slice(0, LISTED).map(shortened);

export function playerReported(
	log: Journal,
	{ player, from }: Pick<ReportedClaims, "player" | "from">,
	report: PlayerReport,
): Write[] {
	const claims = {
		files_modified: listed(report.files_modified),
		files_created: listed(report.files_created),
		tests_written: listed(report.tests_written),
		checks_passed: listed(report.checks_passed),
	};
	return [
		stepWrite(claimsStep(log, log.turn), { player, from, ...claims }),
		log.event("player-reported", {
			...claims,
			implementation_notes: shortened(report.implementation_notes),
			concerns: concernsOf(report),
		}),
	];
}

export function statementsOf(statements: CoachReport["requirements_status"]): CriterionStatement[] {
	return statements.slice(0, LISTED).map(({ criterion, met, evidence = "", tests }) => ({
		criterion: shortened(criterion),
		met,
		evidence: shortened(evidence) || null,
		tests: listed(tests),
	}));
}

export function claimsCompared(log: Journal, audit: AuditedClaims): Write[] {
	const { judged, false: wrong, inARow } = audit;
	return [
		stepWrite(auditStep(log, log.turn), audit),
		log.event("claims-compared", {
			honest: judged === 0 ? 1 : (judged - wrong.length) / judged,
			discrepancies: listed(wrong.map(falseClaimText)),
			in_a_row: inARow,
		}),
	];
}

export function reportsRejected(
	log: Journal,
	role: Role,
	refused: readonly {
		readonly call: Pick<CallRecord, "agent" | "call">;
		readonly reason: string;
	}[],
): Write[] {
	return refused.map(({ call: { agent, call }, reason }) =>
		log.event("report-rejected", { role, agent, call, reason }),
	);
}

export function integrityChecked(
	log: Journal,
	evidence: Evidence,
	{ violations, notes, suspicions, allowed }: Integrity,
	weakened: readonly BlockedPlace[],
): Write[] {
	const { runId, taskId, turn } = log;
	const { status } = evidence;
	const places = weakened.map(({ file, line, before, after }) => {
		return { file, line, before: [...before], after: [...after] };
	});
	return [
		{ kind: "evidence", runId, taskId, turn, attempt: 0, evidence },
		log.event("integrity-checked", {
			status,
			violations: [...violations],
			notes: [...notes],
			...(places.length === 0 ? {} : { weakened: places }),
			...(suspicions.length === 0 ? {} : { suspicions: suspicions.map((one) => ({ ...one })) }),
			...(allowed.length === 0 ? {} : { allowed: allowed.map((one) => ({ ...one })) }),
		}),
		stepWrite(wallStep(log, turn), { suspicions, allowed, violations }),
		log.task({ phase: "validated" }),
	];
}

export function verdictGiven(
	log: Journal,
	turn: TurnRecord,
	{
		open,
		rationale,
		attempts,
		criteria,
	}: {
		readonly open: number;
		readonly rationale: string;
	} & Pick<EventData["turn-judged"], "attempts" | "criteria">,
): Write[] {
	const { raw, effective, reasons } = turn;
	return [
		{ kind: "turn", turn },
		log.task({ challengerApproved: effective === "approve", openFindings: open }),
		log.event("turn-judged", {
			raw,
			effective,
			reasons: reasons.map(verdictReasonText),
			rationale,
			attempts,
			criteria,
		}),
	];
}

export function scored(
	log: Journal,
	mode: ConfidencePolicy["mode"],
	score: TurnScore,
	{ tree, agent }: { readonly tree: string; readonly agent: string },
	statements: CoachReport["requirements_status"] | null,
): Write[] {
	const { runId, taskId, turn } = log;
	const { score: value, threshold, advisory, metrics, warnings } = score;
	const createdAt = log.timestamp();
	const told = { mode, score: value, threshold, advisory, metrics, warnings };
	return [
		stepWrite(scoreStep(log, turn), score),
		log.task({ confidenceScore: value, confidenceWarnings: warnings }),
		log.event(
			"confidence-scored",
			statements === null ? told : { ...told, criteria: statementsOf(statements) },
		),
		{
			kind: "score",
			score: { runId, taskId, turn, tree, agent, score: value, metrics, createdAt },
		},
	];
}

export function gated(log: Journal, report: GateReport): Write[] {
	const { runId, taskId, turn } = log;
	const { verdict, rule, risk_tier } = report;
	return [
		stepWrite(gateReportStep(log, turn), report),
		log.task({ gate: { riskTier: risk_tier, verdict } }),
		log.event("gate-evaluated", { verdict, rule, risk_tier }),
		{ kind: "score-outcome", runId, taskId, turn, patch: { gate: verdict } },
	];
}

export function subtaskCompleted(
	log: Journal,
	{ id, index }: { readonly id: string; readonly index: number },
): Write[] {
	return [
		log.task({ subtask: index + 1, subtaskStart: log.turn }),
		log.event("subtask-completed", { subtask: id, turn: log.turn }),
	];
}

export function routed(
	log: Journal,
	{ route, reason }: Pick<EventData["turn-routed"], "route"> & { readonly reason: Reason },
): Write[] {
	return [log.event("turn-routed", { route, ...toldReason(reason) })];
}
