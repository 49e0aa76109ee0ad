import { blockedOf, parsePlayerReport } from "../agents/report.ts";
import { caseName, namesOf } from "../confidence/requirement-coverage.ts";
import { checklistRuns } from "../evidence/checklist.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Checkout } from "../git/checkout.ts";
import type { BlockedInQuestion } from "../human/question.ts";
import { ignoredFilesText, leftWorkLines } from "../kernel/left-work.ts";
import type { PlayerBlocked } from "../kernel/player-blocked.ts";
import type { Masker } from "../masking/masking.ts";
import { playerContext } from "../review/context.ts";
import type { ScoreTold } from "../review/evidence-text.ts";
import { type Overlap, playerPrompt, type ToldOverlap } from "../review/player-prompt.ts";
import { verdictReasonText } from "../review/verdict-reason.ts";
import { maskAllButNames } from "../store/mask-texts.ts";
import type { CallRecord, TurnRecord } from "../store/records.ts";
import { withoutTestPaths } from "../verification/hidden-tests.ts";
import { feedbackText } from "../verification/verification-text.ts";
import type { CallPlace, RefusedAnswer, Told } from "./agent-call.ts";
import type { Ground } from "./context.ts";
import { conventionsAt } from "./conventions.ts";
import type { TaskReader } from "./records/task-reader.ts";
import { answerSoFar } from "./seat-call.ts";
import { seatInput } from "./seat-input.ts";

export async function clearJudges({ places, read, state }: Ground): Promise<void> {
	const { reviewed, commit } = state;
	const { verifier, verification, integration, coach } = places;
	await verifier.remove();
	await verification.remove();
	if ((await read.suites()).length > 0) await integration.remove();
	// Where nothing was left, its setup is of use to the next round.
	if ((await coach.id()) !== null && !(await coach.isUnchanged(reviewed || commit)))
		await coach.remove();
}

// A call that an earlier process stored counts only while the checkout that it worked in is there, as the call left
// it.
export async function lostWork(ground: Ground): Promise<RefusedAnswer | null> {
	const stored = await answerSoFar(ground, { role: "player", nth: 0 });
	if (stored === null) return null;
	const { places, state } = ground;
	const reason = await whyLost(places.player, stored.call.checkout, state.commit);
	return reason === null ? null : { call: stored.call, reason };
}

async function whyLost(
	player: Checkout,
	worked: string | null,
	commit: string,
): Promise<string | null> {
	const present = await player.id();
	if (present === null) return "its checkout is gone";
	if (present !== worked) return "its checkout has been made again since";
	const { missing, of } = await player.missingFiles(commit);
	// Nobody saw how the directory came to be what it is since the call ended.
	return missing * 2 > of ? `${missing} of the ${of} files of its checkout are gone` : null;
}

export async function toldPlayer(
	ground: Ground,
	_asked: unknown,
	{ workDir, handsIn }: CallPlace,
): Promise<Told> {
	const { read, task, workflow, state } = ground;
	const last = await read.turnIfAny(state.turn);
	const left = await read.leftBehind(state.turn);
	const stored = state.turn === 0 ? [] : await read.allEvidence(state.turn);
	// Mutants are shown to those who write tests apart and judge; the player is told by the integrity.
	const evidence = stored.filter(
		({ status, kind }) => status !== "pass" && kind !== "mutation" && kind !== "power",
	);
	const files = (await read.suites()).flatMap((suite) => suite.files);
	const hide: Masker = { mask: (text) => withoutTestPaths(text, files), longest: 0 };
	const given = await seatInput(ground, { evidence, workDir });
	const input = {
		...given,
		findings: maskAllButNames(hide, given.findings),
		pair: maskAllButNames(hide, given.pair),
	};
	const refused = await read.refusedMerge(state.turn);
	const verification = await read.verification(state.turn);
	const feedback = verification === null ? "" : hide.mask(feedbackText(verification));
	const confidence = await scoreTold(ground, last);
	const stopped = await blockedIn(read, state.turn);
	const claimed = await read.claims(state.turn);
	// Who swapped into the seat made another report.
	const falseClaims = claimed?.player === task.player ? claimed.false : [];
	// A checklist asks for no rework, so its items do not stand for the reasons of the turn.
	const failed = evidence.filter(({ kind }) => kind !== "checklist").length;
	const conventions =
		workflow.conventions === false
			? []
			: await conventionsAt(ground.vault, ground.run.baseCommit, task);
	const prompt = playerPrompt({
		task,
		conventions,
		turn: ground.log.turn,
		bound: state.bound,
		findings: input.findings,
		evidence: input.evidence,
		// A turn that was approved and then refused by the merge has no reason but that.
		reasons:
			last === undefined || refused !== null
				? []
				: unsaid(last, failed).map((reason) => hide.mask(reason)),
		critique: last === undefined || refused !== null ? null : critiqueOf(last, hide),
		confidence,
		checks: [...workflow.checks, ...checklistRuns(task.checklist ?? [])],
		protectedPaths: workflow.protected,
		directive: input.directive,
		verification: feedback,
		falseClaims,
		changedNothing: last?.reasons.some(({ kind }) => kind === "nothing_changed") === true,
		stopped: stopped?.what ?? null,
		merge: refused === null ? null : hide.mask(refused.told),
		// What hindered the merge tells more.
		overlaps: refused === null ? toldOverlaps(workflow, await read.overlaps(state.turn)) : [],
		leftWork: leftWorkLines(left.work),
		ignored: ignoredFilesText(left.ignored),
		handsIn,
	});
	return {
		prompt,
		context: playerContext({ ...input, confidence, verificationFeedback: feedback, falseClaims }),
		conventions: conventions.map(({ path }) => path),
	};
}

function toldOverlaps(
	{ tasks }: Ground["workflow"],
	overlaps: readonly Overlap[],
): readonly ToldOverlap[] {
	const told = new Map(tasks.map(({ id, description }) => [id, description]));
	return overlaps.map((overlap) => {
		const { task } = overlap;
		return { ...overlap, description: task === null ? null : (told.get(task) ?? null) };
	});
}

async function scoreTold(
	{ read, task }: Ground,
	last: TurnRecord | undefined,
): Promise<ScoreTold | null> {
	if (last === undefined || last.route === "approve") return null;
	const score = await read.score(last.turn);
	return score && { ...score, exitConditions: task.exitConditions ?? [] };
}

function unsaid(turn: TurnRecord, failedEvidence: number): readonly string[] {
	if (turn.openIssues.length > 0 || failedEvidence > 0) return [];
	// What was overruled needs no fix.
	return turn.reasons.filter(({ kind }) => kind !== "overruled").map(verdictReasonText);
}

function critiqueOf(turn: TurnRecord, hide: Pick<Masker, "mask">): string | null {
	const isOverruled = turn.raw === "feedback" && turn.effective === "approve";
	const needsNothing = isOverruled || turn.route === "approve";
	return needsNothing || turn.rationale.trim() === "" ? null : hide.mask(turn.rationale);
}

/** Reason for which the report of a turn's player cannot be used; null where it can, or where there was none to give. */
export async function reportProblemIn(
	read: Pick<TaskReader, "calls">,
	turn: number,
): Promise<string | null> {
	const last = await answeredCall(read, turn);
	if (last === undefined) return null;
	const parsed = parsePlayerReport(last.report, last.reportProblem ?? undefined);
	return parsed.ok ? null : parsed.reason;
}

async function answeredCall(
	read: Pick<TaskReader, "calls">,
	turn: number,
): Promise<CallRecord | undefined> {
	const calls = turn === 0 ? [] : await read.calls(turn, "player");
	return calls.findLast(({ outcome }) => outcome === "answered");
}

export async function blockedIn(
	read: Pick<TaskReader, "calls">,
	turn: number,
): Promise<PlayerBlocked | null> {
	const last = await answeredCall(read, turn);
	const blocked = blockedOf(last?.report ?? null);
	return blocked === null || blocked.what === "" ? null : blocked;
}

export function blockedAsked(
	blocked: PlayerBlocked,
	evidence: readonly Evidence[],
): BlockedInQuestion {
	const said = [blocked.what, ...blocked.evidence, blocked.proposal].map(caseName);
	const tests = evidence
		.filter(({ kind }) => kind === "acceptance")
		.flatMap(({ check, cases }) =>
			(cases ?? [])
				.filter(({ id }) => namesOf(caseName(id)).some((name) => said.some(naming(name))))
				.map(({ id: name, status, message = null }) => ({ check, name, status, message })),
		);
	return { ...blocked, tests: tests.slice(0, MOST) };
}

const MOST = 20;

function naming(name: string): (text: string) => boolean {
	const escaped = RegExp.escape(name);
	const alone = new RegExp(`(?<![\\p{L}\\p{N}_/\\\\-])${escaped}(?![\\p{L}\\p{N}_/\\\\-])`, "u");
	return (text) => alone.test(text);
}
