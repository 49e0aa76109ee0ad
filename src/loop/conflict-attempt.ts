import {
	type CoachReport,
	parseCoachReport,
	parseTieBreakReport,
	parseVerifierReport,
} from "../agents/report.ts";
import { nextAttempt, type UpheldFinding, upholderOf } from "../conflict/conflict.ts";
import {
	ConflictResolutionEngine,
	ResolutionInterrupted,
} from "../conflict/conflict-resolution-engine.ts";
import { conflictTexts, type TieBreak, type TieBreaker } from "../conflict/tie-breaker.ts";
import { normaliseFindingId } from "../review/apply-disputes.ts";
import { coachReason, criteriaStatus } from "../review/criteria.ts";
import type { Finding } from "../review/finding.ts";
import { stepWrite } from "../store/records.ts";
import { titleOf } from "../verification/test-run.ts";
import { stakeholdersOf, standInsOf, tieBreakerOf } from "../workflow/tie-breaker-of.ts";
import { BudgetSpent } from "./admission/budget.ts";
import type { Ground } from "./context.ts";
import { conflictDetected, conflictSettled } from "./records/findings.ts";
import type { TaskReader } from "./records/task-reader.ts";
import { ask } from "./roles.ts";
import { endOfEpisode, type SeatAnswer } from "./seat-call.ts";
import { threadOf } from "./state.ts";
import { maskedDiffs } from "./told-judges.ts";

// The attempt, what it does to the finding and its events are one transaction, and stored when this returns. Where
// the tie-breaker could not be asked to the end, it throws ResolutionInterrupted, and nothing is decided.
export async function settleConflict(ground: Ground, finding: UpheldFinding): Promise<void> {
	const { read, run, task, masker, clock } = ground;
	const attempt = nextAttempt(await read.conflicts(), finding.id);
	const tieBreaker = seatTieBreaker(ground, finding);
	const engine = new ConflictResolutionEngine({
		tieBreaker,
		records: {
			keep: async (record) =>
				await ground.commit([
					...conflictSettled(ground.log, finding, record, tieBreaker.asked()),
					// The answers given in this attempt are no answers to the next question.
					await endOfEpisode(ground, "tie_breaker"),
				]),
		},
		masker,
		clock,
	});
	const sides = {
		threadId: threadOf(run.runId, task.id, ground.epoch),
		taskId: task.id,
		developerVerdict: "PASS",
		reviewerVerdict: "FAIL",
		...(await conflictSides(ground, finding)),
	} as const;
	// A process that takes this up after a kill goes on under the same id.
	const key = ground.log.key<string>(`conflict/${finding.id}`);
	let conflictId = await read.step(key);
	if (conflictId === undefined) {
		const found = engine.detectConflict(sides);
		if (!found.conflictDetected) throw new Error(`both sides agree about ${finding.id}`);
		conflictId = found.conflictId;
		const about = { finding: finding.id, attempt, upheld_by: upholderOf(finding) };
		await ground.commit(conflictDetected(ground.log, key, { conflict: conflictId, ...about }));
	}
	await engine.resolve({ ...sides, conflictId, attemptCount: attempt });
}

const MAX_DIFF_BYTES = 2_000_000;

async function conflictSides(
	ground: Ground,
	finding: UpheldFinding,
): Promise<{ readonly developerOutput: string; readonly reviewerFeedback: string }> {
	const { start: from, commit: to } = ground.state;
	const [diff = ""] = await maskedDiffs(ground, [{ from, to }], MAX_DIFF_BYTES);
	const { rationale } = await ground.read.turn(ground.log.turn);
	if (finding.source === "verification") {
		const upheldBecause = await verifierWords(ground, ground.log.turn, finding);
		const test = await testText(ground, finding);
		const said = { criterionEvidence: null, upheldBecause };
		return conflictTexts({ finding, diff, ...said, test, rationale: "" });
	}
	const said = await coachWords(ground, ground.log.turn, finding);
	return conflictTexts({ finding, diff, ...said, test: null, rationale });
}

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

async function testText(
	{ texts: given, masker, read }: Pick<Ground, "texts" | "masker" | "read">,
	{ test }: Finding,
): Promise<string> {
	const title = titleOf(test ?? "");
	const texts: string[] = [];
	for (const { commit, files } of await read.suites())
		for (const path of files) {
			const text = (await given.at(commit, path)) ?? "";
			texts.push(masker.mask(`${path}\n${text}`));
		}
	const named = texts.filter((text) => title !== "" && text.includes(title));
	return (named.length > 0 ? named : texts).join("\n\n");
}

export async function coachReportOf(
	read: Pick<TaskReader, "calls">,
	turn: number,
): Promise<CoachReport | null> {
	const calls = await read.calls(turn, "coach");
	const last = calls.findLast(({ outcome }) => outcome === "answered");
	const parsed = parseCoachReport(last?.report ?? null);
	return parsed.ok ? parsed.report : null;
}

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

/** @returns why no further call may be made; null when every case is settled or waits for a person */
export async function unpaidSettling(
	cases: readonly UpheldFinding[],
	settle: (finding: UpheldFinding) => Promise<void>,
): Promise<string | null> {
	try {
		for (const finding of cases) await settle(finding);
		return null;
	} catch (error) {
		if (!(error instanceof ResolutionInterrupted)) throw error;
		if (error.cause instanceof BudgetSpent) return error.cause.message;
		throw error.cause;
	}
}

const CRITICAL = "it is not asked about a critical finding, whose harm only a person may accept";

// Each question is a call of its own with its own context: with the sides swapped nobody knows what was answered
// before. What is no word of the tie-breaker (Ctrl-C, a lost lease, a spent budget, a full disk) interrupts the
// resolution.
function seatTieBreaker(
	ground: Ground,
	finding: UpheldFinding,
): TieBreaker & { readonly asked: () => string | null } {
	let asked: string | null = null;
	return {
		asked: () => asked,
		ask: async (question) => {
			if (finding.severity === "critical") return { kind: "failed", reason: CRITICAL };
			const arbiter = await arbiterFor(ground, finding);
			if ("nobody" in arbiter) return { kind: "failed", reason: arbiter.nobody };
			const nth = question.order === "developer_first" ? 0 : 1;
			const asking = ask(ground, "tie_breaker", { agent: arbiter.name, nth, finding, ...question });
			const answer = await asking.catch((cause: unknown) => {
				throw new ResolutionInterrupted(cause);
			});
			if (answer.kind === "unpaid") throw new ResolutionInterrupted(new BudgetSpent(answer.reason));
			asked = answer.call.agent;
			return tieBreakOf(answer);
		},
	};
}

function tieBreakOf({ kind, call }: Exclude<SeatAnswer, { kind: "unpaid" }>): TieBreak {
	if (kind === "failed") {
		return { kind: "failed", reason: `${call.agent}: ${call.outcome}: ${call.message ?? ""}` };
	}
	const parsed = parseTieBreakReport(call.report, call.reportProblem ?? undefined);
	if (!parsed.ok)
		return { kind: "failed", reason: `${call.agent}: its answer cannot be used: ${parsed.reason}` };
	const { verdict, rationale } = parsed.report;
	return { kind: "verdict", verdict, rationale };
}

// Nobody who has a stake in the task is asked, by the workflow or by a call that was made. Chosen once for a dispute
// and stored, so that both orders of the sides, and a process after a kill, ask the same one.
export async function arbiterFor(
	ground: Ground,
	{ id }: Pick<UpheldFinding, "id">,
): Promise<{ readonly name: string } | { readonly nobody: string }> {
	const { read, log } = ground;
	const key = log.key<string>(`arbiter/${id}`);
	const known = await read.step(key);
	if (known !== undefined) return { name: known };
	const { name, told, seats } = await choose(ground);
	if (seats.includes(name))
		return { nobody: `${name} took part in this task, so it does not decide a dispute about it` };
	await ground.commit([stepWrite(key, name), ...told]);
	return { name };
}

async function choose(ground: Ground) {
	const { workflow, log } = ground;
	const { name } = tieBreakerOf(workflow);
	const seats = await stakeholders(ground);
	const why = workflow.tieBreaker === undefined ? await ground.obstacle(name) : null;
	if (why === null) return { name, told: [], seats };
	for (const { name: fallback } of standInsOf(workflow, seats)) {
		if ((await ground.obstacle(fallback)) !== null) continue;
		const replaced = { role: "tie_breaker", agent: name, fallback, why } as const;
		return { name: fallback, told: [log.event("agent-replaced", replaced)], seats };
	}
	// Asked all the same: its failure says what is missing, and a person decides.
	return { name, told: [], seats };
}

async function stakeholders({ workflow, task, read, log }: Ground): Promise<string[]> {
	const names = new Set(stakeholdersOf(workflow, task));
	for (let turn = 1; turn <= log.turn; turn += 1)
		for (const role of ["player", "coach", "verifier"] as const)
			for (const { agent } of await read.calls(turn, role)) names.add(agent);
	return [...names];
}
