import { type FindingConflict, waitingConflicts } from "../conflict/conflict.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { type GateReport, reworkReasons } from "../gate/gate-report.ts";
import type { HumanItem } from "../human/human-item.ts";
import type { Trigger } from "../human/question.ts";
import { reasonText } from "../human/reason.ts";
import { textAt } from "../kernel/text-at.ts";
import { blockers, type Required, requiredOf } from "../review/effective-verdict.ts";
import { excerpt } from "../review/excerpt.ts";
import type { Finding } from "../review/finding.ts";
import { isBlocking } from "../review/finding-state.ts";
import { type JudgedSuspicion, unsettled } from "../review/suspicion-answers.ts";
import { type VerdictReason, verdictReasonText } from "../review/verdict-reason.ts";
import type { TurnRecord } from "../store/records.ts";
import type { ConflictsReason } from "../trace/conflicts-reason.ts";
import { suspicionWhat } from "../wall/suspicion.ts";
import { firstThatHolds } from "../workflow/expression/holds.ts";
import { parseCondition } from "../workflow/expression/parse-condition.ts";
import type { ConditionValues } from "../workflow/expression/variables.ts";
import type { CheckDefinition, TaskDefinition } from "../workflow/workflow.ts";
import type { PresentSubtask, TaskFacts } from "./context.ts";
import { decideRoute, type Route, type RouteDecision, type RouteState } from "./edges.ts";
import { isExempt } from "./judge-round.ts";
import type { TurnScore } from "./records/task-steps.ts";
import { type TurnVerification, verificationShort } from "./records/turn-verification.ts";
import { limitReason, type TaskState, type Update } from "./state.ts";
import { type GateQuestion, turnGate } from "./turn-gate.ts";

export interface TurnFacts extends GateQuestion {
	readonly facts: TaskFacts;
	readonly state: Pick<TaskState, "turn" | "bound" | "refusals" | "taken" | "critical">;
	readonly turn: TurnRecord;
	readonly open: readonly Finding[];
	readonly conflicts: readonly FindingConflict[];
	readonly items: readonly Pick<HumanItem, "status" | "trigger">[];
	readonly older: readonly TurnRecord[];
	readonly isUnchanged: boolean;
	/** Reason for which the report of a player that changed nothing cannot be used; null where it can. */
	readonly reportProblem: string | null;
	readonly subtaskStart: number;
	readonly startTree: string | null;
}

export interface TurnDecision extends RouteDecision {
	readonly report: GateReport | null;
	readonly turn: TurnRecord;
	/** The subtask that this approval completes; another one follows unless it is the last. */
	readonly doneSubtask: PresentSubtask | null;
	/** Open findings that are settled because a person took the work as a whole; null where nobody did. */
	readonly overruled: readonly Finding[] | null;
	readonly update: Update & { readonly next: Route };
}

// Pure.
export function decideTurn(given: TurnFacts): TurnDecision {
	const { facts, evidence, tree, open, state } = given;
	const { subtask, workflow } = facts;
	const own = evidence.filter((piece) => piece.tree === tree);
	const required = requiredOf(own, workflow.checks);
	const turn = settledTurn(given, own, required);
	const gate = turnGate(facts, { ...given, evidence, turn });
	const report = facts.task.gate ? gate : null;
	const refused = refusals(gate, report !== null, turn.reasons.length > 0);
	const seen = routeState(given, turn, required, { gate, report, refused });
	const decision = explained(given, turn, decideRoute(seen));
	const isApproved = decision.route === "approve";
	const isNextSubtask = isApproved && subtask !== null && !subtask.isLast;
	const asks = ASKED[decision.reason.kind] ?? escalationOf(seen);
	return {
		...decision,
		report,
		turn: {
			...turn,
			reasons: isApproved ? turn.reasons : [...turn.reasons, ...refused],
			route: decision.route,
			// The stall of a subtask does not count in the next one.
			restarted: turn.restarted || isNextSubtask,
		},
		doneSubtask: isApproved ? subtask : null,
		overruled: isApproved && isTakenWhole(given) ? open : null,
		update: isNextSubtask ? nextSubtask(facts, state.turn) : updateFor(decision, asks, state),
	};
}

const ASKED: Readonly<Partial<Record<RouteDecision["reason"]["kind"], Trigger>>> = {
	suspicions_open: "suspicion",
	nothing_changed: "nothing_changed",
};

const escalationOf = ({ conflicts }: RouteState): Trigger =>
	conflicts === null ? "escalation" : "conflict";

function settledTurn(
	{ facts: { task }, turn, open, verification, suspicions, isUnchanged }: TurnFacts,
	evidence: readonly Evidence[],
	required: Required,
): TurnRecord {
	if (task.pair !== undefined || task.formalReview === true) return turn;
	const reasons = blockers({
		criteria: [],
		open,
		evidence: required.evidence,
		missing: required.missing,
		verificationShort: verificationShort(verification),
		suspicions: unsettled(suspicions),
	});
	if (isUnchanged) reasons.push({ kind: "nothing_changed", why: null });
	return { ...turn, reasons, exempt: isExempt(evidence, open, turn.turn) };
}

function routeState(
	given: TurnFacts,
	turn: TurnRecord,
	required: Required,
	{
		gate,
		report,
		refused,
	}: Pick<TurnDecision, "report"> & {
		readonly gate: GateReport | null;
		readonly refused: readonly VerdictReason[];
	},
): RouteState {
	const { facts, state, open, score, items, verification, suspicions, startTree } = given;
	const { task, workflow } = facts;
	const isReview = task.formalReview === true;
	const isJudged = task.pair !== undefined || isReview;
	const { effective } = turn;
	return {
		coachDecision: effective ?? "pending",
		paired: isJudged,
		exit: exitOf(task, {
			turn: state.turn,
			effective,
			open,
			score,
			gate: report?.verdict ?? null,
			verification: verification?.verdict ?? null,
			items,
		}),
		taken: state.taken,
		blocking: open.filter(isBlocking).length,
		shortEvidence: isReview ? [] : [...required.short, ...shortVerification(verification)],
		untested: isReview ? null : untestedBy(workflow.checks),
		gated: report !== null,
		refused: gate?.verdict === "FAIL",
		critical: state.critical,
		conflicts: task.pair === undefined ? null : waiting(given),
		overruled: overruledOf(turn),
		unchanged: unchangedOf(given, turn),
		suspicions: unsettled(suspicions).map(({ suspicion }) => suspicion.id),
		recentTurns: [turn, ...given.older].map((each) =>
			each.turn === 1 && startTree !== null ? { ...each, startTree } : each,
		),
		inTheWay: inTheWay(open, [...turn.reasons, ...refused]),
		turnCount: state.turn,
		// A formal review is asked once; what it finds a person decides.
		maxTurns: isReview ? state.turn : state.bound,
	};
}

/** Findings that block; without one what else the turn was not approved for. A finding that does not block is named last. */
function inTheWay(open: readonly Finding[], reasons: readonly VerdictReason[]): readonly string[] {
	const named = (findings: readonly Finding[]): string[] =>
		findings.map(({ id, issue }) => `${id} (${excerpt(issue, 80)})`);
	const blocking = named(open.filter(isBlocking));
	if (blocking.length > 0) return blocking;
	return reasons.length > 0 ? reasons.map(verdictReasonText) : named(open);
}

function unchangedOf(
	{ facts, isUnchanged, older, subtaskStart }: TurnFacts,
	{ effective }: TurnRecord,
): RouteState["unchanged"] {
	if (!isUnchanged || effective === "approve" || facts.task.formalReview === true) return null;
	const isTold = older.some(
		({ turn, reasons }) =>
			turn > subtaskStart && reasons.some(({ kind }) => kind === "nothing_changed"),
	);
	return isTold ? "again" : "first";
}

function overruledOf({ reasons }: TurnRecord): readonly string[] | null {
	for (const reason of reasons) if (reason.kind === "overruled") return reason.findings;
	return null;
}

const shortVerification = (verification: TurnVerification | null): string[] =>
	verificationShort(verification) === null ? [] : ["verification"];

function untestedBy(checks: readonly CheckDefinition[]): RouteState["untested"] {
	if (checks.some(({ kind }) => kind === "acceptance")) return null;
	return checks.length === 0 ? "checks" : "acceptance check";
}

/** The conflicts of this turn that wait for a person, with what else would have asked one: one question for all. */
function waiting({ conflicts, open, state }: TurnFacts): ConflictsReason | null {
	const attempts = waitingConflicts(conflicts, open, state.turn);
	if (attempts.length === 0) return null;
	const grave = state.critical ? open.filter(({ severity }) => severity === "critical") : [];
	return {
		kind: "conflicts",
		conflicts: attempts.map(({ finding, attemptCount, escalationReason }) => ({
			finding,
			attempt: attemptCount,
			why: escalationReason ?? "",
		})),
		critical: grave.map(({ id, issue }) => ({ finding: id, issue })),
	};
}

/** Sentences of the gate for the player. Without a report of it, what else is in the way is among the reasons already. */
function refusals(gate: GateReport | null, isReported: boolean, isTold: boolean): VerdictReason[] {
	if (gate === null || gate.verdict === "PASS") return [];
	if (!isReported && isTold) return [];
	const areas = reworkReasons(gate);
	// A rule may stand outside of the report's areas.
	const told = areas.length > 0 ? areas : [{ area: "gate", why: gate.rule }];
	return told.map((short) => ({ kind: "gate", tier: gate.risk_tier, ...short }));
}

/** A decision with what a person is told of it; where a formal review ends, a person decides. */
function explained(
	{ facts, state, suspicions, reportProblem }: TurnFacts,
	{ rationale }: TurnRecord,
	decision: RouteDecision,
): RouteDecision {
	const { route, reason } = decision;
	if (route === "max_turns" && facts.task.formalReview === true) {
		const why = rationale === "" ? reasonText(reason) : rationale;
		return { route: "escalate", reason: { kind: "review_refused", why } };
	}
	if (reason.kind === "max_turns") return { route, reason: limitReason(state) };
	if (reason.kind === "nothing_changed" && reportProblem !== null)
		return { route, reason: { ...reason, report: reportProblem } };
	if (reason.kind === "stalled" && reportProblem !== null) {
		const sign = `${reason.sign}; the player's report cannot be used: ${excerpt(reportProblem)}`;
		return { route, reason: { kind: "stalled", sign } };
	}
	if (reason.kind !== "suspicions_open") return decision;
	return { ...decision, reason: { ...reason, places: unsettled(suspicions).map(placeOf) } };
}

/** Place of a suspicion, and why it is one, for whoever is asked. */
export function placeOf({ suspicion }: JudgedSuspicion): string {
	return `${textAt(suspicion)} (${suspicionWhat(suspicion.rule)})`;
}

function isTakenWhole({ state, items }: TurnFacts): boolean {
	return state.taken && items[0]?.trigger !== "conflict";
}

function nextSubtask({ workflow, task }: TaskFacts, turn: number): TurnDecision["update"] {
	// As the file has it: what a person added was for the subtask that is done.
	const bound = workflow.tasks.find(({ id }) => id === task.id)?.bound ?? task.bound;
	return {
		next: "feedback",
		taken: false,
		critical: false,
		round: 0,
		reviewed: "",
		bound: turn + bound,
	};
}

function updateFor(
	{ route, reason }: RouteDecision,
	asks: Trigger,
	{ taken }: TurnFacts["state"],
): TurnDecision["update"] {
	switch (route) {
		case "approve":
		case "feedback":
			return { next: route, taken: false };
		case "escalate":
			return { next: route, trigger: asks, reason, taken: false };
		case "max_turns": {
			const though = taken && reason.kind === "max_turns";
			const why = though ? { ...reason, though: "taken" as const } : reason;
			return { next: route, trigger: "loop_exhausted", reason: why, taken: false };
		}
	}
}

const APPROVED = "pair.challenger_approved == true";

export interface ExitFacts {
	readonly turn: number;
	readonly effective: "approve" | "feedback" | null;
	readonly open: readonly Finding[];
	readonly score: TurnScore | null;
	readonly gate: "PASS" | "FAIL" | null;
	readonly verification: "passed" | "failed" | "skipped" | "inconclusive" | null;
	readonly items: readonly Pick<HumanItem, "status">[];
}

export function exitOf(
	task: Pick<TaskDefinition, "exitConditions" | "pair">,
	facts: ExitFacts,
): { readonly holds: string | null } | null {
	const texts = task.exitConditions ?? [];
	const isDefault = task.pair !== undefined && texts.every((text) => text.trim() === APPROVED);
	if (texts.length === 0 || isDefault) return null;
	const conditions = texts.flatMap((text) => {
		const parsed = parseCondition(text);
		// The loader refused what does not parse; nothing can hold because of it.
		return parsed.ok ? [parsed.condition] : [];
	});
	return {
		holds: firstThatHolds(conditions, valuesOf(facts, task.pair !== undefined))?.text ?? null,
	};
}

function valuesOf(facts: ExitFacts, paired: boolean): ConditionValues {
	const { turn, effective, open, score, gate, verification, items } = facts;
	const values: { -readonly [Name in keyof ConditionValues]: ConditionValues[Name] } = {
		"loop.turn": turn,
		"findings.open": open.length,
		"findings.blocking": open.filter(isBlocking).length,
	};
	if (paired) values["pair.iteration"] = turn;
	if (paired && effective !== null) values["pair.challenger_approved"] = effective === "approve";
	if (gate !== null) values["gate.verdict"] = gate;
	if (verification !== null) values["verification.verdict"] = verification;
	if (items.length > 0) values["hil.resolved"] = items.every(({ status }) => status === "RESOLVED");
	if (score === null) return values;
	const metrics: Readonly<Record<string, number>> = Object.fromEntries(
		Object.entries(score.values).map(([type, value]) => [`metrics.${type}`, value]),
	);
	return { ...values, confidence_score: score.score, ...metrics };
}
