import { mkdir, writeFile } from "node:fs/promises";
import { type CoachReport, parseCoachReport } from "../../agents/report.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { changesBetween, diffText } from "../../git/changes.ts";
import { findingKey } from "../../review/claim.ts";
import { coachPrompt } from "../../review/coach-prompt.ts";
import { coachContext } from "../../review/context.ts";
import { criteriaStatus } from "../../review/criteria.ts";
import {
	effectiveVerdict,
	missingEvidence,
	requiredEvidence,
} from "../../review/effective-verdict.ts";
import type { Finding } from "../../review/finding.ts";
import { isBlocking, wasUpheld } from "../../review/finding-state.ts";
import { reportKeys, updateLedger } from "../../review/ledger.ts";
import { repairPrompt } from "../../review/repair-prompt.ts";
import type { CallRecord, TurnRecord, Write } from "../../store/records.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "../context.ts";
import { halt } from "../halt.ts";
import { handOver } from "../handed-evidence.ts";
import { prepareCheckout } from "../prepare-checkout.ts";
import { callSeat, endOfEpisode, type SeatRequest } from "../seat-call.ts";
import { directiveOf, pairOf } from "../seats.ts";
import type { TaskState } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";
import { turnEvidence } from "../turn-evidence.ts";
import { turnRecord } from "../turn-record.ts";

/** The largest diff that is kept for a coach, in bytes; above it the file says what is left out. */
const MAX_DIFF_BYTES = 20_000_000;

/**
 * `coach_turn`: the second seat judges the frozen commit in a checkout of its own, and code decides what its answer
 * amounts to (design section 2, "The effective verdict").
 */
export async function coachTurn(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	const coach = context.task.pair?.challenger;
	if (coach === undefined)
		return { update: { next: "go" }, passedThrough: "no pair: a single agent works" };
	const heard = await hearCoach(context, state, site, coach);
	if (heard.kind === "failed") {
		return {
			update: halt(
				"role_error",
				`the coach ${coach} gave no verdict: ${heard.reason}`,
				"coach_turn",
			),
			writes: [...heard.writes, await endOfEpisode(context, site, "coach")],
		};
	}
	const writes = await judge(context, state, site, heard.report);
	return {
		update: { next: "go", round: state.round + 1, reviewed: state.commit },
		writes: [...heard.writes, ...writes],
	};
}

type Heard =
	| { readonly kind: "report"; readonly report: CoachReport; readonly writes: readonly Write[] }
	| { readonly kind: "failed"; readonly reason: string; readonly writes: readonly Write[] };

/** Calls the coach, and once more with the error when its report is invalid. No turn is charged. */
async function hearCoach(
	context: TaskContext,
	state: TaskState,
	site: Site,
	coach: string,
): Promise<Heard> {
	const writes: Write[] = [];
	let refused: { readonly call: CallRecord; readonly reason: string } | null = null;
	for (const nth of [0, 1]) {
		const answer = await callSeat(
			context,
			seatRequest(context, state, site, { coach, nth, refused }),
		);
		if (answer.kind === "failed") {
			const { outcome, message } = answer.call;
			return { kind: "failed", reason: `${outcome}: ${message ?? ""}`, writes };
		}
		const parsed = parseCoachReport(answer.call.report);
		if (parsed.ok) return { kind: "report", report: parsed.report, writes };
		refused = { call: answer.call, reason: parsed.reason };
		writes.push(
			eventWrite(context, site, "report-rejected", {
				role: "coach",
				agent: coach,
				call: answer.call.call,
				reason: parsed.reason,
			}),
		);
	}
	return {
		kind: "failed",
		reason: `its report was invalid twice: ${refused?.reason ?? ""}`,
		writes,
	};
}

function seatRequest(
	context: TaskContext,
	state: TaskState,
	site: Site,
	seat: {
		readonly coach: string;
		readonly nth: number;
		readonly refused: { readonly call: CallRecord; readonly reason: string } | null;
	},
): SeatRequest {
	const { coach } = context.places;
	return {
		site,
		role: "coach",
		agent: seat.coach,
		checkout: coach.dir,
		prepare: async () => {
			// Made anew after a call that changed it: whatever that call planted is gone (design section 2).
			const left = await leftAt(context, state, site);
			if (left === "" || !(await coach.isUnchanged(left))) await coach.remove();
			await prepareCheckout(context, site, {
				checkout: coach,
				name: "coach",
				commit: state.commit,
			});
		},
		compose: async (workDir) => {
			const composed = await compose(context, state, site, workDir);
			if (seat.refused === null) return composed;
			const prompt = repairPrompt({
				role: "coach",
				original: composed.prompt,
				error: seat.refused.reason,
				rejected: seat.refused.call.report,
			});
			return { ...composed, prompt };
		},
		nth: seat.nth,
		recordLater: false,
	};
}

/** Commit that the coach's checkout was last handed over on; "" when there was no such call. */
async function leftAt(context: TaskContext, state: TaskState, site: Site): Promise<string> {
	const calls = await context.records.calls(context.run.runId, context.task.id, site.turn, "coach");
	return calls.length > 0 ? state.commit : state.reviewed;
}

async function compose(context: TaskContext, state: TaskState, site: Site, workDir: string) {
	const { records, run, task, places } = context;
	const findings = await records.openFindings(run.runId, task.id);
	const stored = await turnEvidence(context, site.turn);
	const { evidence, directory } = await handOver(stored, places.stateDir, workDir);
	const whole = await keepDiff(context, {
		from: state.start,
		to: state.commit,
		path: `${workDir}/diff.patch`,
	});
	const since =
		state.reviewed === ""
			? null
			: await keepDiff(context, {
					from: state.reviewed,
					to: state.commit,
					path: `${workDir}/since-last-round.patch`,
				});
	const directive = await directiveOf(context, state);
	const pair = pairOf(context, site.turn);
	const prompt = coachPrompt({
		task,
		turn: site.turn,
		round: state.round + 1,
		findings,
		evidence,
		diff: whole.text,
		diffPath: whole.path,
		delta: since?.text ?? null,
		directive,
		pair: pair !== null,
	});
	const input = {
		run: run.runId,
		turn: site.turn,
		base: state.start,
		commit: state.commit,
		task,
		subtask: null,
		findings,
		evidence,
		stateDirectory: directory,
		directive,
		pair,
		diffPath: whole.path,
	};
	return { prompt, context: coachContext(input) };
}

async function keepDiff(
	context: TaskContext,
	{ from, to, path }: { readonly from: string; readonly to: string; readonly path: string },
): Promise<{ readonly text: string; readonly path: string }> {
	const { text } = await diffText(context.vault, from, to, { maxBytes: MAX_DIFF_BYTES });
	const masked = context.masker.mask(text);
	await mkdir(context.places.work, { recursive: true });
	await writeFile(path, masked);
	return { text: masked, path };
}

/** Enters the coach's round into the ledger and computes what its verdict amounts to. */
async function judge(
	context: TaskContext,
	state: TaskState,
	site: Site,
	report: CoachReport,
): Promise<Write[]> {
	const { records, run, task } = context;
	const criteria = criteriaStatus(task.acceptanceCriteria, report);
	const before = await records.openFindings(run.runId, task.id);
	const ledger = updateLedger({
		open: before,
		sameIssue: await records.findingsByIssue(run.runId, task.id, reportKeys(report, criteria)),
		nextNumber: (await records.findingCount(run.runId, task.id)) + 1,
		report,
		criteria,
		turn: site.turn,
		changedFiles: await changedSince(context, state),
		round: state.round + 1,
	});
	const evidence = await turnEvidence(context, site.turn);
	const turn = await turnRecord(context, site.turn);
	const verdict = effectiveVerdict({
		report,
		criteria,
		open: ledger.open,
		evidence: requiredEvidence(evidence),
		missing: missingEvidence(evidence, context.workflow.checks),
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
		exempt: isExempt(evidence, ledger.open, site.turn),
	};
	return [
		...ledger.changed.flatMap((finding) => findingWrites(context, site, finding)),
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
	];
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

function findingWrites(context: TaskContext, site: Site, finding: Finding): Write[] {
	return [
		{ kind: "finding", runId: context.run.runId, taskId: context.task.id, finding },
		eventWrite(context, site, "finding-changed", {
			finding: finding.id,
			state: finding.state,
			severity: finding.severity,
			issue: finding.issue,
			blocking: isBlocking(finding),
		}),
	];
}
