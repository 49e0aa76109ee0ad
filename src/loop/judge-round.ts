import type { CoachReport } from "../agents/report.ts";
import { requirementCoverage } from "../confidence/requirement-coverage.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { findingKey } from "../review/claim.ts";
import { attemptsOf, coachReason, criteriaStatus } from "../review/criteria.ts";
import { effectiveVerdict, requiredOf } from "../review/effective-verdict.ts";
import type { Finding } from "../review/finding.ts";
import { escalates, wasUpheld } from "../review/finding-state.ts";
import {
	type LedgerInput,
	type LedgerUpdate,
	overruledIn,
	remainder,
	reportKeys,
	updateLedger,
} from "../review/ledger.ts";
import {
	isUnquoted,
	type JudgedSuspicion,
	judgedSuspicions,
	type Suspected,
	unsettled,
	withCoachAnswers,
} from "../review/suspicion-answers.ts";
import type { TurnRecord, Write } from "../store/records.ts";
import type { CriterionStatement } from "../trace/criterion-statement.ts";
import type { FindingArgument } from "../trace/finding-argument.ts";
import type { CheckDefinition, TaskDefinition } from "../workflow/workflow.ts";
import type { NodeInput } from "./node-input.ts";
import { findingChanged, suspicionsAnswered } from "./records/findings.ts";
import type { Journal } from "./records/task-log.ts";
import { statementsOf, verdictGiven } from "./records/turn.ts";
import { verificationShort } from "./records/turn-verification.ts";

interface RoundFacts extends Omit<LedgerInput, "report" | "suspicions" | "turn"> {
	readonly task: TaskDefinition;
	readonly checks: readonly CheckDefinition[];
	/** As it was stored before. */
	readonly turn: TurnRecord;
	readonly reviewedFrom: string | null;
	readonly evidence: readonly Evidence[];
	readonly isUnchanged: boolean;
	readonly verificationShort: string | null;
	readonly suspected: Suspected;
}

interface JudgedRound {
	readonly turn: TurnRecord;
	readonly ledger: LedgerUpdate;
	readonly critical: boolean;
	readonly suspected: Suspected;
	readonly findings: readonly Finding[];
}

export async function roundFacts(input: NodeInput, report: CoachReport): Promise<RoundFacts> {
	const { state, read, commits, log } = input;
	const { task, workflow, subtask } = input.facts;
	const criteria = criteriaStatus(task.acceptanceCriteria, report);
	const sameIssue = await read.findingsByIssue(reportKeys(report, criteria));
	const reviewedFrom = state.reviewed === "" ? null : state.reviewed;
	const changedSince = async (from: string): Promise<ReadonlySet<string>> => {
		const changes = from === state.commit ? [] : await commits.changes(from, state.commit);
		return new Set(changes.map(({ path }) => path));
	};
	const changedSinceRuling = new Map<string, ReadonlySet<string>>();
	// For findings that were overruled: the coach judges the work of now, and a ruling that of its turn.
	for (const { id, ruling } of sameIssue) {
		if (ruling?.decision !== "PASS") continue;
		changedSinceRuling.set(id, await changedSince((await read.turn(ruling.turn)).commit));
	}
	return {
		task,
		checks: workflow.checks,
		subtask: subtask?.id ?? null,
		turn: await read.turn(log.turn),
		round: state.round + 1,
		reviewedFrom,
		criteria,
		open: await read.open(),
		sameIssue,
		nextNumber: (await read.findingCount()) + 1,
		evidence: await read.evidence(log.turn),
		changedFiles: reviewedFrom === null ? null : await changedSince(reviewedFrom),
		changedSinceRuling,
		verificationShort: verificationShort(await read.verification(log.turn)),
		suspected: await read.suspected(log.turn),
		isUnchanged: await isUnchanged(input),
	};
}

export function judgeRound(facts: RoundFacts, report: CoachReport): JudgedRound {
	const { criteria, open, sameIssue, evidence, turn } = facts;
	const findings = [...open, ...sameIssue];
	const { description, acceptanceCriteria } = facts.task;
	const told = [description, ...acceptanceCriteria];
	const answers = withCoachAnswers(facts.suspected, report, { turn: turn.turn, told });
	const suspected = { ...facts.suspected, answers };
	const suspicions = judgedSuspicions(suspected, findings);
	const ledger = updateLedger({ ...facts, report, suspicions, turn: turn.turn });
	const required = requiredOf(evidence, facts.checks);
	const repeated = overruledAgain(report, ledger, sameIssue);
	const verdict = effectiveVerdict({
		// A coach that has nothing to say but what was overruled has nothing to say.
		report: repeated.length === 0 ? report : { ...report, decision: "approve" },
		criteria,
		open: ledger.open,
		evidence: required.evidence,
		// A formal review judges what was checked when it merged.
		missing: facts.task.formalReview === true ? [] : required.missing,
		verificationShort: facts.verificationShort,
		// A yes without the task's words is no answer, and no other one can be asked for: a person decides.
		suspicions: unsettled(suspicions).filter(({ suspicion }) => !isUnquoted(suspicion, report)),
		unshown: facts.isUnchanged ? whyUnshown(facts, report) : null,
	});
	const isOverruled = repeated.length > 0 && verdict.effective === "approve";
	return {
		ledger,
		suspected,
		findings,
		critical: isCritical(report, ledger, [...sameIssue, ...open]),
		turn: {
			...turn,
			reviewedFrom: facts.reviewedFrom,
			raw: report.decision,
			effective: verdict.effective,
			reasons: isOverruled ? [{ kind: "overruled", findings: repeated }] : verdict.reasons,
			rationale: report.rationale,
			openIssues: ledger.open.map(findingKey).sort(),
			claims: criteria.map(({ criterion, met, tests }) => ({ criterion, met, tests })),
			exempt: isExempt(evidence, ledger.open, turn.turn),
		},
	};
}

const NO_NEW_GROUND = "it was settled, and nothing that it is about has changed since";

export function judged(
	log: Journal,
	facts: Pick<RoundFacts, "task" | "criteria">,
	{ turn, ledger, suspected, findings }: JudgedRound,
	report: CoachReport,
): Write[] {
	const { rationale } = report;
	const writes = [
		...ledger.changed.flatMap((finding) =>
			findingChanged(log, finding, argumentFor(finding, report, facts.criteria)),
		),
		...ledger.ignored.map((finding) =>
			log.event("finding-ignored", { finding, reason: NO_NEW_GROUND }),
		),
		...suspicionsAnswered(log, suspected, findings),
		...verdictGiven(log, turn, {
			open: ledger.open.length,
			rationale,
			attempts: attemptsOf(report),
			criteria: statementsOf(report.requirements_status),
		}),
	];
	const { effective: decision } = turn;
	if (facts.task.formalReview === true && decision !== null)
		writes.push(log.event("review-decided", { decision, rationale }));
	return writes;
}

// A refusal that rests on nothing else: no criterion is unmet, and nothing is open.
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

function argumentFor(
	finding: Finding,
	report: CoachReport,
	criteria: readonly CriterionStatement[],
): FindingArgument | null {
	const text = coachReason(finding, report, criteria);
	return text === null ? null : { by: "coach", text, evidence: null };
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

export function isExempt(
	evidence: readonly Evidence[],
	open: readonly Finding[],
	turn: number,
): boolean {
	const silent = requiredOf(evidence, []).failed.some(
		({ status }) => status === "absent" || status === "error",
	);
	return silent || open.some((finding) => wasUpheld(finding, turn));
}

export async function didNothing({ facts, state, commits, read }: NodeInput): Promise<boolean> {
	if (facts.task.formalReview === true) return false;
	const { tree } = await read.turn(state.turn);
	return tree === (await commits.treeOf(state.start)) && !(await hasMoved({ state, read }));
}

export async function isUnchanged({ facts, state, commits, read }: NodeInput): Promise<boolean> {
	if (facts.task.formalReview === true) return false;
	const tree = await commits.treeOf(state.commit);
	if (tree === (await commits.treeOf(state.start)))
		return facts.task.pair === undefined || !(await hasMoved({ state, read }));
	const { subtaskStart } = await read.task();
	if (facts.subtask === null || subtaskStart === 0) return false;
	return (await read.turn(subtaskStart)).tree === tree;
}

async function hasMoved({ state, read }: Pick<NodeInput, "state" | "read">): Promise<boolean> {
	for (let turn = state.turn; turn > 0; turn -= 1)
		if ((await read.refusedMerge(turn)) !== null) return true;
	return false;
}

function whyUnshown(
	{ criteria, turn: { tree }, evidence }: RoundFacts,
	{ requirements_status: said }: CoachReport,
): string | null {
	const tests = said.flatMap((one) => (one.met ? one.tests : []));
	const whole = [{ criterion: "the task", met: true, tests }];
	const claims = criteria.length === 0 ? whole : criteria;
	const { score, reason } = requirementCoverage({ claims, tree, evidence });
	return score === 1 ? null : reason;
}

export interface RulingFacts
	extends Pick<RoundFacts, "turn" | "open" | "evidence" | "checks" | "suspected"> {
	readonly findings: readonly Finding[];
}

export function leftSuspicions({
	suspected,
	findings,
}: Pick<RulingFacts, "suspected" | "findings">): readonly JudgedSuspicion[] {
	return unsettled(judgedSuspicions(suspected, findings));
}

export interface OverruledTurn {
	readonly turn: TurnRecord;
	readonly closed: readonly Finding[];
	readonly open: readonly Finding[];
	readonly rationale: string;
}

export async function rulingFacts({
	facts,
	read,
	log,
}: Pick<NodeInput, "facts" | "read" | "log">): Promise<RulingFacts> {
	return {
		turn: await read.turn(log.turn),
		findings: await read.findings(),
		open: await read.open(),
		evidence: await read.evidence(log.turn),
		checks: facts.workflow.checks,
		suspected: await read.suspected(log.turn),
	};
}

// As if the coach had withdrawn them and called the criteria that they name met; its own answer stays beside it, and
// evidence that failed stands in the way as before. Null where no finding was overruled in this turn.
export function overruledTurn(facts: RulingFacts): OverruledTurn | null {
	const { turn, evidence } = facts;
	const overruled = overruledIn(facts.findings, turn.turn);
	if (overruled.length === 0) return null;
	const gone = overruled.map(({ id }) => id);
	const left = facts.open.filter(({ id }) => !gone.includes(id));
	const { closed, open, met, isAllThatStood } = remainder(overruled, left);
	const claims = (turn.claims ?? []).map((claim) =>
		met.has(claim.criterion) ? { ...claim, met: true } : claim,
	);
	const rationale = overruled
		.map(({ id, ruling }) => `${id}: ${ruling?.rationale ?? ""}`)
		.join("\n");
	const required = requiredOf(evidence, facts.checks);
	const { effective, reasons } = effectiveVerdict({
		report: { decision: isAllThatStood ? "approve" : "feedback" },
		criteria: claims.map((claim) => ({ ...claim, evidence: null })),
		open,
		evidence: required.evidence,
		missing: required.missing,
		suspicions: leftSuspicions(facts),
		unshown: unshownIn(turn),
	});
	return {
		closed: closed.map((finding) => ({ ...finding, changedTurn: turn.turn })),
		open,
		rationale,
		turn: {
			...turn,
			claims,
			effective,
			reasons:
				effective === "approve" ? [{ kind: "overruled", findings: [...new Set(gone)] }] : reasons,
			openIssues: open.map(findingKey).sort(),
		},
	};
}

function unshownIn({ reasons }: TurnRecord): string | null {
	for (const reason of reasons) if (reason.kind === "nothing_changed") return reason.why;
	return null;
}

export function rejudged(log: Journal, again: OverruledTurn | null): Write[] {
	if (again === null) return [];
	const { turn, closed, open, rationale } = again;
	return [
		...closed.flatMap((finding) => findingChanged(log, finding)),
		...verdictGiven(log, turn, { open: open.length, rationale }),
	];
}
