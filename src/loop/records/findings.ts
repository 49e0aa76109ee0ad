import type { PlayerReport } from "../../agents/report.ts";
import { applyDisputes } from "../../review/apply-disputes.ts";
import type { Finding, Ruling } from "../../review/finding.ts";
import { isBlocking } from "../../review/finding-state.ts";
import {
	judgedSuspicions,
	type Suspected,
	shownSuspicion,
} from "../../review/suspicion-answers.ts";
import { stepWrite, type Write } from "../../store/records.ts";
import type { FindingArgument } from "../../trace/event.ts";
import type { TaskLog } from "../task-log.ts";
import { answersStep } from "../task-reader.ts";

function argumentOf(argument: FindingArgument | null): FindingArgument | undefined {
	if (argument === null) return undefined;
	const text = shortened(argument.text);
	const evidence = shortened(argument.evidence ?? "");
	if (text === "" && evidence === "") return undefined;
	return { ...argument, text, evidence: evidence === "" ? null : evidence };
}

/**
 * A finding as it is from now on, with the event that says so.
 *
 * @param argument what was said for the change, masked already; null where nothing was. Blank ones are left out of
 * the event, long ones are cut there
 */
export function findingChanged(
	log: TaskLog,
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
	log: TaskLog,
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

export function overruledWhole(log: TaskLog, open: readonly Finding[]): Write[] {
	const ruling: Ruling = { by: "person", decision: "PASS", rationale: TAKEN, turn: log.turn };
	const settled = open.flatMap((finding) =>
		findingChanged(
			log,
			{ ...finding, ruling, state: "overruled", changedTurn: log.turn },
			{ by: "person", text: TAKEN, evidence: null },
		),
	);
	return [...settled, log.task({ openFindings: 0 })];
}

export function suspicionsAnswered(
	log: TaskLog,
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
