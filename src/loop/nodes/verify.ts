import { openConflicts, waitingConflicts } from "../../conflict/conflict.ts";
import { VERIFICATION_RUN } from "../../human/choices.ts";
import type { Reason } from "../../human/reason.ts";
import { requiredOf } from "../../review/effective-verdict.ts";
import { isOpen } from "../../review/finding-state.ts";
import type { Write } from "../../store/records.ts";
import type { Requirement } from "../../verification/requirement.ts";
import type { Suite } from "../../verification/suite.ts";
import type {
	VerificationOutcome,
	VerificationReason,
	VerificationRequest,
	VerificationResult,
} from "../../verification/verification.ts";
import { verificationReasonText } from "../../verification/verification-text.ts";
import { verifierOf } from "../../workflow/verifier-of.ts";
import { unpaidSettling } from "../conflict-attempt.ts";
import { halt, type NodeResult, passed, roleFailed, unpaid } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { conflictsPaused } from "../records/findings.ts";
import { routed } from "../records/turn.ts";
import type { TurnVerification } from "../records/turn-verification.ts";
import { AccountSpent } from "../seat-call.ts";
import { directiveOf } from "../seat-input.ts";
import { limitReason } from "../state.ts";
import {
	openDisputes,
	requirementFor,
	specKey,
	testFindings,
	testsJudged,
	verificationDecided,
	verifiedFindings,
	withdrawnTests,
} from "../verified-findings.ts";

type VerifyResult = NodeResult<"go" | "feedback" | "max_turns" | "halt">;

export async function verify(input: NodeInput): Promise<VerifyResult> {
	const { facts, read, log } = input;
	if (facts.task.formalReview === true) return skipped(input, false, [{ kind: "formal_review" }]);
	const requirement = await requirementFor(input);
	const reasons = whyRequired(requirement);
	if (!requirement.required) return skipped(input, false, reasons);
	const verifier = verifierOf(facts.workflow, facts.task);
	if (verifier === null) return skipped(input, true, [{ kind: "no_verifier" }, ...reasons]);
	const waived = facts.workflow.waive?.verification?.trim() ?? "";
	if (waived !== "") return skipped(input, true, [{ kind: "waived", why: waived }, ...reasons]);
	const word = (await read.items()).find(({ answer }) => answer?.choice === "unverified");
	if (word !== undefined) {
		const why = word.answer?.notes ?? null;
		return skipped(input, true, [{ kind: "unverified", why }, ...reasons]);
	}
	const { short } = requiredOf(await read.evidence(log.turn), facts.workflow.checks);
	if (short.length > 0)
		return passed(`the structure did not pass (${short.join(", ")}), so no tests were run`);
	await input.keep([log.task({ phase: "verifying" })]);
	const request = await requestFor(input, verifier);
	await input.keep([log.task({ phase: "verifying_dispatched" })]);
	const outcome = await input.verifier.verify(request);
	if (await isWithout(input, requirement, outcome)) {
		const why = shortfall(outcome);
		const result = await skipped(input, true, [{ kind: "verifier_failed", why }, ...reasons]);
		return {
			...result,
			writes: [...(result.writes ?? []), await input.seats.endEpisode("verifier")],
		};
	}
	return await decided(input, request, outcome);
}

async function isWithout(
	{ facts, read }: NodeInput,
	{ by }: Requirement,
	outcome: VerificationOutcome,
): Promise<boolean> {
	if (by !== "heuristic" || shortfall(outcome) === "") return false;
	// Tests that it wrote for an earlier part would neither run nor land.
	if ((await read.suites()).some(({ isSpent }) => isSpent !== true)) return false;
	const known = testFindings(await read.findings(), facts.subtask?.id ?? null);
	return !known.some(isOpen);
}

/** Reason of a verifier that gave no tests; empty where it did, or where something else is in the way. */
function shortfall(outcome: VerificationOutcome): string {
	if (outcome.kind === "role_failed") return outcome.why;
	if (outcome.kind !== "decided" || outcome.result.verdict !== "inconclusive") return "";
	return outcome.result.reasons.map(verificationReasonText).join("; ");
}

function whyRequired({ required, by, said, causes }: Requirement): VerificationReason[] {
	if (by !== "heuristic") return [{ kind: required ? "demanded" : "declined", said }];
	if (causes.length === 0) return [{ kind: "not_required" }];
	return causes.map((cause) => ({ kind: "cause", cause }));
}

const NOTHING = { tests: [], failing: [], run: null, outputPath: null, commit: null, attempts: 0 };

/** The file for other tools is written before the records: whoever runs this again after a kill writes the same one. */
async function keptVerification(
	{ log, files }: NodeInput,
	verification: TurnVerification,
	suites: readonly Suite[] | null,
): Promise<Write[]> {
	await files.verification(verification);
	return verificationDecided(log, verification, suites);
}

async function skipped(
	input: NodeInput,
	required: boolean,
	reasons: readonly VerificationReason[],
): Promise<VerifyResult> {
	const verification: TurnVerification = { ...NOTHING, verdict: "skipped", required, reasons };
	const [first] = reasons;
	return {
		update: { next: "go" },
		writes: await keptVerification(input, verification, null),
		passedThrough: `skipped: ${first === undefined ? "" : verificationReasonText(first)}`,
	};
}

async function requestFor(input: NodeInput, verifier: string): Promise<VerificationRequest> {
	const { facts, state, read, log } = input;
	const { task, run, subtask } = facts;
	const { id, description, acceptanceCriteria } = task;
	const known = testFindings(await read.findings(), subtask?.id ?? null);
	const directive = await directiveOf(input);
	return {
		run: run.runId,
		task: { id, description, acceptanceCriteria },
		subtask: subtask?.id ?? null,
		turn: log.turn,
		base: state.start,
		commit: state.commit,
		verifier,
		spec: specKey(task, directive),
		directive,
		suites: await read.suites(),
		withdrawn: withdrawnTests(known),
		disputes: openDisputes(known),
	};
}

async function decided(
	input: NodeInput,
	request: VerificationRequest,
	outcome: VerificationOutcome,
): Promise<VerifyResult> {
	const { seats } = input;
	switch (outcome.kind) {
		case "unpaid":
			return { update: unpaid(outcome.why) };
		case "spoilt": {
			const checks = [{ check: VERIFICATION_RUN, status: "error" as const, reason: outcome.why }];
			return { update: halt("environment", { kind: "checks_spoilt", of: "turn", checks }) };
		}
		case "role_failed":
			return {
				update: roleFailed("verifier", { ...outcome, reason: outcome.why }),
				writes: [await seats.endEpisode("verifier")],
			};
		case "account_spent":
			throw new AccountSpent({ ...outcome, kind: "quota_spent" });
		case "decided":
			return outcome.result.verdict === "inconclusive"
				? await inconclusive(input, request, outcome.result)
				: await judged(input, request, outcome.result);
	}
}

/** Twice the verifier wrote nothing that can be used: its fault, which a person hears of. No turn is charged. */
async function inconclusive(
	input: NodeInput,
	{ verifier: agent }: VerificationRequest,
	result: VerificationResult,
): Promise<VerifyResult> {
	const reason = shortfall({ kind: "decided", result });
	return {
		update: roleFailed("verifier", { agent, reason }),
		writes: [
			...(await keptVerification(input, turnOf(result, 0), result.suites)),
			await input.seats.endEpisode("verifier"),
		],
	};
}

const turnOf = (
	{ suites: _suites, answers: _answers, ...result }: VerificationResult,
	attempts: number,
): TurnVerification => ({ ...result, required: true, attempts });

async function judged(
	input: NodeInput,
	request: VerificationRequest,
	result: VerificationResult,
): Promise<VerifyResult> {
	const { facts, read, log, keep } = input;
	const subtask = facts.subtask?.id ?? null;
	const known = testFindings(await read.findings(), subtask);
	const nextNumber = (await read.findingCount()) + 1;
	const changed = verifiedFindings({ known, result, nextNumber, turn: log.turn, subtask });
	await keep(testsJudged(log, changed, result));
	if (result.verdict !== "failed") return await verified(input, result);
	const unsettled = await settle(input);
	if (unsettled !== null) return unsettled;
	const after = testFindings(await read.findings(), subtask);
	const withdrawn = withdrawnTests(after);
	if (withdrawn.length === request.withdrawn.length + answered(result))
		return await failed(input, result);
	// The tie-breaker decided against a test: the rest runs again, and no dispute is left to be asked about.
	const again = { ...request, withdrawn, disputes: [], suites: result.suites };
	return await decided(input, again, await input.verifier.verify(again));
}

const answered = ({ answers }: VerificationResult): number =>
	answers.filter(({ status }) => status === "withdrawn").length;

async function settle({ read, seats }: NodeInput): Promise<VerifyResult | null> {
	const open = (await read.open()).filter(({ source }) => source === "verification");
	const cases = openConflicts({ open, known: await read.conflicts(), needsApproval: false });
	const why = await unpaidSettling(cases, seats.tieBreaker);
	return why === null ? null : { update: unpaid(why) };
}

async function verified(input: NodeInput, result: VerificationResult): Promise<VerifyResult> {
	const { read, log } = input;
	return {
		update: { next: "go" },
		writes: [
			...(await keptVerification(input, turnOf(result, 0), result.suites)),
			log.task({ openFindings: (await read.open()).length }),
		],
	};
}

async function failed(input: NodeInput, result: VerificationResult): Promise<VerifyResult> {
	const { read, log, pair } = input;
	const attempts = (await failedBefore(input)) + 1;
	const writes = [
		...(await keptVerification(input, turnOf(result, attempts), result.suites)),
		log.task({ openFindings: (await read.open()).length, challengerApproved: null }),
	];
	const asked = await question(input, attempts);
	if (asked !== null) return { ...asked, writes: [...writes, ...(asked.writes ?? [])] };
	const turn = await read.turn(log.turn);
	const reasons = result.reasons.map((reason) => ({
		kind: "verification_short" as const,
		why: verificationReasonText(reason),
	}));
	const { route, reason, update } = routeOf(input, result);
	return {
		update,
		writes: [
			...writes,
			{ kind: "turn", turn: { ...turn, reasons, route } },
			...routed(log, { route, reason }),
			...(await pair.moved(turn, null)),
		],
		afterCommit: () => pair.write(),
	};
}

function routeOf({ state }: NodeInput, { failing }: VerificationResult) {
	if (state.turn < state.bound) {
		const reason: Reason = { kind: "tests_failed", count: failing.length };
		return { route: "feedback", reason, update: { next: "feedback" } } as const;
	}
	const reason = limitReason(state);
	const update = { next: "max_turns", trigger: "loop_exhausted", reason } as const;
	return { route: "max_turns", reason, update } as const;
}

async function question(
	{ facts, read, log, seats }: NodeInput,
	attempts: number,
): Promise<VerifyResult | null> {
	const waiting = waitingConflicts(await read.conflicts(), await read.open(), log.turn);
	const isDisputed = waiting.length > 0;
	if (!isDisputed && attempts < facts.workflow.verification.attempts) return null;
	const reason: Reason = isDisputed
		? { kind: "tests_disputed", findings: waiting.map(({ finding }) => finding) }
		: { kind: "verification_exhausted", attempts };
	const pauses = facts.task.human ? conflictsPaused(log, waiting) : [];
	return {
		update: halt("verification", reason),
		writes: [...pauses, await seats.endEpisode("verifier")],
	};
}

const LOOK_BACK = 100;

/** Verifications that failed before this turn, since the last that passed or a person's last answer. */
async function failedBefore({ read, log }: NodeInput): Promise<number> {
	let count = 0;
	for (const { turn, restarted } of await read.turns(LOOK_BACK)) {
		if (restarted) return count;
		const verdict = turn === log.turn ? undefined : (await read.verification(turn))?.verdict;
		if (verdict === "passed") return count;
		if (verdict === "failed") count += 1;
	}
	return count;
}
