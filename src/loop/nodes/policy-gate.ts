import type { Evidence } from "../../evidence/evidence.ts";
import type { GateReport } from "../../gate/gate-report.ts";
import { evaluateGate } from "../../gate/policy.ts";
import { treeOf } from "../../git/changes.ts";
import { blockers, missingEvidence, requiredEvidence } from "../../review/effective-verdict.ts";
import type { Finding } from "../../review/finding.ts";
import { isBlocking } from "../../review/finding-state.ts";
import { STALL_WINDOW } from "../../review/stall.ts";
import type { TurnRecord, Write } from "../../store/records.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "../context.ts";
import { decideRoute, type RouteDecision, type RouteState } from "../edges.ts";
import { findingWrites } from "../finding-writes.ts";
import { writeGateReport } from "../gate-file.ts";
import { isExempt } from "../judge-round.ts";
import type { TaskState, Update } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";
import { turnEvidence } from "../turn-evidence.ts";
import { turnRecord } from "../turn-record.ts";

/** `policy_gate`: the gate's verdict where a gate applies, and then the one decision of the turn: its route. */
export async function policyGate(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	const { records, run, task } = context;
	// After a refused merge the commit is another one than the evidence speaks of.
	const tree = await treeOf(context.vault, state.commit);
	const evidence = (await turnEvidence(context, site.turn)).filter((piece) => piece.tree === tree);
	const open = await records.openFindings(run.runId, task.id);
	const report = await gateReport(context, state, evidence);
	// Before the records: whoever runs this again after a kill writes the same file.
	if (report !== null) await writeGateReport(context, report);
	const turn = await settledTurn(context, state, site, { evidence, open });
	const decision = decideRoute(await routeState(context, state, { evidence, open, turn, report }));
	const writes: Write[] = [
		...gateWrites(context, site, report),
		...(state.taken && decision.route === "approve" ? overrule(context, site, open) : []),
		{ kind: "turn", turn: { ...turn, route: decision.route } },
		eventWrite(context, site, "turn-routed", decision),
	];
	return {
		update: updateFor(decision, state),
		writes,
		...(report === null ? { passedThrough: "no gate applies" } : {}),
	};
}

async function gateReport(
	context: TaskContext,
	state: TaskState,
	evidence: readonly Evidence[],
): Promise<GateReport | null> {
	if (!context.task.gate) return null;
	return evaluateGate({
		runId: context.run.runId,
		taskId: context.task.id,
		riskTier: "T0",
		evidence,
		tree: await treeOf(context.vault, state.commit),
		evaluatedAt: new Date(context.clock.now()).toISOString(),
	});
}

/** The turn's record; without a coach its judgement is what evidence says. */
async function settledTurn(
	context: TaskContext,
	state: TaskState,
	site: Site,
	{ evidence, open }: { readonly evidence: readonly Evidence[]; readonly open: readonly Finding[] },
): Promise<TurnRecord> {
	const turn = await turnRecord(context, state.turn);
	if (context.task.pair !== undefined) return turn;
	const reasons = blockers({
		criteria: [],
		open,
		evidence: requiredEvidence(evidence),
		missing: missingEvidence(evidence, context.workflow.checks),
	});
	return { ...turn, reasons, exempt: isExempt(evidence, open, site.turn) };
}

async function routeState(
	context: TaskContext,
	state: TaskState,
	seen: {
		readonly evidence: readonly Evidence[];
		readonly open: readonly Finding[];
		readonly turn: TurnRecord;
		readonly report: GateReport | null;
	},
): Promise<RouteState> {
	const { records, run, task, workflow } = context;
	const recent = await records.turns(run.runId, task.id, STALL_WINDOW);
	const older = recent.filter(({ turn }) => turn !== state.turn);
	const short = requiredEvidence(seen.evidence).filter(({ status }) => status !== "pass");
	return {
		coachDecision: seen.turn.effective ?? "pending",
		paired: task.pair !== undefined,
		taken: state.taken,
		blocking: seen.open.filter(isBlocking).length,
		shortEvidence: [
			...short.map(({ check }) => check),
			...missingEvidence(seen.evidence, workflow.checks),
		],
		gate: seen.report?.verdict ?? null,
		critical: state.critical,
		recentTurns: await withStartTree(context, [seen.turn, ...older]),
		turnCount: state.turn,
		maxTurns: state.bound,
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

function gateWrites(context: TaskContext, site: Site, report: GateReport | null): Write[] {
	if (report === null) return [];
	const { verdict, rule, risk_tier } = report;
	return [
		{
			kind: "step",
			key: {
				runId: context.run.runId,
				taskId: context.task.id,
				turn: site.turn,
				step: "gate-report",
			},
			result: report,
		},
		taskWrite(context, { gate: { riskTier: risk_tier, verdict } }),
		eventWrite(context, site, "gate-evaluated", { verdict, rule, risk_tier }),
	];
}

/** A person took the developer's output: what was open is settled against the coach, and says so. */
function overrule(context: TaskContext, site: Site, open: readonly Finding[]): Write[] {
	const settled = open.flatMap((finding) =>
		findingWrites(context, site, { ...finding, state: "overruled", changedTurn: site.turn }),
	);
	return [...settled, taskWrite(context, { openFindings: 0 })];
}

function updateFor({ route, reason }: RouteDecision, state: TaskState): Update {
	switch (route) {
		case "approve":
		case "feedback":
			return { next: route, taken: false };
		case "escalate":
			return { next: route, trigger: "escalation", reason, resumeAt: "player_turn", taken: false };
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
