import { waitingConflicts } from "../../conflict/conflict.ts";
import { countsJson } from "../../evidence/counts-json.ts";
import { choicesFor, failureFlags, failureReason } from "../../human/choices.ts";
import type { HumanItem } from "../../human/human-item.ts";
import type {
	ConflictFacts,
	Question,
	Trigger,
	VerificationInQuestion,
	WorkInQuestion,
} from "../../human/question.ts";
import { type Reason, reasonText, type ToldReason, toldReason } from "../../human/reason.ts";
import { tellingLines } from "../../judge/telling-lines.ts";
import { leftWorkLines } from "../../kernel/left-work.ts";
import { snake } from "../../kernel/snake-case.ts";
import { ALREADY_DONE, isDelivered } from "../../kernel/task-state.ts";
import { attemptsOf } from "../../review/criteria.ts";
import { sessionJson } from "../../review/pair-session.ts";
import { judgedSuspicions, shownSuspicion } from "../../review/suspicion-answers.ts";
import { verdictReasonText } from "../../review/verdict-reason.ts";
import { falseClaimText } from "../../wall/false-claim.ts";
import { coachReportOf, coachWords } from "../conflict-attempt.ts";
import { didNothing } from "../judge-round.ts";
import type { NodeResult } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { isUntested } from "../present-task.ts";
import { itemOpened, taskEnded } from "../records/task.ts";
import type { AuditedClaims } from "../records/turn-claims.ts";
import { isUnverified, verificationReport } from "../records/turn-verification.ts";
import { blockedAsked, blockedIn } from "../told-player.ts";

export async function finalizeSuccess(input: NodeInput): Promise<NodeResult<"go">> {
	const { facts, state, read, log, pair, files } = input;
	const { merged } = await read.task();
	const flags = [
		...((await didNothing(input)) ? [ALREADY_DONE] : []),
		...(isUntested(facts) ? ["unchecked"] : []),
		...(isUnverified(await read.verification(state.turn)) ? ["unverified"] : []),
	];
	const checkout = isDelivered({ merged, flags }) ? null : files.checkout();
	const end = { reason: null, flags, merged, turns: state.turn, checkout };
	return {
		update: { next: "go" },
		afterCommit: () => pair.catchUp(),
		writes: taskEnded(log, { status: "completed", ...end }),
	};
}

export async function finalizeFailure(input: NodeInput): Promise<NodeResult<"go">> {
	const { facts, state, log, pair, files } = input;
	const { reason, turn: turns } = state;
	// A rejection is a person's word; every other failure happens because nobody is there to be asked.
	const trigger = state.next === "reject" ? null : state.trigger;
	const flags =
		trigger === null ? [] : failureFlags(trigger, { pair: facts.task.pair !== undefined });
	const end = { flags, merged: false, turns, checkout: files.checkout() };
	return {
		update: { next: "go" },
		afterCommit: () => pair.catchUp(),
		writes: taskEnded(log, { status: "failed", reason: failure(trigger, reason), ...end }),
	};
}

function failure(trigger: Trigger | null, reason: Reason | null): ToldReason | null {
	if (reason === null) return null;
	return trigger === null ? toldReason(reason) : failureReason(trigger, reason);
}

/** `finalize_escalation`: files the question with everything in view. The record comes first. */
export async function finalizeEscalation(input: NodeInput): Promise<NodeResult<"go">> {
	const { facts, state, log } = input;
	const { trigger, reason } = state;
	if (trigger === null || reason === null)
		throw new Error(`nobody said why ${facts.task.id} needs a person`);
	const item: HumanItem = {
		id: input.newItemId(),
		runId: facts.run.runId,
		taskId: facts.task.id,
		...(await questionOf(input, trigger)),
		reason: reasonText(reason),
		status: "PENDING",
		choices: choicesFor(trigger, reason),
		createdAt: log.timestamp(),
		answer: null,
		consumed: false,
	};
	return {
		update: { next: "go", itemId: item.id, items: state.items + 1 },
		writes: itemOpened(log, item, reason),
	};
}

const MAX_FILES = 200;

async function questionOf(input: NodeInput, trigger: Trigger): Promise<Question> {
	const work = await workOf(input);
	if (trigger === "budget") return { trigger, context: { ...work, budget: await input.budget() } };
	if (trigger === "verification")
		return { trigger, context: { ...work, verification: await verificationAsked(input) } };
	if (trigger === "player_blocked") {
		const blocked = await blockedIn(input.read, input.state.turn);
		const evidence = await input.read.evidence(input.state.turn);
		return {
			trigger,
			context: { ...work, blocked: blocked && blockedAsked(blocked, evidence) },
		};
	}
	const { reason } = input.state;
	if (trigger === "quota") {
		const quota =
			reason?.kind === "quota_spent" ? { agent: reason.agent, resets_at: reason.resetsAt } : null;
		return { trigger, context: { ...work, quota } };
	}
	if (trigger !== "conflict") return { trigger, context: work };
	const critical = reason?.kind === "conflicts" ? reason.critical : [];
	return { trigger, context: { ...work, conflicts: await conflictsAsked(input), critical } };
}

const MAX_TEST = 50_000;

async function verificationAsked({
	state,
	read,
	commits,
}: NodeInput): Promise<VerificationInQuestion | null> {
	const verification = await read.verification(state.turn);
	if (verification === null) return null;
	const files = [];
	for (const { commit, files: paths } of await read.suites())
		for (const path of paths) {
			const text = (await commits.textAt(commit, path)) ?? "";
			files.push({ path, text: text.slice(0, MAX_TEST) });
		}
	const { verdict, reasons, tests, run, output_path } = verificationReport(verification);
	return { verdict, reasons, tests, failing: verification.failing, run, output_path, files };
}

const falseClaims = (audit: AuditedClaims | null): string[] =>
	(audit?.false ?? []).map(falseClaimText);

async function workOf({ facts, state, read, commits, files }: NodeInput): Promise<WorkInQuestion> {
	const { task, subtask } = facts;
	const turn = await read.turnIfAny(state.turn);
	const report = await coachReportOf(read, state.turn);
	const session = await read.pairSession();
	const record = await read.task();
	const hasBegun = state.start !== "";
	const diff = hasBegun ? await files.diff(state.turn, state.start, state.commit) : null;
	const changes = hasBegun ? await commits.changes(state.start, state.commit) : [];
	return {
		task: snake(task, "id", "description", "acceptanceCriteria"),
		developer: {
			agent: task.player,
			notes: turn?.notes ?? "",
			concerns: turn?.concerns ?? [],
			left_work: leftWorkLines((await read.leftBehind(state.turn)).work),
			files: changes.slice(0, MAX_FILES).map(({ path }) => path),
		},
		reviewer: {
			agent: task.pair?.challenger ?? null,
			decision: turn?.raw ?? null,
			effective: turn?.effective ?? null,
			rationale: turn?.rationale ?? "",
			attempts: report === null ? null : attemptsOf(report),
		},
		findings: (await read.open()).map((finding) =>
			snake(
				finding,
				...(["id", "issue", "severity", "state", "file", "line"] as const),
				...(["criterion", "suggestion", "dispute"] as const),
			),
		),
		suspicions: judgedSuspicions(await read.suspected(state.turn), await read.findings()).map(
			(one) => ({ ...shownSuspicion(one), text: one.suspicion.text }),
		),
		false_claims: falseClaims(await read.claims(state.turn)),
		evidence: (await read.allEvidence(state.turn)).map((piece) => ({
			...snake(piece, "check", "item", "kind", "status"),
			said: tellingLines(piece),
			reason: piece.reason,
			counts: countsJson(piece.counts),
			details: piece.details,
			output_path: piece.outputPath === null ? null : `.sparring/${piece.outputPath}`,
		})),
		gate: record.gate && snake(record.gate, "riskTier", "verdict"),
		gate_report: await read.gateReport(state.turn),
		confidence: await read.score(state.turn),
		pair: session === undefined ? null : sessionJson(session.session),
		subtask: subtask?.id ?? null,
		reasons: turn?.reasons.map(verdictReasonText) ?? [],
		diff_path: diff === null ? null : `.sparring/${diff}`,
		checkout: files.checkout(),
		branch: record.branch,
		commit: state.commit === "" ? null : state.commit,
		turns: state.turn,
		bound: state.bound,
	};
}

async function conflictsAsked({
	facts,
	state,
	read,
}: NodeInput): Promise<readonly ConflictFacts[]> {
	const open = await read.open();
	const rationale = (await read.turnIfAny(state.turn))?.rationale ?? "";
	const source = { task: facts.task, read };
	return await Promise.all(
		waitingConflicts(await read.conflicts(), open, state.turn).map(async (conflict) => {
			const finding = open.find(({ id }) => id === conflict.finding);
			const said = finding && (await coachWords(source, state.turn, finding));
			const ruling = finding?.ruling?.by === "tie_breaker" ? finding.ruling : null;
			return {
				conflict_id: conflict.conflictId,
				finding: conflict.finding,
				attempt: conflict.attemptCount,
				escalation_reason: conflict.escalationReason,
				developer: {
					reason: finding?.dispute?.reason ?? "",
					evidence: finding?.dispute?.evidence ?? null,
				},
				reviewer: {
					issue: finding?.issue ?? "",
					rationale: said?.upheldBecause ?? said?.criterionEvidence ?? rationale,
				},
				tie_breaker:
					ruling === null ? null : { decision: ruling.decision, rationale: ruling.rationale },
			};
		}),
	);
}
