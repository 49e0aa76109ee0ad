import type { Finding } from "../../review/finding.ts";
import { stepWrite, type TurnRecord, type Write } from "../../store/records.ts";
import type { Suite } from "../../verification/suite.ts";
import type { VerificationResult } from "../../verification/verification.ts";
import type { RouteDecision } from "../edges.ts";
import type { TaskLog } from "../task-log.ts";
import {
	suitesStep,
	type TurnVerification,
	verificationReport,
	verificationStep,
} from "../turn-verification.ts";
import { findingChanged } from "./findings.ts";
import { routed } from "./turn.ts";

/** A phase of verification that others can see while it lasts. */
export function verifyingPhase(log: TaskLog, phase: "verifying" | "verifying_dispatched"): Write[] {
	return [log.task({ phase })];
}

/** What verification of the turn came to: for its node, the task, the trace and later turns. */
export function verificationDecided(
	log: TaskLog,
	decided: TurnVerification,
	suites: readonly Suite[] | null,
): Write[] {
	const { verdict } = decided;
	const phase = PHASES[verdict];
	return [
		stepWrite(verificationStep(log, log.turn), decided),
		...(suites === null ? [] : [stepWrite(suitesStep(log), suites)]),
		log.task(phase === null ? { verification: verdict } : { verification: verdict, phase }),
		log.event("verification-decided", verificationReport(decided)),
	];
}

const PHASES = {
	passed: "verified",
	failed: "verification_failed",
	skipped: "verification_skipped",
	inconclusive: null,
} as const;

/** Findings about tests as they are from now on, with what the verifier said to their disputes. */
export function testsJudged(
	log: TaskLog,
	changed: readonly Finding[],
	{ answers }: Pick<VerificationResult, "answers">,
): Write[] {
	return changed.flatMap((finding) => {
		const said = answers.find((answer) => answer.finding === finding.id)?.reason ?? "";
		const text = said === "" ? WORDS[finding.state] : said;
		return findingChanged(log, finding, { by: "verifier", text, evidence: null });
	});
}

/** What is told of a change where its author said nothing. */
const WORDS: Readonly<Record<Finding["state"], string>> = {
	open: "the test fails",
	reopened: "the test fails again",
	fixed: "the test passes",
	disputed: "the player disputes the test",
	upheld: "the test stands",
	withdrawn: "the test is withdrawn",
	overruled: "the test counts no more",
};

/** A turn whose tests failed: no coach is asked, and it goes where its route says. */
export function verificationFailed(
	log: TaskLog,
	turn: TurnRecord,
	decision: RouteDecision,
): Write[] {
	const { route } = decision;
	return [{ kind: "turn", turn: { ...turn, route } }, ...routed(log, decision)];
}
