import { waitingConflicts } from "../../conflict/open-conflicts.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { type GateReport, reworkReasons } from "../../gate/gate-report.ts";
import { treeOf } from "../../git/changes.ts";
import { blockers, missingEvidence, requiredEvidence } from "../../review/effective-verdict.ts";
import type { Finding, Ruling } from "../../review/finding.ts";
import { isBlocking } from "../../review/finding-state.ts";
import { STALL_WINDOW } from "../../review/stall.ts";
import type { TurnRecord, Write } from "../../store/records.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "../context.ts";
import { decideRoute, type RouteDecision, type RouteState } from "../edges.ts";
import { exitOf } from "../exit-conditions.ts";
import { findingWrites } from "../finding-writes.ts";
import { writeGateReport } from "../gate-file.ts";
import { halt } from "../halt.ts";
import { isExempt } from "../judge-round.ts";
import { openNow } from "../open-findings.ts";
import { pairTrouble, writeSession } from "../session-file.ts";
import type { TaskState, Update } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";
import { turnEvidence } from "../turn-evidence.ts";
import { gateWrites, turnGate } from "../turn-gate.ts";
import { turnRecord } from "../turn-record.ts";
import { type TurnScore, turnScore } from "../turn-score.ts";
import { sessionWrites } from "../turn-session.ts";

/** All that is known of a turn when its route is decided. */
interface SeenTurn {
	/** Of the turn's own commit: after a refused merge it is another one. */
	readonly evidence: readonly Evidence[];
	readonly open: readonly Finding[];
	readonly turn: TurnRecord;
	readonly report: GateReport | null;
	readonly score: TurnScore | null;
}

/**
 * `policy_gate`: the gate's verdict where a gate applies, and then the one decision of the turn: its route. A subtask
 * that is approved makes way for the next one.
 */
export async function policyGate(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	// What was changed during the turn would be written over and never be seen.
	const trouble = await pairTrouble(context);
	if (trouble !== null) return { update: halt("corrupt_session", trouble, "policy_gate") };
	const seen = await seenTurn(context, state, site);
	const { report, turn, open } = seen;
	// Before the records: whoever runs this again after a kill writes the same file.
	if (report !== null) await writeGateReport(context, report);
	const seenState = await routeState(context, state, seen);
	const routed = decideRoute(seenState);
	const decision = context.task.formalReview === true ? ofReview(routed, turn) : routed;
	const { subtask } = context;
	const completed =
		decision.route === "approve" && subtask != null && !subtask.isLast ? subtask.id : null;
	const judged = { ...turn, reasons: [...turn.reasons, ...refusals(report, decision)] };
	return {
		update:
			completed === null
				? updateFor(decision, state, hasConflict(seenState) ? "conflict" : "escalation")
				: nextSubtask(context, state),
		writes: [
			...gateWrites(context, site, report),
			...((await isTakenWhole(context, state)) && decision.route === "approve"
				? overrule(context, site, open)
				: []),
			// The stall of a subtask is none of the next one.
			{
				kind: "turn",
				turn: {
					...judged,
					route: decision.route,
					restarted: turn.restarted || completed !== null,
				},
			},
			...(await sessionWrites(context, site, {
				turn,
				completedSubtask: doneSubtask(context, decision),
			})),
			...(completed === null ? [] : subtaskWrites(context, site, completed)),
			eventWrite(context, site, "turn-routed", decision),
		],
		afterCommit: () => writeSession(context),
		...(report === null ? { passedThrough: "no gate applies" } : {}),
	};
}

/** What a formal review finds a person decides, at once and in its own words. */
function ofReview(decision: RouteDecision, { rationale }: TurnRecord): RouteDecision {
	if (decision.route !== "max_turns") return decision;
	const why = rationale === "" ? decision.reason : rationale;
	return { route: "escalate", reason: `the formal review did not approve: ${why}` };
}

/** The subtask that this turn completed, the last one included. */
function doneSubtask({ subtask }: TaskContext, { route }: RouteDecision): string | null {
	return route === "approve" ? (subtask?.id ?? null) : null;
}

async function seenTurn(context: TaskContext, state: TaskState, site: Site): Promise<SeenTurn> {
	const tree = await treeOf(context.vault, state.commit);
	const all = await turnEvidence(context, site.turn);
	const evidence = all.filter((piece) => piece.tree === tree);
	const open = await openNow(context);
	const score = await turnScore(context, site.turn);
	const turn = await settledTurn(context, state, site, { evidence, open });
	const report = turnGate(context, { tree, evidence: all, turn, score });
	return { evidence, open, turn, report, score };
}

/** What the gate refused, for the player; only where the turn goes back because of it. */
function refusals(report: GateReport | null, { route }: RouteDecision): string[] {
	if (report === null || report.verdict === "PASS" || route === "approve") return [];
	return reworkReasons(report).map((reason) => `gate ${report.risk_tier}: ${reason}`);
}

function nextSubtask(context: TaskContext, state: TaskState): Update {
	const { workflow, task } = context;
	// As the file has it: what a person added was for the subtask that is done.
	const bound = workflow.tasks.find(({ id }) => id === task.id)?.bound ?? task.bound;
	return {
		...{ next: "feedback", taken: false, critical: false, round: 0, reviewed: "" },
		bound: state.turn + bound,
	};
}

function subtaskWrites(context: TaskContext, site: Site, id: string): Write[] {
	return [
		taskWrite(context, {
			subtask: (context.subtask?.index ?? 0) + 1,
			subtaskStart: site.turn,
		}),
		eventWrite(context, site, "subtask-completed", { subtask: id, turn: site.turn }),
	];
}

/** The turn's record; without a coach its judgement is what evidence says. */
async function settledTurn(
	context: TaskContext,
	state: TaskState,
	site: Site,
	{ evidence, open }: { readonly evidence: readonly Evidence[]; readonly open: readonly Finding[] },
): Promise<TurnRecord> {
	const turn = await turnRecord(context, state.turn);
	const { task, workflow } = context;
	if (task.pair !== undefined || task.formalReview === true) return turn;
	const reasons = blockers({
		criteria: [],
		open,
		evidence: requiredEvidence(evidence),
		missing: missingEvidence(evidence, workflow.checks),
	});
	return { ...turn, reasons, exempt: isExempt(evidence, open, site.turn) };
}

async function routeState(
	context: TaskContext,
	state: TaskState,
	seen: SeenTurn,
): Promise<RouteState> {
	const { records, run, task, workflow } = context;
	const recent = await records.turns(run.runId, task.id, STALL_WINDOW);
	const older = recent.filter(({ turn }) => turn !== state.turn);
	const short = requiredEvidence(seen.evidence).filter(({ status }) => status !== "pass");
	const isReview = task.formalReview === true;
	const gate = seen.report?.verdict ?? null;
	const items = (await records.items(run.runId)).filter(({ taskId }) => taskId === task.id);
	const exit = exitOf(task, {
		turn: state.turn,
		effective: seen.turn.effective,
		open: seen.open,
		score: seen.score,
		gate,
		items,
	});
	return {
		coachDecision: seen.turn.effective ?? "pending",
		paired: task.pair !== undefined || isReview,
		...(exit === undefined ? {} : { exit }),
		taken: state.taken,
		blocking: seen.open.filter(isBlocking).length,
		shortEvidence: isReview
			? []
			: [...short.map(({ check }) => check), ...missingEvidence(seen.evidence, workflow.checks)],
		...(isReview ? {} : untestedBy(workflow.checks)),
		gate,
		critical: state.critical,
		...(await disputed(context, state, seen)),
		recentTurns: await withStartTree(context, [seen.turn, ...older]),
		turnCount: state.turn,
		// A formal review is asked once; what it finds a person decides.
		maxTurns: isReview ? state.turn : state.bound,
	};
}

function untestedBy(checks: readonly CheckDefinition[]): Pick<RouteState, "untested"> {
	if (checks.some(({ kind }) => kind === "acceptance")) return {};
	return { untested: checks.length === 0 ? "no checks" : "no acceptance check" };
}

/** Each part of a reason is a line: what an agent wrote must not begin another. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** What became of the conflicts of this turn, as far as its route depends on it. */
async function disputed(
	{ records, run, task }: TaskContext,
	{ turn, critical }: TaskState,
	{ open, turn: judged }: SeenTurn,
): Promise<Pick<RouteState, "conflicts" | "overruled">> {
	if (task.pair === undefined) return {};
	const attempts = await records.conflicts(run.runId, task.id);
	const waiting = waitingConflicts(attempts, open, turn).map(
		({ finding, attemptCount, escalationReason }) =>
			`Conflict about ${finding} (attempt ${attemptCount}): ${oneLine(escalationReason ?? "")}`,
	);
	const grave = critical ? open.filter(({ severity }) => severity === "critical") : [];
	const [overruled] =
		judged.raw === "feedback" && judged.effective === "approve" ? judged.reasons : [];
	return {
		conflicts: [
			...waiting,
			// One question for all: what else would have asked a person is named in it.
			...(waiting.length === 0
				? []
				: grave.map(({ id, issue }) => `Critical: ${id}: ${oneLine(issue)}`)),
		],
		...(overruled === undefined ? {} : { overruled }),
	};
}

/** The oldest turn of the window is measured against the tree that the task began on, when it is the first. */
async function withStartTree(context: TaskContext, turns: readonly TurnRecord[]) {
	const record = await context.records.task(context.run.runId, context.task.id);
	const start = record?.startCommit;
	const startTree = start == null ? undefined : await treeOf(context.vault, start);
	return turns.map((turn) =>
		turn.turn === 1 && startTree !== undefined ? { ...turn, startTree } : turn,
	);
}

/** Taken where a person was asked about the whole work; conflicts are answered finding by finding, and settled then. */
async function isTakenWhole({ records, run, task }: TaskContext, { taken }: TaskState) {
	if (!taken) return false;
	const newest = (await records.items(run.runId)).find(({ taskId }) => taskId === task.id);
	return newest?.trigger !== "conflict";
}

const TAKEN = "a person took the developer's output";

/** A person took the developer's output: what was open is settled against the coach, and says so. */
function overrule(context: TaskContext, site: Site, open: readonly Finding[]): Write[] {
	const ruling: Ruling = { by: "person", decision: "PASS", rationale: TAKEN, turn: site.turn };
	const settled = open.flatMap((finding) =>
		findingWrites(
			context,
			site,
			{ ...finding, ruling, state: "overruled", changedTurn: site.turn },
			{ by: "person", text: TAKEN, evidence: null },
		),
	);
	return [...settled, taskWrite(context, { openFindings: 0 })];
}

function hasConflict({ conflicts = [] }: RouteState): boolean {
	return conflicts.length > 0;
}

function updateFor(
	{ route, reason }: RouteDecision,
	state: TaskState,
	escalation: "conflict" | "escalation",
): Update {
	switch (route) {
		case "approve":
		case "feedback":
			return { next: route, taken: false };
		case "escalate":
			return { next: route, trigger: escalation, reason, resumeAt: "player_turn", taken: false };
		case "max_turns":
			return {
				next: route,
				trigger: "loop_exhausted",
				reason: state.taken
					? `${reason}; the developer's output was taken, but evidence still stands against it`
					: reason,
				resumeAt: "player_turn",
				taken: false,
			};
	}
}
