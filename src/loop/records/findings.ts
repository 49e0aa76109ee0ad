import type { PlayerReport } from "../../agents/report.ts";
import {
	type ConflictRecord,
	type FindingConflict,
	type UpheldFinding,
	upholderOf,
} from "../../conflict/conflict.ts";
import { CONFLICT_ESCALATION } from "../../conflict/conflict-resolution-engine.ts";
import { applyDisputes } from "../../review/apply-disputes.ts";
import type { Finding, Ruling } from "../../review/finding.ts";
import { isBlocking, withRuling } from "../../review/finding-state.ts";
import {
	judgedSuspicions,
	type Suspected,
	shownSuspicion,
} from "../../review/suspicion-answers.ts";
import { type StepKey, stepWrite, type Write } from "../../store/records.ts";
import type { EventData } from "../../trace/event.ts";
import type { FindingArgument } from "../../trace/finding-argument.ts";
import type { Journal } from "./task-log.ts";
import { answersStep } from "./task-steps.ts";

function argumentOf(argument: FindingArgument | null): FindingArgument | undefined {
	if (argument === null) return undefined;
	const text = shortened(argument.text);
	const evidence = shortened(argument.evidence ?? "");
	if (text === "" && evidence === "") return undefined;
	return { ...argument, text, evidence: evidence === "" ? null : evidence };
}

// `argument` is masked already. A blank one is left out of the event, a long one is cut there.
export function findingChanged(
	log: Journal,
	finding: Finding,
	argument: FindingArgument | null = null,
): Write[] {
	const { id, state, severity, issue, file, line } = finding;
	const told = { finding: id, state, severity, issue, blocking: isBlocking(finding) };
	const place = { file: file ?? undefined, line: line ?? undefined };
	const said = argumentOf(argument);
	return [
		{ kind: "finding", runId: log.runId, taskId: log.taskId, finding },
		log.event("finding-changed", { ...told, ...place, argument: said }),
	];
}

export function disputed(
	log: Journal,
	open: readonly Finding[],
	disputes: PlayerReport["disputes"],
): Write[] {
	const applied = applyDisputes(open, disputes, log.turn);
	return [
		...applied.disputed.flatMap((finding) => {
			const { reason = "", evidence = null } = finding.dispute ?? {};
			return findingChanged(log, finding, { by: "player", text: reason, evidence });
		}),
		...applied.ignored.map((dispute) => log.event("dispute-ignored", dispute)),
	];
}

const TAKEN = "a person took the player's output";

export function overruledWhole(log: Journal, open: readonly Finding[]): Write[] {
	const ruling: Ruling = { by: "person", decision: "PASS", rationale: TAKEN, turn: log.turn };
	const said = { by: "person", text: TAKEN, evidence: null } as const;
	const settled = open.flatMap((finding) => findingChanged(log, withRuling(finding, ruling), said));
	return [...settled, log.task({ openFindings: 0 })];
}

export function suspicionsAnswered(
	log: Journal,
	suspected: Suspected,
	findings: readonly Finding[],
): Write[] {
	if (suspected.suspicions.length === 0) return [];
	const suspicions = judgedSuspicions(suspected, findings).map(shownSuspicion);
	return [
		stepWrite(answersStep(log), suspected.answers),
		log.event("suspicions-answered", { suspicions }),
	];
}

/** Longest text of a report in an event, in UTF-16 code units; the report has all of it. */
const LONGEST = 4_000;

/** A text as an event holds it: trimmed, and cut with an ellipsis. Masked before, since a cut may split a secret. */
export function shortened(text: string): string {
	const whole = text.trim();
	return whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST - 1)}…`.toWellFormed();
}

/** A conflict is found, and told of once: a process that takes it up after a kill goes on under the same id. */
export function conflictDetected(
	log: Journal,
	key: StepKey<string>,
	found: EventData["conflict-detected"],
): Write[] {
	return [stepWrite(key, found.conflict), log.event("conflict-detected", found)];
}

export function conflictSettled(
	log: Journal,
	finding: UpheldFinding,
	record: ConflictRecord,
	tieBreaker: string | null,
): Write[] {
	const { conflictId, resolution, tieBreakerDecision, rationale, escalationReason } = record;
	const { runId, taskId, turn } = log;
	const writes: Write[] = [
		{
			kind: "conflict",
			runId,
			record,
			about: { finding: finding.id, turn, disputeTurn: finding.dispute.turn, tieBreaker },
		},
		log.event("conflict-resolved", {
			conflict: conflictId,
			finding: finding.id,
			attempt: record.attemptCount,
			upheld_by: upholderOf(finding),
			resolution,
			tie_breaker: tieBreaker,
			decision: tieBreakerDecision,
			rationale,
			escalation_reason: escalationReason,
		}),
		...ruled(log, finding, record),
	];
	if (escalationReason !== null)
		writes.push(log.event(CONFLICT_ESCALATION, { conflictId, taskId, escalationReason }));
	return writes;
}

function ruled(
	log: Journal,
	finding: UpheldFinding,
	{ tieBreakerDecision: decision, rationale }: ConflictRecord,
): Write[] {
	if (decision === null) return [];
	const text = rationale ?? "";
	const ruling = { by: "tie_breaker", decision, rationale: text, turn: log.turn } as const;
	const said = { by: "tie_breaker", text, evidence: null } as const;
	return findingChanged(log, withRuling(finding, ruling), said);
}

// Read from the records, so that what a process escalated that ended before its node did is waited for as well.
export function conflictsPaused(log: Journal, known: readonly FindingConflict[]): Write[] {
	return known.flatMap(({ turn, conflictId, escalationReason: reason, paused }): Write[] => {
		if (turn !== log.turn || reason === null || paused === true) return [];
		const event = log.told("PAUSED_FOR_USER_ESCALATION", { conflict: conflictId, reason });
		return [{ kind: "conflict-paused", runId: log.runId, conflictId, event }];
	});
}
